#include "formats/groove/import.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "formats/groove/scene_parts.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/scene/faithful.hpp"
#include "lib/scene/transform.hpp"

namespace geomconv::groove {

namespace {

constexpr std::size_t kMostVertices = 8000;
constexpr std::size_t kMostFaces = 20000;
constexpr std::uint8_t kIgnoredMaterial = 0x11;  ///< which most objects fall through
constexpr double kBand = 8.0;                    ///< height of the bands that tiles stand in
constexpr double kClampReach = 2.0;              ///< how far outside the grid a triangle may lie
constexpr double kUsualReach = 2.5;              ///< how far from its tile's middle a triangle usually reaches
constexpr double kHighest = 500000.0;            ///< what 20.12 holds, with room for a band

struct Corner {
    Vec3d position;
    Vec3d normal{0.0};
    Vec2d uv{0.0};  ///< image convention
    std::array<std::uint8_t, 3> colour{0x80, 0x80, 0x80};
};

/// One face of the mesh, file space, counter-clockwise from outside.
struct SourceFace {
    std::vector<Corner> corners;
    bool hasNormals = false;
    bool hasUvs = false;
    TextureName texture;
    CollisionName collision;
    std::uint32_t node = 0;
};

[[noreturn]] void refuse(const Scene& scene, std::uint32_t node, std::string rule, std::string detail) {
    throw GeometryError(scene.nodes[node].name, std::move(rule), std::move(detail));
}

std::string text(double v) {
    return nlohmann::ordered_json(std::round(v * 1000.0) / 1000.0).dump();
}
std::string text(const Vec3d& p) {
    return '(' + text(p.x) + ", " + text(p.y) + ", " + text(p.z) + ')';
}

// ------------------------------------------------------------------------------------------- the mesh as faces

/// What names say of collision: a node's own, or the first word of it that does; the material's wins.
std::optional<CollisionName> collisionNameOf(std::string_view name) {
    while (!name.empty()) {
        const std::size_t end = std::min(name.find(' '), name.size());
        if (auto found = parseCollisionName(name.substr(0, end))) return found;
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return std::nullopt;
}

bool isCollisionNode(const Scene& scene, std::uint32_t node) {
    for (std::optional<std::uint32_t> at = node; at; at = scene.nodes[*at].parent) {
        const Node& n = scene.nodes[*at];
        if (n.content == Content::Collision || n.name.starts_with("collision") || collisionNameOf(n.name)) return true;
    }
    return false;
}

std::uint8_t colourByte(float c) {
    return static_cast<std::uint8_t>(std::clamp(roundedAway(double{c} * 128.0), 0.0, 255.0));
}

class FaceCollector {
public:
    FaceCollector(const Scene& scene, const ImportOptions& options, std::size_t textures)
        : scene_(scene), options_(options), textures_(textures), world_(worldMatrices(scene)) {}

    /// collision: nodes that are collision, that are not, or all.
    std::vector<SourceFace> collect(std::optional<bool> collision) {
        std::vector<SourceFace> out;
        const Mat4d space = toYUp(scene_.space);
        for (std::uint32_t i = 0; i < scene_.nodes.size(); ++i) {
            if (!scene_.nodes[i].mesh) continue;
            if (collision && isCollisionNode(scene_, i) != *collision) continue;
            // Raw export space is taken as it stands: the option says what it is.
            const Mat4d matrix = options_.exportSpace ? world_[i] : space * world_[i];
            const Mesh& mesh = scene_.meshes[*scene_.nodes[i].mesh];
            const nlohmann::ordered_json extras = mesh.extras.value();
            for (std::size_t k = 0; k < mesh.primitives.size(); ++k) {
                const Primitive& p = mesh.primitives[k];
                if (p.topology != Topology::Triangles) continue;
                addPrimitive(out, p, i, collisionOf(p, i, trailOf(extras, k)), matrix);
            }
        }
        return out;
    }

private:
    /// The names above the faces of an OBJ, when the reader kept them.
    static std::vector<std::string> trailOf(const nlohmann::ordered_json& extras, std::size_t primitive) {
        std::vector<std::string> out;
        if (!extras.is_object() || !extras.contains(kNameTrails)) return out;
        const auto& trails = extras[std::string(kNameTrails)];
        if (!trails.is_array() || primitive >= trails.size() || !trails[primitive].is_array()) return out;
        for (const auto& name : trails[primitive]) out.push_back(name.is_string() ? name.get<std::string>() : "");
        return out;
    }

    /// An object's or group's name sets material and group, or back to none; a material's that says nothing changes
    /// nothing.
    CollisionName collisionOf(const Primitive& p, std::uint32_t node, const std::vector<std::string>& trail) const {
        if (trail.empty()) {
            const std::string_view material = p.material ? std::string_view(scene_.materials[*p.material].name) : "";
            return collisionNameOf(material).value_or(
                collisionNameOf(scene_.nodes[node].name).value_or(CollisionName{}));
        }
        CollisionName out = collisionNameOf(trail[0]).value_or(CollisionName{});
        for (std::size_t i = 1; i < trail.size(); ++i) out = parseCollisionName(trail[i]).value_or(out);
        return out;
    }

    void addPrimitive(std::vector<SourceFace>& out, const Primitive& p, std::uint32_t node,
                      const CollisionName& collision, const Mat4d& matrix) {
        SourceFace face;
        face.node = node;
        face.hasNormals = !p.normals.empty();
        face.hasUvs = !p.uvs.empty();
        const std::string_view material = p.material ? std::string_view(scene_.materials[*p.material].name) : "";
        face.texture = parseTextureName(material).value_or(TextureName{options_.defaultTexture, 0});
        face.collision = collision;
        if (face.texture.texture >= textures_) {
            refuse(scene_, node, "index",
                   "texture " + std::to_string(face.texture.texture) + " of " + std::to_string(textures_));
        }
        std::size_t at = 0;
        std::size_t next = 0;
        while (at + 2 < p.indices.size()) {
            const std::size_t size = next < p.faceSizes.size() ? p.faceSizes[next++] : 3;
            const std::size_t triangles = size - 2;
            if (at + 3 * triangles > p.indices.size()) break;
            // Quads stay whole; larger fans are triangles for both purposes.
            if (size == 4) {
                addFace(out, face, p, {p.indices[at], p.indices[at + 1], p.indices[at + 2], p.indices[at + 5]}, matrix);
            } else {
                for (std::size_t t = 0; t < triangles; ++t) {
                    const std::size_t k = at + 3 * t;
                    addFace(out, face, p, {p.indices[k], p.indices[k + 1], p.indices[k + 2]}, matrix);
                }
            }
            at += 3 * triangles;
        }
    }

    void addFace(std::vector<SourceFace>& out, const SourceFace& like, const Primitive& p,
                 const std::vector<std::uint32_t>& vertices, const Mat4d& matrix) {
        SourceFace face = like;
        const Mat3d normals = glm::transpose(glm::inverse(Mat3d(matrix)));
        for (const std::uint32_t v : vertices) {
            Corner c;
            c.position = Vec3d(matrix * glm::dvec4(Vec3d(p.positions[v]), 1.0));
            if (like.hasNormals) c.normal = normals * Vec3d(p.normals[v]);
            if (like.hasUvs) c.uv = Vec2d(p.uvs[v]);
            if (!p.colors.empty()) {
                for (int i = 0; i < 3; ++i) c.colour[static_cast<std::size_t>(i)] = colourByte(p.colors[v][i]);
                if (options_.colourOrder == ColourOrder::Bgr) std::swap(c.colour[0], c.colour[2]);
            }
            if (options_.exportSpace) {
                c.position.z = -c.position.z;
                c.normal.z = -c.normal.z;
            }
            if (!(std::abs(c.position.x) < kHighest && std::abs(c.position.y) < kHighest &&
                  std::abs(c.position.z) < kHighest)) {
                refuse(scene_, like.node, "limit",
                       "corner at " + text(c.position) + ", the game's numbers end at 524288");
            }
            face.corners.push_back(c);
        }
        // Export space and mirroring transforms turn the other way round; the first corner stays.
        if (options_.exportSpace != mirrors(matrix)) std::reverse(face.corners.begin() + 1, face.corners.end());
        out.push_back(std::move(face));
    }

    const Scene& scene_;
    const ImportOptions& options_;
    std::size_t textures_;
    std::vector<Mat4d> world_;
};

// ------------------------------------------------------------------------------------------- triangles to draw

std::vector<Vec3d> positionsOf(const SourceFace& face) {
    std::vector<Vec3d> out;
    for (const Corner& c : face.corners) out.push_back(c.position);
    return out;
}

bool hasArea(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    return glm::length(glm::cross(b - a, c - a)) >= 1e-9;
}

/// A triangle that a tile draws; corners in file order.
struct Triangle {
    std::array<Corner, 3> corners;
    TextureName texture;
    UvChoice uv;
    std::uint32_t node = 0;
};

std::array<Vec2d, 3> texels(const std::array<const Corner*, 3>& fileOrder, const Vec4& r, bool rect) {
    std::array<Vec2d, 3> out{};
    // Stored order is 0 2 1.
    const std::array<std::size_t, 3> stored{0, 2, 1};
    for (std::size_t k = 0; k < 3; ++k) {
        Vec2d uv = fileOrder[stored[k]]->uv;
        if (rect) uv = Vec2d(r.x + uv.x * (r.z - r.x), r.y + uv.y * (r.w - r.y));
        out[k] = uv;
    }
    return out;
}

/// Splits faces into triangles: quads along the diagonal whose halves show the UVs better.
class Triangulation {
public:
    Triangulation(const Level& level, const ImportOptions& options, ImportReport& report)
        : level_(level), options_(options), report_(report) {}

    void decideUvReading(const std::vector<SourceFace>& faces) {
        if (options_.uv != UvReading::Auto) return;
        for (const SourceFace& f : faces) {
            auto& sums = sums_[f.texture.texture];
            sums[0] += choice(f, {0, 1, 2}, false).distance;
            sums[1] += choice(f, {0, 1, 2}, true).distance;
        }
    }

    /// 0 or 1: the corner that the diagonal of a quad begins at.
    std::size_t diagonal(const SourceFace& f) const {
        if (f.corners.size() != 4) return 0;
        const std::vector<Vec3d> p = positionsOf(f);
        const Vec3d n = newellNormal(p);
        for (std::size_t k = 0; k < 4; ++k) {
            const Vec3d turn = glm::cross(p[k] - p[(k + 3) % 4], p[(k + 1) % 4] - p[k]);
            // The diagonal of a concave quad begins at its reflex corner.
            if (glm::dot(turn, n) < 0.0) return k % 2;
        }
        const bool rect = readsRect(f);
        const double first = choice(f, {0, 1, 2}, rect).distance + choice(f, {0, 2, 3}, rect).distance;
        const double second = choice(f, {1, 2, 3}, rect).distance + choice(f, {1, 3, 0}, rect).distance;
        return second < first ? 1 : 0;
    }

    void add(const SourceFace& f, std::vector<Triangle>& out) {
        if (f.corners.size() == 3) return addTriangle(f, {0, 1, 2}, out);
        if (diagonal(f) == 0) {
            addTriangle(f, {0, 1, 2}, out);
            addTriangle(f, {0, 2, 3}, out);
        } else {
            addTriangle(f, {1, 2, 3}, out);
            addTriangle(f, {1, 3, 0}, out);
        }
    }

private:
    const Texture& textureOf(const SourceFace& f) const { return level_.text->textures[f.texture.texture]; }

    bool readsRect(const SourceFace& f) const {
        if (options_.uv != UvReading::Auto) return options_.uv == UvReading::Rect;
        const auto sums = sums_.find(f.texture.texture);
        return sums != sums_.end() && sums->second[1] < sums->second[0];
    }

    UvChoice choice(const SourceFace& f, const std::array<std::size_t, 3>& k, bool rect) const {
        if (!f.hasUvs || textureOf(f).flat()) return {};
        const Vec4 r = uvRectangle(*level_.text, textureOf(f), false);
        return chooseUvFlags(texels({&f.corners[k[0]], &f.corners[k[1]], &f.corners[k[2]]}, r, rect), r);
    }

    void addTriangle(const SourceFace& f, const std::array<std::size_t, 3>& k, std::vector<Triangle>& out) {
        Triangle t;
        for (std::size_t i = 0; i < 3; ++i) t.corners[i] = f.corners[k[i]];
        if (!hasArea(t.corners[0].position, t.corners[1].position, t.corners[2].position)) {
            report_.degenerate += 1;
            return;
        }
        t.texture = f.texture;
        t.node = f.node;
        t.uv = choice(f, k, readsRect(f));
        if (t.uv.distance > 1.0) report_.uvMisfits += 1;
        if (!f.hasNormals) {
            for (Corner& c : t.corners) c.normal = Vec3d(0.0);
        }
        out.push_back(t);
    }

    const Level& level_;
    const ImportOptions& options_;
    ImportReport& report_;
    std::map<std::uint32_t, std::array<double, 2>> sums_;
};

struct PointHash {
    std::size_t operator()(const std::array<float, 3>& p) const {
        std::uint64_t h = 0xcbf29ce484222325ULL;
        for (const float f : p) h = (h ^ std::bit_cast<std::uint32_t>(f + 0.0F)) * 0x9E3779B97F4A7C15ULL;
        return static_cast<std::size_t>(h ^ (h >> 29));
    }
};
std::array<float, 3> pointKey(const Vec3d& p) {
    // + 0: zero of either sign is one place.
    return {static_cast<float>(p.x) + 0.0F, static_cast<float>(p.y) + 0.0F, static_cast<float>(p.z) + 0.0F};
}

/// Corners without a normal get the area-weighted mean of the faces at their place.
void smoothNormals(std::vector<Triangle>& triangles) {
    std::unordered_map<std::array<float, 3>, Vec3d, PointHash> sums;
    const auto faceNormal = [](const Triangle& t) {
        return glm::cross(t.corners[1].position - t.corners[0].position, t.corners[2].position - t.corners[0].position);
    };
    bool missing = false;
    for (const Triangle& t : triangles) {
        for (const Corner& c : t.corners) missing = missing || !(glm::length(c.normal) > 0.0);
    }
    if (missing) {
        for (const Triangle& t : triangles) {
            for (const Corner& c : t.corners)
                sums.try_emplace(pointKey(c.position), Vec3d(0.0)).first->second += faceNormal(t);
        }
    }
    for (Triangle& t : triangles) {
        for (Corner& c : t.corners) {
            if (!(glm::length(c.normal) > 0.0)) c.normal = sums.at(pointKey(c.position));
            const double length = glm::length(c.normal);
            c.normal = length > 1e-12 ? c.normal / length : glm::normalize(faceNormal(t));
        }
    }
}

// ------------------------------------------------------------------------------------------------------ tiles

/// Where a tile stands: cell and band of height.
struct TilePlace {
    std::int64_t z;
    std::int64_t x;
    std::int64_t band;

    auto operator<=>(const TilePlace&) const = default;
    Vec3d origin() const {
        return {static_cast<double>(x) + 0.5, kBand * static_cast<double>(band), static_cast<double>(z) + 0.5};
    }
};

/// What a tile will hold.
struct TileContent {
    std::vector<std::uint32_t> triangles;
    std::vector<BuiltPolygon> polygons;
    double lowest = 1e30;  ///< of the collision parts
};
using Contents = std::map<TilePlace, TileContent>;

class Placement {
public:
    Placement(const Map& map, const Scene& scene, const ImportOptions& options, ImportReport& report)
        : map_(map), scene_(scene), options_(options), report_(report) {}

    void addTriangle(const std::vector<Triangle>& triangles, std::uint32_t number, Contents& contents) {
        const Triangle& t = triangles[number];
        const Vec3d middle = (t.corners[0].position + t.corners[1].position + t.corners[2].position) / 3.0;
        const double outsideX = std::max({-middle.x, middle.x - map_.w, 0.0});
        const double outsideZ = std::max({-middle.z, middle.z - map_.h, 0.0});
        if (outsideX > kClampReach || outsideZ > kClampReach) {
            report_.outside += 1;
            if (options_.skipOutside) return;
            refuse(scene_, t.node, "grid",
                   "triangle at " + text(middle) + " lies outside of the grid of " + std::to_string(map_.w) + " x " +
                       std::to_string(map_.h) + " cells");
        }
        const auto cell = [](double v, std::uint32_t size) {
            return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(v)), 0, std::int64_t{size} - 1);
        };
        const TilePlace place{cell(middle.z, map_.h), cell(middle.x, map_.w),
                              static_cast<std::int64_t>(roundedAway(middle.y / kBand))};
        if (outsideX > 0.0 || outsideZ > 0.0) report_.clamped += 1;
        for (const Corner& c : t.corners) {
            const Vec3d d = c.position - place.origin();
            if (std::abs(d.x) <= kUsualReach && std::abs(d.z) <= kUsualReach) continue;
            report_.wide += 1;
            break;
        }
        contents[place].triangles.push_back(number);
    }

    /// A polygon of three or four corners goes into every cell and band that it covers.
    void addPolygon(const std::vector<Vec3d>& corners, const SourceFace& face, Contents& contents) {
        const Vec3d newell = newellNormal(corners);
        if (glm::dot(newell, newell) < 1e-18) return;
        const double slope = roundedAway(127.0 * glm::normalize(newell).y);
        const bool wall = slope == 0.0;
        if (options_.floorPoints > 0 && slope > 0.0 && face.collision.group.value_or(0) == 0 &&
            face.collision.material != kIgnoredMaterial) {
            floors_.push_back(corners);
        }
        const double margin = wall ? 1.0 / 64.0 : 0.0;
        Vec3d low = corners[0];
        Vec3d high = corners[0];
        for (const Vec3d& c : corners) {
            low = glm::min(low, c);
            high = glm::max(high, c);
        }
        const auto first = [margin](double v) {
            return static_cast<std::int64_t>(std::floor(std::max(v - margin, 0.0)));
        };
        const auto last = [margin](double v, std::uint32_t size) {
            return std::min<std::int64_t>(static_cast<std::int64_t>(std::floor(v + margin)), std::int64_t{size} - 1);
        };
        const auto at = [](std::int64_t cell) { return static_cast<double>(cell); };
        for (std::int64_t z = first(low.z); z <= last(high.z, map_.h); ++z) {
            const std::vector<Vec3d> row = slab(slab(corners, 2, at(z) - margin, 1.0), 2, at(z + 1) + margin, -1.0);
            if (row.size() < 3) continue;
            for (std::int64_t x = first(low.x); x <= last(high.x, map_.w); ++x) {
                const std::vector<Vec3d> part = slab(slab(row, 0, at(x) - margin, 1.0), 0, at(x + 1) + margin, -1.0);
                if (part.size() >= 3 && covers(part, wall)) addPart(corners, part, face, {z, x, 0}, contents);
            }
        }
    }

    /// Polygons that face up, when options ask for a check of floors.
    const std::vector<FloorSurface>& floors() const { return floors_; }

private:
    /// The part of a convex polygon where side * (p[axis] - at) >= 0.
    static std::vector<Vec3d> slab(const std::vector<Vec3d>& polygon, int axis, double at, double side) {
        std::vector<Vec3d> out;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const Vec3d& a = polygon[(i + polygon.size() - 1) % polygon.size()];
            const Vec3d& b = polygon[i];
            const double da = side * (a[axis] - at);
            const double db = side * (b[axis] - at);
            if ((da < 0) != (db < 0)) out.push_back(a + (b - a) * (da / (da - db)));
            if (db >= 0) out.push_back(b);
        }
        return out;
    }

    static bool covers(const std::vector<Vec3d>& part, bool wall) {
        const Vec3d n = newellNormal(part) / 2.0;
        return wall ? glm::length(n) > 1e-7 : std::abs(n.y) > 1e-6;
    }

    void addPart(const std::vector<Vec3d>& corners, const std::vector<Vec3d>& part, const SourceFace& face,
                 TilePlace place, Contents& contents) {
        double low = part[0].y;
        double high = part[0].y;
        for (const Vec3d& p : part) {
            low = std::min(low, p.y);
            high = std::max(high, p.y);
        }
        const auto lastBand = static_cast<std::int64_t>(std::floor((high + kBand / 2) / kBand));
        for (place.band = static_cast<std::int64_t>(std::floor((low + kBand / 2) / kBand)); place.band <= lastBand;
             ++place.band) {
            std::vector<Vec3d> reference = part;
            if (high - low > kBand) {
                const double base = kBand * static_cast<double>(place.band);
                reference = slab(slab(part, 1, base - kBand / 2, 1.0), 1, base + kBand / 2, -1.0);
                if (reference.empty()) continue;
            }
            addRecord(corners, reference, face, place, contents);
        }
    }

    void addRecord(const std::vector<Vec3d>& corners, std::vector<Vec3d> reference, const SourceFace& face,
                   const TilePlace& place, Contents& contents) {
        const Vec3d origin = place.origin();
        std::vector<Vec3d> local = corners;
        for (Vec3d& c : local) c -= origin;
        for (Vec3d& c : reference) c -= origin;
        PolygonSource source;
        source.corners = local;
        source.reference = reference;
        source.material = face.collision.material;
        source.typeBits = face.collision.bits;
        source.group = face.collision.group;
        const BuiltPolygon built = buildPolygon(source);
        if (built.outcome == BuildOutcome::TooFar) {
            refuse(scene_, face.node, "limit",
                   "collision polygon at " + text(corners[0]) + " passes its tile too far away");
        }
        if (built.outcome != BuildOutcome::Built) return;
        TileContent& content = contents[place];
        content.polygons.push_back(built);
        for (const Vec3d& c : reference) content.lowest = std::min(content.lowest, c.y);
        report_.polygons += 1;
    }

    const Map& map_;
    const Scene& scene_;
    const ImportOptions& options_;
    ImportReport& report_;
    std::vector<FloorSurface> floors_;
};

/// The model of a tile under construction, with the colours of its vertices.
struct Draft {
    Model model;
    std::vector<VertexColour> colours;
    std::vector<BuiltPolygon> polygons;
};

class DraftBuilder {
public:
    DraftBuilder(const std::vector<Triangle>& triangles, const Vec3d& origin)
        : triangles_(triangles), origin_(origin) {}

    /// In face order, a new draft whenever one is full.
    std::vector<Draft> build(const TileContent& content) {
        for (const std::uint32_t t : content.triangles) {
            if (drafts_.empty() || drafts_.back().model.faces.size() >= kMostFaces ||
                drafts_.back().model.vertices.size() + 3 > kMostVertices) {
                drafts_.emplace_back();
                welded_.clear();
            }
            addFace(triangles_[t]);
        }
        std::array<std::size_t, 3> counts{};
        std::size_t into = 0;
        for (const BuiltPolygon& p : content.polygons) {
            if (counts[p.group] == UINT16_MAX) {
                counts = {};
                into += 1;
            }
            counts[p.group] += 1;
            while (drafts_.size() <= into) drafts_.push_back(bare(content.lowest));
            drafts_[into].polygons.push_back(p);
        }
        return std::move(drafts_);
    }

private:
    using VertexKey = std::array<float, 6>;
    struct KeyHash {
        std::size_t operator()(const std::pair<VertexKey, std::array<std::uint8_t, 3>>& key) const {
            const auto& [v, c] = key;
            const PointHash hash;
            return hash({v[0], v[1], v[2]}) ^ (hash({v[3], v[4], v[5]}) * 31) ^
                   (std::size_t{c[0]} | (std::size_t{c[1]} << 8) | (std::size_t{c[2]} << 16));
        }
    };

    std::uint16_t vertex(const Corner& c) {
        Draft& draft = drafts_.back();
        // Local export space.
        const Vec3d p = c.position - origin_;
        const Vertex v{Vec3(Vec3d(p.x, p.y, -p.z)), Vec3(Vec3d(c.normal.x, c.normal.y, -c.normal.z))};
        const VertexKey key{v.position.x + 0.0F, v.position.y + 0.0F, v.position.z + 0.0F,
                            v.normal.x + 0.0F,   v.normal.y + 0.0F,   v.normal.z + 0.0F};
        const auto [entry, isNew] =
            welded_.try_emplace({key, c.colour}, static_cast<std::uint16_t>(draft.model.vertices.size()));
        if (isNew) {
            draft.model.vertices.push_back(v);
            draft.colours.push_back({c.colour[0], c.colour[1], c.colour[2], 0});
        }
        return entry->second;
    }

    void addFace(const Triangle& t) {
        Face f;
        f.flags = static_cast<std::uint16_t>(t.uv.flags | t.texture.bits);
        f.texture = static_cast<std::uint16_t>(t.texture.texture);
        // File order 0 1 2 is stored order 0 2 1, turned to where the flags want it.
        const std::array<std::size_t, 3> stored{0, 2, 1};
        for (std::size_t k = 0; k < 3; ++k) f.vertices[k] = vertex(t.corners[stored[(k + t.uv.rotation) % 3]]);
        drafts_.back().model.faces.push_back(f);
    }

    /// Collision alone: four vertices, so that box and colours are as usual.
    static Draft bare(double lowest) {
        Draft draft;
        for (const auto& [x, z] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
            draft.model.vertices.push_back({Vec3(Vec3d(x, lowest, z)), Vec3(0.0F, 1.0F, 0.0F)});
            draft.colours.push_back({0x80, 0x80, 0x80, 0});
        }
        return draft;
    }

    const std::vector<Triangle>& triangles_;
    Vec3d origin_;
    std::vector<Draft> drafts_;
    std::unordered_map<std::pair<VertexKey, std::array<std::uint8_t, 3>>, std::uint16_t, KeyHash> welded_;
};

/// Appends tiles and models; models with the same bytes are one.
class TileWriter {
public:
    TileWriter(Level& level, ImportReport& report) : level_(level), report_(report) {}

    void add(const TilePlace& place, Draft draft) {
        finishModel(draft.model, std::move(draft.polygons), level_.text->textures);
        report_.faces += draft.model.faces.size();
        report_.vertices += draft.model.vertices.size();
        Tile tile;
        const Vec3d at = place.origin();
        tile.position = Vec3(Vec3d(at.x, at.y, -at.z));
        tile.x = static_cast<std::int32_t>(at.x * 4096.0);
        tile.y = static_cast<std::int32_t>(at.y * 4096.0);
        tile.z = static_cast<std::int32_t>(at.z * 4096.0);
        tile.colours.colours = std::move(draft.colours);
        tile.model = tile.modelA = modelNumber(std::move(draft.model));
        level_.map->tiles.push_back(std::move(tile));
        report_.tiles += 1;
    }

private:
    std::uint32_t modelNumber(Model model) {
        ByteWriter bytes;
        writeModelHeader(bytes, model, ModelKind::Trak);
        writeModelData(bytes, model);
        const auto number = static_cast<std::uint32_t>(level_.trak->models.size());
        const auto [entry, isNew] = known_.try_emplace(std::string(asText(bytes.view())), number);
        if (isNew) {
            level_.trak->models.push_back(std::move(model));
            report_.models += 1;
        }
        return entry->second;
    }

    Level& level_;
    ImportReport& report_;
    std::unordered_map<std::string, std::uint32_t> known_;
};

/// Polygons for standing on: quads where a record can hold them.
void placeCollision(const std::vector<SourceFace>& faces, const Triangulation& triangulation, Placement& placement,
                    Contents& contents) {
    for (const SourceFace& f : faces) {
        const std::vector<Vec3d> p = positionsOf(f);
        if (p.size() == 3 || isPlanarConvex(p)) {
            if (p.size() == 4 || hasArea(p[0], p[1], p[2])) placement.addPolygon(p, f, contents);
            continue;
        }
        const std::size_t d = triangulation.diagonal(f);
        for (const std::vector<Vec3d>& half :
             {std::vector<Vec3d>{p[d], p[d + 1], p[d + 2]}, std::vector<Vec3d>{p[d], p[d + 2], p[(d + 3) % 4]}}) {
            if (hasArea(half[0], half[1], half[2])) placement.addPolygon(half, f, contents);
        }
    }
}

void clearTiles(Level& level) {
    level.trak->models.clear();
    level.trak->rest.clear();
    level.map->tiles.clear();
    if (level.map->swaps) level.map->swaps->clear();
}

void refuseTilesOutside(const Map& map) {
    for (std::size_t i = 0; i < map.tiles.size(); ++i) {
        if (!inGrid(map, cellOf(map.tiles[i]))) {
            throw GeometryError("", "grid", "tile " + std::to_string(i) + " of the level lies outside of its grid");
        }
    }
}

void say(const ImportReport& report, Defects& defects) {
    const auto warn = [&defects](std::string_view kind, std::size_t count, std::string_view nouns,
                                 std::string_view rest) {
        if (count > 0) defects.warn(kind, std::nullopt, {}, counted(count, nouns) + std::string(rest));
    };
    warn("degenerate", report.degenerate, "triangles", " without area dropped");
    warn("grid", report.outside, "triangles", " outside of the grid dropped");
    warn("clamped", report.clamped, "triangles", " beside the grid put into its outermost cells");
    warn("uv", report.uvMisfits, "faces",
         " whose UVs are no half of their texture's rectangle, shown as near as can be");
    warn("wide", report.wide, "triangles", " reaching more than 2.5 units from their tile, gone with its cell");
    warn("needle", report.needles.size(), "floor polygons", " holding up feet beside a sharp corner");
}

/// The node's own name, or with Blender's ordinal behind it.
bool isNamed(const Node& node, std::string_view name) {
    return node.name == name ||
           (node.name.starts_with(name) && node.name.size() > name.size() + 1 && node.name[name.size()] == '.' &&
            node.name.find_first_not_of("0123456789", name.size() + 1) == std::string::npos);
}

/// Where the export puts an object in its row.
double placeInRow(const Level& level, std::string_view name, Defects& defects) {
    SceneOptions options;
    options.content = ContentSet{Content::Objects};
    for (const Node& n : toScene(level, "", options, defects).nodes) {
        if (n.name == name) return double{n.translation.x};
    }
    return 0.0;
}

}  // namespace

UvChoice chooseUvFlags(const std::array<Vec2d, 3>& uvs, const Vec4& r) {
    constexpr std::array<std::uint16_t, 6> kClasses{0x0800, 0x0810, 0x0820, 0x0830, 0x0000, 0x0020};
    UvChoice best;
    best.distance = std::numeric_limits<double>::infinity();
    for (std::size_t rotation = 0; rotation < 3; ++rotation) {
        for (const std::uint16_t flags : kClasses) {
            const auto corners = uvCorners(flags);
            double worst = 0.0;
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec2d& uv = uvs[(k + rotation) % 3];
                const double u = (corners[k] & 1) != 0 ? double{r.z} : double{r.x};
                const double v = (corners[k] & 2) != 0 ? double{r.w} : double{r.y};
                worst = std::max({worst, 256.0 * std::abs(uv.x - u), 256.0 * std::abs(uv.y - v)});
            }
            if (worst < best.distance) best = {rotation, flags, worst};
        }
    }
    return best;
}

ImportReport importMesh(Level& level, const Scene& mesh, const Scene* collisionMesh, const ImportOptions& options,
                        Defects& defects) {
    requireTrak(level);
    requireMap(level);
    if (!level.text) level.text.emplace();
    ImportReport report;
    refuseTilesOutside(*level.map);
    const std::size_t textures = level.text->textures.size();
    bool ownCollision = false;
    for (std::uint32_t i = 0; i < mesh.nodes.size() && collisionMesh == nullptr; ++i) {
        ownCollision = ownCollision || (mesh.nodes[i].mesh && isCollisionNode(mesh, i));
    }
    FaceCollector collector(mesh, options, textures);
    const std::vector<SourceFace> drawn = collector.collect(ownCollision ? std::optional(false) : std::nullopt);
    Triangulation triangulation(level, options, report);
    triangulation.decideUvReading(drawn);
    std::vector<Triangle> triangles;
    for (const SourceFace& f : drawn) triangulation.add(f, triangles);
    smoothNormals(triangles);

    Contents contents;
    std::vector<FloorSurface> floors;
    Placement placement(*level.map, mesh, options, report);
    for (std::uint32_t i = 0; i < triangles.size(); ++i) placement.addTriangle(triangles, i, contents);
    if (options.collision && collisionMesh != nullptr) {
        // Materials of a collision mesh are no textures.
        ImportOptions plain = options;
        plain.defaultTexture = 0;
        const std::vector<SourceFace> faces =
            FaceCollector(*collisionMesh, plain, std::numeric_limits<std::size_t>::max()).collect(std::nullopt);
        Placement there(*level.map, *collisionMesh, options, report);
        ImportReport ignored;
        Level flat;
        flat.text.emplace();
        flat.text->textures.resize(1);
        flat.text->textures[0].flags = Texture::kFlat;
        std::vector<SourceFace> untextured = faces;
        for (SourceFace& f : untextured) f.texture = {};
        placeCollision(untextured, Triangulation(flat, options, ignored), there, contents);
        floors = there.floors();
    } else if (options.collision) {
        placeCollision(ownCollision ? collector.collect(true) : drawn, triangulation, placement, contents);
        floors = placement.floors();
    }

    if (contents.empty()) {
        if (options.keepTiles) return report;
        throw GeometryError("", "empty", "the mesh has no triangle that could be placed");
    }
    const std::size_t firstTile = options.keepTiles ? level.map->tiles.size() : 0;
    if (!options.keepTiles) clearTiles(level);
    TileWriter writer(level, report);
    for (const auto& [place, content] : contents) {
        for (Draft& draft : DraftBuilder(triangles, place.origin()).build(content)) writer.add(place, std::move(draft));
    }
    if (options.flatZones.value_or(!options.keepTiles)) {
        std::fill(level.map->zoneGrid.begin(), level.map->zoneGrid.end(), 0U);
        level.map->zones[0].mask = 0xFFFFFFFF;
    }
    for (const Needle& n : needles(level, defects)) {
        if (n.tile >= firstTile) report.needles.push_back(n);
    }
    if (options.floorPoints > 0) report.floors = checkFloors(level, floors, options.floorPoints);
    say(report, defects);
    return report;
}

ImportReport importObject(Level& level, const Scene& mesh, std::size_t number, const ImportOptions& options,
                          Defects& defects) {
    if (!level.stpc) throw FormatError({Severity::Error, "missing-chunk", std::nullopt, {}, "no STPC chunk"});
    if (number >= level.stpc->objects.size()) {
        throw GeometryError("", "index",
                            "object " + std::to_string(number) + " of " + std::to_string(level.stpc->objects.size()));
    }
    Model& old = level.stpc->objects[number];
    if (!old.bones.empty()) {
        throw GeometryError(
            "", "skinned",
            "object " + std::to_string(number) + " is moved by bones, and only rigid ones can be replaced");
    }
    if (!level.text) level.text.emplace();
    ImportReport report;
    const std::string name = numbered("object_", number, 3);
    const bool named =
        std::any_of(mesh.nodes.begin(), mesh.nodes.end(), [&](const Node& n) { return isNamed(n, name); });
    FaceCollector collector(mesh, options, level.text->textures.size());
    std::vector<SourceFace> faces = collector.collect(std::nullopt);
    if (named) {
        std::erase_if(faces, [&](const SourceFace& f) { return !isNamed(mesh.nodes[f.node], name); });
        const double place = placeInRow(level, name, defects);
        for (SourceFace& f : faces) {
            for (Corner& c : f.corners) c.position.x -= place;
        }
    }
    Triangulation triangulation(level, options, report);
    triangulation.decideUvReading(faces);
    std::vector<Triangle> triangles;
    for (const SourceFace& f : faces) triangulation.add(f, triangles);
    smoothNormals(triangles);
    // The engine has colours for tiles only.
    TileContent content;
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
        for (Corner& c : triangles[i].corners) c.colour = Corner().colour;
        content.triangles.push_back(i);
    }
    std::vector<Draft> drafts = DraftBuilder(triangles, Vec3d(0.0)).build(content);
    if (drafts.empty()) throw GeometryError("", "empty", "the mesh has no triangle for the object");
    if (drafts.size() > 1) {
        throw GeometryError("", "limit",
                            "the object has more than " + std::to_string(kMostVertices) + " vertices or " +
                                std::to_string(kMostFaces) + " faces");
    }
    Model made = std::move(drafts[0].model);
    // Collision and what is not known stay.
    std::vector<BuiltPolygon> polygons;
    for (std::size_t i = 0; i < old.polygons.size(); ++i) {
        polygons.push_back({BuildOutcome::Built, old.polygons[i], static_cast<std::uint8_t>(old.groupOf(i))});
    }
    finishModel(made, std::move(polygons), level.text->textures);
    made.nStatic = static_cast<std::uint16_t>(made.vertices.size());
    made.unknown70 = old.unknown70;
    made.unknown74 = old.unknown74;
    made.unknown7e = old.unknown7e;
    made.unknown80 = old.unknown80;
    made.unknown88 = old.unknown88;
    old = std::move(made);
    report.models = 1;
    report.faces = old.faces.size();
    report.vertices = old.vertices.size();
    report.polygons = old.polygons.size();
    say(report, defects);
    return report;
}

}  // namespace geomconv::groove
