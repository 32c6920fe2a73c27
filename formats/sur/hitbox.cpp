#include "formats/sur/hitbox.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "formats/sur/names.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/geometry/convex_hull.hpp"
#include "lib/geometry/decompose.hpp"
#include "lib/geometry/topology.hpp"
#include "lib/losses.hpp"
#include "lib/scene/transform.hpp"

namespace geomconv::sur {

namespace {

using SceneNode = geomconv::Node;
using SceneHull = geomconv::Hull;

constexpr std::size_t kManyFaces = 300;
constexpr std::size_t kManyPoints = 40;
constexpr double kTinySize = 0.01;
/// Of the diagonal: how far a point of a hull that is taken as it is may stand out over a face. Decimals of text
/// formats are far below, dents that a shot could notice above.
constexpr double kConvexTolerance = 1e-4;

std::string numberText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

// ------------------------------------------------------------------------------------------------ making one hull

double diagonalOf(std::span<const Vec3> points) {
    const auto extent = geomconv::extentOf(points);
    return extent ? glm::length(Vec3d(extent->maximum) - Vec3d(extent->minimum)) : 0.0;
}

/// Farthest that a point stands out over a face, and which face.
struct Bulge {
    double height = 0.0;
    std::size_t face = 0;
};
Bulge bulgeOf(const HullGeometry& hull) {
    Bulge out;
    for (std::size_t f = 0; f < hull.triangles.size(); ++f) {
        const Triangle& t = hull.triangles[f];
        const Vec3d a(hull.points[t[0]]);
        const Vec3d n = glm::cross(Vec3d(hull.points[t[1]]) - a, Vec3d(hull.points[t[2]]) - a);
        const double length = glm::length(n);
        if (!(length > 0.0)) continue;
        for (const Vec3& p : hull.points) {
            const double height = glm::dot(Vec3d(p) - a, n) / length;
            if (height > out.height) out = {height, f};
        }
    }
    return out;
}

double toleranceOf(const HullGeometry& hull, const std::optional<double>& epsilon) {
    return std::max(epsilon.value_or(0.0), kConvexTolerance * diagonalOf(hull.points));
}

/// Whether the triangles can be taken as they are: closed, in one piece, outward, convex within the tolerance. A flat
/// hull has two sides and no outward.
bool isSoundHull(const HullGeometry& hull, const std::optional<double>& epsilon) {
    if (hull.triangles.empty() || hull.triangles.size() > kMaxFaces) return false;
    const SurfaceTopology topology = topologyOf(hull.points, hull.triangles);
    if (!topology.closed() || !topology.oriented() || topology.components != 1 || topology.euler() != 2) return false;
    if (topology.degenerate > 0 || topology.vertices != hull.points.size()) return false;
    const bool hasOutside =
        topology.signedVolume > 0.0 || convexHull(hull.points, {.epsilon = epsilon}).shape == HullShape::Flat;
    if (hull.triangles.size() > 2 && !hasOutside) return false;
    return bulgeOf(hull).height <= toleranceOf(hull, epsilon);
}

void requireReachable(const HullGeometry& hull) {
    for (std::size_t i = 0; i < hull.points.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
            const float x = hull.points[i][k];
            if (!std::isfinite(x))
                throw GeometryError(hull.name, "nonfinite", "point " + std::to_string(i) + " is no finite position");
            if (std::fabs(x) > kMostCoordinate) {
                throw GeometryError(hull.name, "coordinate-range",
                                    "point " + std::to_string(i) + " has a coordinate of " +
                                        numberText(static_cast<double>(x)) + ", the limit is 1000000");
            }
        }
    }
}

std::vector<Vec3> distinctPoints(const std::vector<Vec3>& points) {
    const std::vector<std::uint32_t> first = weldPoints(points);
    std::vector<Vec3> out;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (first[i] == i) out.push_back(points[i] + Vec3(0.0F));
    }
    return out;
}

SurfaceTopology weldedTopology(const HullGeometry& object) {
    const std::vector<std::uint32_t> first = weldPoints(object.points);
    std::vector<Triangle> triangles = object.triangles;
    for (Triangle& t : triangles) {
        for (std::uint32_t& corner : t) corner = first[corner];
    }
    return topologyOf(object.points, triangles);
}

/// Makes the hulls of objects, with the limits and warnings of the options.
class HullMaker {
public:
    HullMaker(const HitboxOptions& options, Losses& warnings) : options_(options), warnings_(warnings) {
        maxPoints_ = options.maxPoints.value_or(std::numeric_limits<std::uint32_t>::max());
        if (options.forLibrary) maxPoints_ = std::min(maxPoints_, static_cast<std::uint32_t>(kMostHullPoints));
    }

    /// One hull, or several when a solid is split.
    std::vector<HullGeometry> make(HullGeometry object) {
        if (options_.keepAsIs && options_.keepAsIs(object)) return {std::move(object)};
        if (options_.forLibrary) requireReachable(object);
        std::vector<HullGeometry> out;
        switch (options_.mode) {
            case HitboxMode::Hull:
                out.push_back(convex(std::move(object)));
                break;
            case HitboxMode::Exact:
                out.push_back(exact(std::move(object)));
                break;
            case HitboxMode::Box:
                out.push_back(box(object));
                break;
            case HitboxMode::Decompose:
                out = decomposed(object);
                break;
        }
        for (const HullGeometry& hull : out) warn(hull);
        return out;
    }

    std::vector<HullGeometry> decomposed(const HullGeometry& object) {
        DecomposeOptions options;
        options.maxHulls = options_.maxHulls;
        options.epsilon = options_.epsilon;
        const Decomposition made = decompose(object.points, object.triangles, options);
        if (!made.solid) {
            const SurfaceTopology topology = weldedTopology(object);
            throw GeometryError(object.name, "open-edge",
                                "only a closed mesh that faces outward can be split; " +
                                    std::to_string(topology.openEdges) + " edges are open, " +
                                    std::to_string(topology.turnedEdges) + " turned, the volume is " +
                                    numberText(made.volume));
        }
        std::vector<HullGeometry> out;
        for (const ConvexPiece& piece : made.hulls) {
            HullGeometry hull{object.id, object.name, piece.points, piece.triangles};
            if (piece.points.size() > maxPoints_) hull = convex({object.id, object.name, piece.points, {}});
            out.push_back(std::move(hull));
        }
        return out;
    }

    /// The convex hull, or the flat hull of three points.
    HullGeometry convex(HullGeometry object) {
        const std::vector<Vec3> points = distinctPoints(object.points);
        if (points.size() < 3) {
            throw GeometryError(object.name, "too-few-points",
                                std::to_string(points.size()) + " distinct points, a hull needs 4 (3 make a flat one)");
        }
        if (points.size() == 3) return flat(object, points);
        const ConvexHull hull = convexHull(points, {.epsilon = options_.epsilon, .maxPoints = maxPoints_});
        if (hull.shape == HullShape::Flat && keepsItsTriangles(object, points.size())) return object;
        refuseFlat(object, points, hull);
        if (hull.simplified) {
            warnings_.add("simplified", {"object", object.name},
                          "its hull is reduced to " + counted(maxPoints_, "points") +
                              "; the rest stands out by up to " + numberText(hull.outside) + " units");
        }
        const bool sameFaces = object.triangles.size() == hull.triangles.size();
        if (!hull.simplified && sameFaces && keepsItsTriangles(object, hull.indices.size())) return object;
        HullGeometry out{object.id, object.name, {}, hull.triangles};
        for (const std::uint32_t i : hull.indices) out.points.push_back(points[i]);
        return out;
    }

private:
    HullGeometry flat(const HullGeometry& object, const std::vector<Vec3>& p) const {
        const Vec3d n = glm::cross(Vec3d(p[1]) - Vec3d(p[0]), Vec3d(p[2]) - Vec3d(p[0]));
        if (!(glm::dot(n, n) >= 1e-12)) {
            throw GeometryError(
                object.name, "coplanar",
                "three points in one line; squared normal " + numberText(glm::dot(n, n)) + ", the limit is 1e-12");
        }
        return {object.id, object.name, p, {{0, 1, 2}, {0, 2, 1}}};
    }

    void refuseFlat(const HullGeometry& object, const std::vector<Vec3>& points, const ConvexHull& hull) const {
        const std::string count = std::to_string(points.size()) + " points ";
        const std::string limit =
            "; a hull must be thicker than " + numberText(hull.epsilon) + " units, --exclude leaves it out";
        switch (hull.shape) {
            case HullShape::Solid:
                return;
            case HullShape::NotFinite:
                throw GeometryError(object.name, "nonfinite", count + "of which one is no finite position");
            case HullShape::Flat:
                throw GeometryError(object.name, "coplanar", count + "on one plane" + limit);
            case HullShape::Line:
                throw GeometryError(object.name, "coplanar", count + "on one line" + limit);
            default:
                throw GeometryError(object.name, "coplanar", count + "in one spot" + limit);
        }
    }

    /// An object that already is a hull, flat ones included, keeps its triangles and the order of its points: what was
    /// read out of a library goes back unchanged. points: how many the hull of its points has.
    bool keepsItsTriangles(HullGeometry& object, std::size_t points) const {
        try {
            HullGeometry tidy = tidyHull(object);
            if (tidy.points.size() != points || !isSoundHull(tidy, options_.epsilon)) return false;
            object = std::move(tidy);
            return true;
        } catch (const GeometryError&) {
            return false;
        }
    }

    HullGeometry exact(HullGeometry object) {
        if (object.triangles.empty()) {
            throw GeometryError(object.name, "open-edge", "it has points but no triangles; only mode hull can take it");
        }
        HullGeometry out = tidyHull(object);
        if (out.triangles.size() > 2 && !(topologyOf(out.points, out.triangles).signedVolume >= 0.0)) {
            for (Triangle& t : out.triangles) std::swap(t[1], t[2]);
            warnings_.add("inside-out", {"object", object.name}, "its triangles face inward; they were turned");
        }
        createFaces(out);  // for its refusals
        const Bulge bulge = bulgeOf(out);
        const double tolerance = toleranceOf(out, options_.epsilon);
        if (bulge.height > tolerance) {
            throw GeometryError(object.name, "not-convex",
                                "a point stands out over face " + std::to_string(bulge.face) + " by " +
                                    numberText(bulge.height) + " units, the limit is " + numberText(tolerance));
        }
        return out;
    }

    HullGeometry box(const HullGeometry& object) const {
        const auto extent = geomconv::extentOf(object.points);
        if (!extent) throw GeometryError(object.name, "too-few-points", "no points, a box needs some");
        return boxHull(object.id, object.name, *extent);
    }

public:
    static HullGeometry boxHull(std::uint32_t id, const std::string& name, const Extent& extent) {
        for (int k = 0; k < 3; ++k) {
            if (extent.minimum[k] < extent.maximum[k]) continue;
            throw GeometryError(name, "coplanar",
                                std::string("the box has no size along ") + "xyz"[k] + ", it must have one");
        }
        const auto corners = boxCorners(extent);
        return {id, name, {corners.begin(), corners.end()}, {kBoxTriangles.begin(), kBoxTriangles.end()}};
    }

private:
    void warn(const HullGeometry& hull) {
        if (!options_.forLibrary) return;
        if (hull.triangles.size() > kManyFaces) {
            warnings_.add("many-faces", {"object", hull.name},
                          counted(hull.triangles.size(), "faces") + "; the game is said to have trouble above 300");
        } else if (hull.points.size() > kManyPoints) {
            warnings_.add("many-points", {"object", hull.name},
                          counted(hull.points.size(), "points") + "; 30 to 40 a hull are advised");
        }
        const double size = diagonalOf(hull.points);
        if (size < kTinySize) {
            warnings_.add("tiny-hull", {"object", hull.name},
                          "it measures " + numberText(size) + " units; below a centimetre shots hardly find it");
        }
    }

    const HitboxOptions& options_;
    Losses& warnings_;
    std::uint32_t maxPoints_;
};

// --------------------------------------------------------------------------------------------- objects and addresses

std::string_view bareName(std::string_view name) {
    std::string_view out = withoutOrdinal(name);
    constexpr std::string_view kGodot = "-convcolonly";
    if (out.size() > kGodot.size() && out.ends_with(kGodot)) out.remove_suffix(kGodot.size());
    return withoutOrdinal(out);
}

bool isLiteralId(std::string_view name) {
    return name == "0" || (name.starts_with("0x") || name.starts_with("0X"));
}

std::uint32_t idOf(const std::string& object, std::string_view name) {
    const auto id = idFromName(bareName(name));
    if (!id)
        throw GeometryError(object, "name",
                            "'" + std::string(name) + "' has characters that are not in windows-1252, so it has no id");
    return *id;
}

/// Something with points that becomes one hull.
struct Object {
    std::string name;                     ///< whole, for messages
    std::string partName;                 ///< before a slash; empty without one
    std::string hullName;                 ///< the rest
    std::optional<std::uint32_t> hullId;  ///< a scene hull's own
    std::uint32_t node = 0;
    bool below = false;     ///< a hull of the node, not the node itself
    HullGeometry geometry;  ///< node space
};

void appendMesh(const Mesh& mesh, HullGeometry& out) {
    for (const Primitive& primitive : mesh.primitives) {
        const auto base = static_cast<std::uint32_t>(out.points.size());
        out.points.insert(out.points.end(), primitive.positions.begin(), primitive.positions.end());
        if (primitive.topology != geomconv::Topology::Triangles) continue;
        for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3) {
            out.triangles.push_back(
                {base + primitive.indices[i], base + primitive.indices[i + 1], base + primitive.indices[i + 2]});
        }
    }
}

Object objectNamed(const std::string& name, std::uint32_t node) {
    Object out;
    out.name = name.empty() ? "node " + std::to_string(node) : name;
    out.node = node;
    const std::size_t slash = name.find('/');
    if (slash != std::string::npos) out.partName = name.substr(0, slash);
    out.hullName = slash == std::string::npos ? name : name.substr(slash + 1);
    return out;
}

/// A hull that a writer of ours gave a node of its own below its part's node, and that was not moved there.
bool isHullNode(const SceneNode& node) {
    return node.content == Content::Collision && node.parent && !node.matrix && node.translation == Vec3(0.0F) &&
           node.rotation == quat(0.0F, 0.0F, 0.0F, 1.0F) && node.scale == Vec3(1.0F);
}

std::vector<Object> objectsOf(const Scene& scene, Losses& warnings) {
    std::vector<Object> out;
    for (std::uint32_t n = 0; n < scene.nodes.size(); ++n) {
        const SceneNode& node = scene.nodes[n];
        if (node.content != Content::Render && node.content != Content::Collision) continue;
        for (const std::uint32_t h : node.hulls) {
            const SceneHull& hull = scene.hulls[h];
            if (hull.type != HullType::Terminal) continue;
            Object object = objectNamed(hull.name, n);
            if (hull.name.empty()) object.name = node.name;
            object.below = true;
            object.hullId = hull.id;
            object.geometry.points = hull.points;
            object.geometry.triangles = hull.triangles;
            out.push_back(std::move(object));
        }
        if (!node.mesh || !node.hulls.empty()) continue;
        // Its name may be that of a part, whose hull it is a copy of: the part above counts.
        const bool isHull = isHullNode(node);
        Object object =
            objectNamed(node.name.empty() ? scene.meshes[*node.mesh].name : node.name, isHull ? *node.parent : n);
        object.below = isHull;
        appendMesh(scene.meshes[*node.mesh], object.geometry);
        if (object.geometry.points.empty()) {
            warnings.add("empty-object", {"object", object.name}, "it has no points and gives no hull");
            continue;
        }
        out.push_back(std::move(object));
    }
    return out;
}

void transform(HullGeometry& geometry, const Mat4d& m) {
    if (m == Mat4d(1.0)) return;
    for (Vec3& p : geometry.points) p = Vec3(Vec3d(m * glm::dvec4(Vec3d(p), 1.0)));
    if (!mirrors(m)) return;
    for (Triangle& t : geometry.triangles) std::swap(t[1], t[2]);
}

Mat4d scaling(const HitboxOptions& options) {
    const double s = options.forLibrary ? options.scale : 1.0;
    return Mat4d(glm::dvec4(s, 0, 0, 0), glm::dvec4(0, s, 0, 0), glm::dvec4(0, 0, s, 0), glm::dvec4(0, 0, 0, 1));
}

/// Where the parts of a model lie in its rest pose.
std::vector<Mat4d> modelPlacements(const ModelParts& model) {
    std::vector<Mat4d> out;
    for (std::size_t i = 0; i < model.parts.size(); ++i) {
        Mat4d m(1.0);
        std::size_t steps = 0;
        for (std::optional<std::uint32_t> at = static_cast<std::uint32_t>(i); at && steps <= model.parts.size();
             ++steps) {
            m = Mat4d(model.parts[*at].local) * m;
            at = model.parts[*at].parent;
        }
        out.push_back(m);
    }
    return out;
}

// ----------------------------------------------------------------------------------------------------- the planner

class Planner {
public:
    Planner(const Scene& scene, const HitboxOptions& options, Defects& defects)
        : scene_(scene),
          options_(options),
          defects_(defects),
          maker_(options, warnings_),
          worlds_(worldMatrices(scene)),
          up_(toYUp(scene.space)),
          scale_(scaling(options)),
          model_(options.model && !options.model->parts.empty() ? options.model.get() : nullptr) {
        if (model_ != nullptr) placements_ = modelPlacements(*model_);
        for (const std::string& name : options.hardpoints) hardpointIds_.insert(idOf(name, name));
    }

    std::vector<HitboxPart> run() {
        std::vector<Object> objects = objectsOf(scene_, warnings_);
        if (objects.empty() && options_.boxes.empty()) {
            throw GeometryError(scene_.source.file.empty() ? "the scene" : scene_.source.file, "no-objects",
                                "it has no object with points");
        }
        for (const Object& object : objects) noteCarrier(object);
        if (model_ != nullptr) noteModelCarriers();
        for (Object& object : objects) place(std::move(object));
        for (const GivenBox& box : options_.boxes) place(box);
        if (model_ != nullptr) {
            std::stable_sort(parts_.begin(), parts_.end(),
                             [](const Planned& a, const Planned& b) { return a.modelPart < b.modelPart; });
            if (options_.fold && options_.forLibrary) fold();
        }
        for (Planned& part : parts_) listHardpoints(part);
        warnUnusedHardpoints();
        warnings_.report(defects_);
        std::vector<HitboxPart> out;
        for (Planned& part : parts_) out.push_back(std::move(part.part));
        return out;
    }

private:
    struct Planned {
        HitboxPart part;
        std::size_t modelPart = 0;
    };

    /// Where an object belongs.
    struct Home {
        std::string name;  ///< of the part
        std::uint32_t id = 0;
        std::optional<std::uint32_t> node;  ///< the part's frame
        std::size_t modelPart = 0;
        bool isPart = false;     ///< the object itself is the part
        bool addressed = false;  ///< its own name is a hull's name by all rules
    };

    /// The node that holds an object: its node for a hull, the node above for a mesh.
    std::optional<std::uint32_t> holder(const Object& object) const {
        return object.below ? std::optional(object.node) : scene_.nodes[object.node].parent;
    }

    void noteCarrier(const Object& object) {
        const auto above = holder(object);
        if (above) carriers_.insert(*above);
    }

    /// The model's parts that have a node with hulls below it.
    void noteModelCarriers() {
        for (const std::uint32_t node : carriers_) {
            if (const auto part = modelPartCalled(scene_.nodes[node].name)) carriedParts_.insert(*part);
        }
    }

    /// The part that an object is itself. A mesh without anything below it that has the name of a part with hulls of
    /// its own is a hull of the part above: the copy that a fixed ancestor carries, by its name alone.
    std::optional<std::size_t> ownPart(const Object& object) const {
        const auto part = modelPartCalled(object.hullName);
        if (object.below || !part) return std::nullopt;
        const auto above = scene_.nodes[object.node].parent;
        const bool isCopy = carriedParts_.contains(*part) && !carriers_.contains(object.node) && above &&
                            modelPartCalled(scene_.nodes[*above].name).has_value();
        return isCopy ? std::nullopt : part;
    }

    Home homeOf(const Object& object) const {
        if (options_.part)
            return {*options_.part, idOf(object.name, *options_.part), {}, 0, false, !object.partName.empty()};
        if (model_ != nullptr) return modelHome(object);
        if (!object.partName.empty()) return {object.partName, idOf(object.name, object.partName), {}, 0, false, true};
        const auto above = holder(object);
        if (options_.compound) {
            std::uint32_t top = object.node;
            for (auto parent = scene_.nodes[top].parent; parent; parent = scene_.nodes[top].parent) top = *parent;
            const bool isPart = top == object.node && !object.below;
            return {nameOfNode(top, object), idOf(object.name, nameOfNode(top, object)), top, 0, isPart, !isPart};
        }
        if (above)
            return {scene_.nodes[*above].name, idOf(object.name, scene_.nodes[*above].name), above, 0, false, true};
        if (carriers_.contains(object.node))
            return {object.hullName, idOf(object.name, object.hullName), object.node, 0, true, false};
        return {"0", 0, {}, 0, false, false};
    }

    std::string nameOfNode(std::uint32_t node, const Object& object) const {
        return scene_.nodes[node].name.empty() ? object.hullName : scene_.nodes[node].name;
    }

    std::optional<std::size_t> modelPartCalled(std::string_view name) const {
        if (name.empty()) return std::nullopt;
        const auto id = idFromName(bareName(name));
        for (std::size_t i = 0; i < model_->parts.size(); ++i) {
            if (id && model_->parts[i].id == *id) return i;
        }
        return std::nullopt;
    }

    Home modelHome(const Object& object) const {
        const auto at = [&](std::size_t part, std::optional<std::uint32_t> node, bool isPart, bool addressed) {
            return Home{model_->parts[part].name, model_->parts[part].id, node, part, isPart, addressed};
        };
        if (!object.partName.empty()) {
            if (const auto part = modelPartCalled(object.partName)) return at(*part, std::nullopt, false, true);
        } else {
            if (const auto part = ownPart(object)) return at(*part, object.node, true, false);
            for (auto node = holder(object); node; node = scene_.nodes[*node].parent) {
                if (const auto part = modelPartCalled(scene_.nodes[*node].name)) return at(*part, node, false, false);
            }
        }
        if (!model_->compound) return at(0, std::nullopt, false, !object.partName.empty());
        std::string known;
        for (std::size_t i = 0; i < model_->parts.size() && i < 8; ++i)
            known += (i > 0 ? ", " : "") + model_->parts[i].name;
        throw GeometryError(object.name, "unknown-part",
                            "neither it nor a node above it is called like one of the model's " +
                                std::to_string(model_->parts.size()) + " parts (" + known +
                                (model_->parts.size() > 8 ? ", ..." : "") + ")");
    }

    bool modelKnows(std::uint32_t id) const {
        for (const ModelPart& part : model_->parts) {
            if (part.id == id) return true;
            for (const ModelHardpoint& hardpoint : part.hardpoints) {
                if (hardpoint.id == id) return true;
            }
        }
        return false;
    }

    std::uint32_t hullId(const Object& object, const Home& home) const {
        if (home.isPart || object.hullName.empty()) return object.hullId.value_or(home.id);
        const std::uint32_t own = idOf(object.name, object.hullName);
        if (home.addressed || isLiteralId(bareName(object.hullName)) || hardpointIds_.contains(own)) return own;
        if (model_ != nullptr && modelKnows(own)) return own;
        return home.id;
    }

    Mat4d frameFor(const Object& object, const Home& home) const {
        if (home.node) {
            if (*home.node == object.node) return scale_;
            return scale_ * glm::inverse(worlds_[*home.node]) * worlds_[object.node];
        }
        Mat4d m = scale_ * up_ * worlds_[object.node];
        if (model_ != nullptr) m = glm::inverse(placements_[home.modelPart]) * m;
        return m;
    }

    Planned& partFor(const Home& home) {
        for (Planned& known : parts_) {
            if (known.part.id == home.id) return known;
        }
        Planned& planned = parts_.emplace_back();
        planned.part.id = home.id;
        planned.part.name = std::string(bareName(home.name));
        planned.part.fixed = options_.fixed;
        planned.modelPart = home.modelPart;
        if (home.node) {
            planned.part.placement = up_ * worlds_[*home.node];
            readNote(scene_.nodes[*home.node], planned.part);
        }
        if (model_ != nullptr) {
            planned.part.fixed = options_.fixed || model_->parts[home.modelPart].joint == JointKind::Fixed;
            planned.part.placement = placements_[home.modelPart];
        }
        return planned;
    }

    /// What a .sur's part left in the extras of its node.
    void readNote(const SceneNode& node, HitboxPart& part) const {
        if (node.extras.empty()) return;
        const nlohmann::ordered_json extras = node.extras.value();
        const auto sur = extras.is_object() ? extras.find("sur") : extras.end();
        if (sur == extras.end() || !sur->is_object()) return;
        const auto fixed = sur->find("fixed");
        if (fixed != sur->end() && fixed->is_boolean()) part.fixed = options_.fixed || fixed->get<bool>();
        const auto listed = sur->find("hardpoints");
        if (listed == sur->end() || !listed->is_array()) return;
        for (const auto& id : *listed) {
            if (id.is_number_unsigned() && id.get<std::uint64_t>() <= 0xffffffffU)
                part.hardpoints.push_back(id.get<std::uint32_t>());
        }
    }

    void place(Object&& object) {
        Home home = homeOf(object);
        if (model_ != nullptr && scene_.source.format == "obj") home.node.reset();
        transform(object.geometry, frameFor(object, home));
        object.geometry.id = hullId(object, home);
        object.geometry.name = object.name;
        for (HullGeometry& hull : maker_.make(std::move(object.geometry))) {
            partFor(home).part.hulls.push_back(std::move(hull));
        }
    }

    void place(const GivenBox& box) {
        Object object = objectNamed(box.name, 0);
        object.name = box.name.empty() ? "the given box" : box.name;
        Home home{"0", 0, {}, 0, box.name.empty(), !object.partName.empty()};
        if (options_.part) {
            home.name = *options_.part;
            home.id = idOf(object.name, *options_.part);
        } else if (!object.partName.empty()) {
            home.name = object.partName;
            home.id = idOf(object.name, object.partName);
        } else if (model_ != nullptr) {
            home.name = model_->parts[0].name;
            home.id = model_->parts[0].id;
        }
        const std::uint32_t id = hullId(object, home);
        partFor(home).part.hulls.push_back(HullMaker::boxHull(id, object.name, box.extent));
    }

    // ----------------------------------------------------------------------------------------------------- folding

    /// Copies the hulls of each part into the ancestors it hangs on by fixed joints alone.
    void fold() {
        struct Copy {
            std::size_t target;
            std::size_t source;
            Mat4d toTarget;
        };
        std::vector<Copy> copies;
        const std::size_t count = parts_.size();
        for (std::size_t s = 0; s < count; ++s) {
            std::size_t at = parts_[s].modelPart;
            Mat4d toTarget(1.0);
            for (std::size_t steps = 0; steps < model_->parts.size(); ++steps) {
                const ModelPart& part = model_->parts[at];
                if (part.joint != JointKind::Fixed || !part.parent) break;
                toTarget = Mat4d(part.local) * toTarget;
                at = *part.parent;
                const auto target =
                    std::find_if(parts_.begin(), parts_.end(), [&](const Planned& p) { return p.modelPart == at; });
                if (target != parts_.end())
                    copies.push_back({static_cast<std::size_t>(target - parts_.begin()), s, toTarget});
            }
        }
        std::vector<std::size_t> own;
        for (const Planned& part : parts_) own.push_back(part.part.hulls.size());
        std::stable_sort(copies.begin(), copies.end(),
                         [](const Copy& a, const Copy& b) { return a.target < b.target; });
        for (const Copy& copy : copies) {
            for (std::size_t h = 0; h < own[copy.source]; ++h) {
                HullGeometry hull = parts_[copy.source].part.hulls[h];
                transform(hull, copy.toTarget);
                parts_[copy.target].part.hulls.push_back(std::move(hull));
            }
        }
    }

    // -------------------------------------------------------------------------------------------------- hardpoints

    void listHardpoints(Planned& planned) {
        std::set<std::uint32_t> wanted = hardpointIds_;
        if (model_ != nullptr) {
            for (const ModelPart& part : model_->parts) {
                for (const ModelHardpoint& hardpoint : part.hardpoints) wanted.insert(hardpoint.id);
            }
        }
        std::vector<std::uint32_t>& list = planned.part.hardpoints;
        for (const HullGeometry& hull : planned.part.hulls) {
            if (!wanted.contains(hull.id)) continue;
            found_.insert(hull.id);
            if (std::find(list.begin(), list.end(), hull.id) == list.end()) list.push_back(hull.id);
        }
    }

    void warnUnusedHardpoints() {
        for (const std::string& name : options_.hardpoints) {
            if (!found_.contains(idOf(name, name)))
                warnings_.add("no-hardpoint-hull", {"object", name}, "no object is called like this hardpoint");
        }
    }

    const Scene& scene_;
    const HitboxOptions& options_;
    Defects& defects_;
    Losses warnings_;
    HullMaker maker_;
    std::vector<Mat4d> worlds_;
    Mat4d up_;
    Mat4d scale_;
    const ModelParts* model_;
    std::vector<Mat4d> placements_;  ///< of the model's parts
    std::set<std::uint32_t> hardpointIds_;
    std::set<std::uint32_t> carriers_;    ///< nodes with objects below
    std::set<std::size_t> carriedParts_;  ///< parts of the model that such a node is called by
    std::set<std::uint32_t> found_;       ///< hardpoints with a hull
    std::vector<Planned> parts_;
};

HitboxReport::Part reportOf(const HitboxPart& part) {
    HitboxReport::Part out{part.id, part.name, part.fixed, part.hulls.size(), 0, 0, 0.0, part.hardpoints.size()};
    for (const HullGeometry& hull : part.hulls) {
        out.points += hull.points.size();
        out.faces += hull.triangles.size();
        out.volume += massProperties(hull.points, hull.triangles).volume;
    }
    return out;
}

HitboxReport::Part reportOf(const Part& part, const std::string& name) {
    HitboxReport::Part out{part.id,
                           name,
                           part.fixed,
                           0,
                           part.surface->points.size(),
                           0,
                           massOf(*part.surface).volume,
                           part.hardpoints.size()};
    for (const Hull& hull : part.surface->hulls) {
        if (!hull.terminal()) continue;
        ++out.hulls;
        out.faces += hull.faces.size();
    }
    return out;
}

BuildOptions buildOptions(const HitboxOptions& options, bool fixed, std::vector<std::uint32_t> hardpoints) {
    BuildOptions out;
    out.fixed = fixed;
    out.hardpoints = std::move(hardpoints);
    out.bounds = options.bounds;
    out.tree = options.tree;
    out.mass = options.mass;
    return out;
}

}  // namespace

std::vector<HitboxPart> planHitbox(const Scene& scene, const HitboxOptions& options, Defects& defects) {
    return Planner(scene, options, defects).run();
}

Library hitboxLibrary(const std::vector<HitboxPart>& parts, const HitboxOptions& options, HitboxReport& report,
                      Defects& defects) {
    Library out;
    for (const HitboxPart& part : parts) {
        out.parts.push_back(
            createPart(part.id, part.hulls, buildOptions(options, part.fixed, part.hardpoints), defects));
        report.parts.push_back(reportOf(out.parts.back(), part.name));
    }
    return out;
}

Library buildHitbox(const Scene& scene, const HitboxOptions& options, HitboxReport& report, Defects& defects) {
    return hitboxLibrary(planHitbox(scene, options, defects), options, report, defects);
}

Scene hitboxScene(const std::vector<HitboxPart>& parts, const HitboxOptions& options, HitboxReport& report) {
    Scene scene;
    const KnownNames names(options.model.get(), options.hardpoints);
    for (const HitboxPart& part : parts) {
        SceneNode& node = scene.nodes.emplace_back();
        node.name = part.name;
        node.content = Content::Collision;
        if (part.placement != Mat4d(1.0)) node.matrix = Mat4(part.placement);
        std::vector<std::string> taken;
        for (const HullGeometry& geometry : part.hulls) {
            SceneHull& hull = scene.hulls.emplace_back();
            const std::string own(bareName(geometry.name.substr(geometry.name.find('/') + 1)));
            const std::string base = idFromName(own) == geometry.id && !own.empty() ? own : names.nameOf(geometry.id);
            const auto uses = 1 + std::count(taken.begin(), taken.end(), base);
            taken.push_back(base);
            hull.name = uses == 1 ? base : base + '#' + std::to_string(uses);
            hull.id = geometry.id;
            hull.points = geometry.points;
            hull.triangles = geometry.triangles;
            node.hulls.push_back(static_cast<std::uint32_t>(scene.hulls.size() - 1));
        }
        report.parts.push_back(reportOf(part));
    }
    return scene;
}

// ------------------------------------------------------------------------------------------------------- rebuilding

namespace {

/// The hulls of a part, the unsound ones replaced; what happened goes to notes.
std::vector<HullGeometry> repairedHulls(const Part& part, const HitboxOptions& options, Losses& warnings,
                                        std::vector<std::string>& notes) {
    HullMaker maker(options, warnings);
    std::vector<HullGeometry> out;
    std::size_t number = 0;
    for (HullGeometry& hull : terminalHulls(part)) {
        hull.name = "hull " + std::to_string(number++) + " of part " + hexId(part.id);
        transform(hull, scaling(options));
        try {
            HullGeometry tidy = tidyHull(hull);
            createFaces(tidy);
            if (isSoundHull(tidy, options.epsilon)) {
                out.push_back(std::move(tidy));
                continue;
            }
        } catch (const GeometryError&) {  // open, wound twice, without area: built anew below
        }
        try {
            hull.triangles.clear();
            out.push_back(maker.convex(hull));
            createFaces(out.back());
            notes.push_back("hull " + std::to_string(number - 1) + " built anew from its points");
        } catch (const GeometryError& error) {
            if (!out.empty() && out.back().name == hull.name) out.pop_back();
            notes.push_back("hull " + std::to_string(number - 1) + " left out: " + error.detail());
            warnings.add("hull-left-out", {"object", hull.name}, error.detail());
        }
    }
    return out;
}

std::size_t changedNodes(const Surface& before, const Surface& after) {
    if (before.nodes.size() != after.nodes.size()) return after.nodes.size();
    std::size_t count = 0;
    for (std::size_t n = 0; n < after.nodes.size(); ++n) {
        const Node& a = before.nodes[n];
        const Node& b = after.nodes[n];
        if (a.right != b.right || a.center != b.center || a.radius != b.radius || a.boxSizes != b.boxSizes) ++count;
    }
    return count;
}

std::size_t wrapFaces(const Surface& surface) {
    std::size_t out = 0;
    for (const Hull& hull : surface.hulls) {
        if (!hull.terminal()) out += hull.faces.size();
    }
    return out;
}

Change changeOf(const Part& before, const Part& after, std::vector<std::string> notes) {
    Change change;
    change.name = "part " + hexId(before.id);
    const Surface& a = *before.surface;
    const Surface& b = *after.surface;
    if (const std::size_t nodes = changedNodes(a, b))
        notes.push_back(std::to_string(nodes) + " of " + std::to_string(b.nodes.size()) + " nodes bounded anew");
    if (wrapFaces(a) != wrapFaces(b)) {
        notes.push_back("wrap hull of " + std::to_string(wrapFaces(a)) + " -> " + counted(wrapFaces(b), "faces"));
    }
    if (a.points.size() != b.points.size())
        notes.push_back(std::to_string(a.points.size()) + " -> " + counted(b.points.size(), "points"));
    if (a.massCenter != b.massCenter || a.radius != b.radius) {
        notes.push_back("mass centre moved by " +
                        numberText(static_cast<double>(glm::length(b.massCenter - a.massCenter))) + ", radius " +
                        numberText(static_cast<double>(a.radius)) + " -> " + numberText(static_cast<double>(b.radius)));
    }
    if (a.rotationInertia != b.rotationInertia) notes.emplace_back("inertia derived");
    if (a.surfaceDeviation != b.surfaceDeviation) {
        notes.push_back("deviation byte " + std::to_string(a.surfaceDeviation) + " -> " +
                        std::to_string(b.surfaceDeviation));
    }
    if (before.extent != after.extent) notes.emplace_back("extents set");
    if (notes.empty()) notes.emplace_back(a == b ? "nothing changed" : "faces or points in another order");
    for (const std::string& note : notes) change.detail += (change.detail.empty() ? "" : "; ") + note;
    change.kind = before == after ? Change::Kind::Kept : Change::Kind::Replaced;
    return change;
}

}  // namespace

Library rebuildLibrary(const Library& library, const HitboxOptions& options, HitboxReport& report, Defects& defects) {
    Library out;
    Losses warnings;
    for (const Part& part : library.parts) {
        std::vector<std::string> notes;
        std::vector<HullGeometry> hulls;
        if (part.surface) hulls = repairedHulls(part, options, warnings, notes);
        // Bytes of which recovery left something out would make the new library unreadable too.
        if (hulls.empty() && part.surface && !keepsItsBytes(*part.surface)) {
            defects.warn("not-rebuilt", std::nullopt, {{"part", hexId(part.id)}},
                         "it has no hull that could be read and built; it is left out");
            report.changes.push_back({Change::Kind::Removed, "part " + hexId(part.id), "no hull is left"});
            continue;
        }
        if (hulls.empty()) {
            defects.warn("not-rebuilt", std::nullopt, {{"part", hexId(part.id)}},
                         "it has no hull that can be built; it stays as it is");
            report.changes.push_back({Change::Kind::Kept, "part " + hexId(part.id), "no hull that can be built"});
            out.parts.push_back(part);
            continue;
        }
        BuildOptions build = buildOptions(options, part.fixed, part.hardpoints);
        if (options.keepMass) {
            const Surface& kept = *part.surface;
            // A length and a square of one, as those of the hulls.
            const auto scale = static_cast<float>(options.scale);
            if (!build.mass.massCenter) build.mass.massCenter = kept.massCenter * scale;
            if (!build.mass.rotationInertia) build.mass.rotationInertia = kept.rotationInertia * (scale * scale);
            if (!build.mass.radius) build.mass.radius = kept.radius * std::fabs(scale);
            if (!build.mass.surfaceDeviation) build.mass.surfaceDeviation = kept.surfaceDeviation;
        }
        out.parts.push_back(createPart(part.id, hulls, build, defects));
        report.parts.push_back(reportOf(out.parts.back(), part.id == 0 ? "0" : hexId(part.id)));
        report.changes.push_back(changeOf(part, out.parts.back(), std::move(notes)));
    }
    warnings.report(defects);
    if (out.parts.empty() && !library.parts.empty())
        throw GeometryError("the library", "no-hull", "no part of it has a hull that could be read and built");
    return out;
}

// ------------------------------------------------------------------------------------------------------ mass source

MassOverrides massFromScene(const Scene& scene, double scale) {
    HullGeometry all;
    all.name = scene.source.file.empty() ? "the mesh for the mass" : scene.source.file;
    const std::vector<Mat4d> worlds = worldMatrices(scene);
    HitboxOptions options;
    options.scale = scale;
    const Mat4d up = scaling(options) * toYUp(scene.space);
    const auto add = [&](HullGeometry&& one, std::uint32_t node) {
        transform(one, up * worlds[node]);
        const auto base = static_cast<std::uint32_t>(all.points.size());
        all.points.insert(all.points.end(), one.points.begin(), one.points.end());
        for (const Triangle& t : one.triangles) all.triangles.push_back({base + t[0], base + t[1], base + t[2]});
    };
    for (std::uint32_t n = 0; n < scene.nodes.size(); ++n) {
        const SceneNode& node = scene.nodes[n];
        for (const std::uint32_t h : node.hulls) {
            if (scene.hulls[h].type == HullType::Terminal)
                add({0, {}, scene.hulls[h].points, scene.hulls[h].triangles}, n);
        }
        if (!node.mesh || !node.hulls.empty()) continue;
        HullGeometry mesh;
        appendMesh(scene.meshes[*node.mesh], mesh);
        add(std::move(mesh), n);
    }
    const std::vector<std::uint32_t> first = weldPoints(all.points);
    for (Triangle& t : all.triangles) {
        for (std::uint32_t& corner : t) corner = first[corner];
    }
    const SurfaceTopology topology = topologyOf(all.points, all.triangles);
    if (topology.openEdges > 0) {
        throw GeometryError(all.name, "open-edge",
                            std::to_string(topology.openEdges) + " of " + std::to_string(topology.edges) +
                                " edges are open; only a closed mesh has a mass");
    }
    const MassProperties mass = massProperties(all.points, all.triangles);
    if (mass.degenerate)
        throw GeometryError(all.name, "no-volume",
                            "it encloses a volume of " + numberText(mass.volume) + ", too little for its area");
    MassOverrides out;
    out.massCenter = Vec3(mass.massCenter);
    out.rotationInertia = Vec3(mass.rotationInertia);
    return out;
}

}  // namespace geomconv::sur
