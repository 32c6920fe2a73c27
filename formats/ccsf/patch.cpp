// import: rigid models by their names, a texture, chunks as they lie in files. What is not edited keeps its bytes.
//
// A mesh finds its model by the name of its primitive (MDL_name.k.kind), of itself, or of its node. It is taken to the
// space of the node that shows the model in the base's scene, so that it may come from a file with other transforms in
// it; what then lies on the stored grid like the base's own export is no edit.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "formats/ccsf/ccsf.hpp"
#include "formats/ccsf/encode.hpp"
#include "formats/ccsf/image.hpp"
#include "formats/ccsf/members.hpp"
#include "formats/ccsf/records.hpp"
#include "lib/bytes/byte_writer.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/image/png.hpp"
#include "lib/scene/transform.hpp"

namespace geomconv::ccsf {

namespace {

/// Blender's ".001" behind a name is no part of it.
std::string_view withoutOrdinal(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || name.size() - dot != 4) return name;
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(), isDigit) ? name.substr(0, dot)
                                                                                                 : name;
}

/// "MDL_a" of "MDL_a.0.rigid".
std::string_view withoutKind(std::string_view name) {
    static constexpr std::string_view kRigid = ".rigid";
    if (!name.ends_with(kRigid)) return name;
    name.remove_suffix(kRigid.size());
    const std::size_t dot = name.rfind('.');
    return dot != std::string_view::npos ? name.substr(0, dot) : name;
}

class Patcher {
public:
    Patcher(const Document& document, const PatchOptions& options, Defects& defects)
        : document_(document), options_(options), defects_(defects) {
        for (std::uint32_t i = 0; i < document.models.size(); ++i)
            modelsNamed_[document.nameOf(document.models[i].object)].push_back(i);
    }

    void putRaw() {
        std::vector<std::shared_ptr<const InputFile>> files;
        for (const auto& [name, file] : options_.files) {
            if (name == "raw") files.push_back(file);
        }
        const auto values = options_.format.all("raw");
        for (std::size_t i = 0; i < std::min(values.size(), files.size()); ++i) {
            const std::string_view name = values[i].substr(0, values[i].find('='));
            const Chunk& chunk = document_.chunks[chunkNamed(document_, name)];
            const Bytes bytes = files[i]->bytes();
            if (bytes.size() < 8 || bytes.size() % 4 != 0 || load<std::uint16_t>(bytes, 0) != chunk.kind) {
                throw FormatError("raw", "the file for " + std::string(name) + " is no chunk of kind " +
                                             hex(chunk.kind) + " with its head, as extract writes it");
            }
            const std::string detail =
                std::to_string(chunk.payload.size() + 8) + " -> " + std::to_string(bytes.size()) + " bytes";
            replace(chunk, {bytes.begin(), bytes.end()}, "chunk " + std::string(name), detail);
        }
    }

    void putTexture(std::string_view name, const Scene& edits) {
        if (edits.images.size() != 1) throw GeometryError(std::string(name), "texture", "--texture takes one PNG");
        const auto is = [&](const Texture& t) { return document_.nameOf(t.object) == name; };
        const auto texture = std::find_if(document_.textures.begin(), document_.textures.end(), is);
        if (texture == document_.textures.end())
            throw GeometryError(std::string(name), "not-found", "no texture of this name; geomconv list shows them");
        const Image image = edits.images[0].rgba.empty() ? decodePng(edits.images[0].encoded) : edits.images[0];
        putTexture(*texture, image);
    }

    void putMeshes(const Scene& edits) {
        SceneOptions everything;
        everything.animations = parseAnimations("none");
        Defects said;  // what is odd in the base is nothing that an edit changes
        const Scene base = toScene(document_, everything, said);
        const Places places = placesOf(base);
        const std::map<std::uint32_t, std::vector<Piece>> found = piecesOf(edits);
        for (const auto& [model, pieces] : found) putModel(model, pieces, base, places, edits);
        if (posed_ > 0) {
            defects_.warn("not-rigid", std::nullopt, {},
                          counted(posed_, "bone or skin meshes") + "; only rigid ones are put back");
        }
    }

    PatchResult result() {
        ByteWriter out;
        for (std::size_t i = 0; i < document_.chunks.size(); ++i) {
            const Chunk& chunk = document_.chunks[i];
            const auto edited = replaced_.find(&chunk);
            if (edited != replaced_.end()) {
                out.bytes(edited->second);
                continue;
            }
            out.bytes(document_.file.subspan(static_cast<std::size_t>(chunk.offset), 8));
            out.bytes(chunk.payload);
        }
        out.bytes(document_.trailing);
        result_.bytes = out.finish();
        return std::move(result_);
    }

private:
    void replace(const Chunk& chunk, ByteVector bytes, std::string name, std::string detail) {
        if (!replaced_.emplace(&chunk, std::move(bytes)).second)
            throw GeometryError(std::move(name), "conflict", "two edits for one chunk");
        result_.changes.push_back({Change::Kind::Replaced, std::move(name), std::move(detail)});
    }

    // ---- meshes

    /// A primitive of the edits and the node that shows it.
    struct Piece {
        const Primitive* primitive = nullptr;
        std::uint32_t node = 0;
    };
    /// Where the base's scene shows a model.
    struct Places {
        std::map<std::string, std::uint32_t, std::less<>> nodeOf;  ///< by mesh name
        std::vector<Mat4d> worlds;
    };

    static Places placesOf(const Scene& base) {
        Places out;
        out.worlds = worldMatrices(base);
        for (std::uint32_t n = 0; n < base.nodes.size(); ++n) {
            if (base.nodes[n].mesh) out.nodeOf.emplace(base.meshes[*base.nodes[n].mesh].name, n);
        }
        return out;
    }

    std::optional<std::uint32_t> modelNamed(std::string_view name) const {
        for (const std::string_view candidate : {name, withoutOrdinal(name)}) {
            const auto found = modelsNamed_.find(withoutKind(candidate));
            if (found == modelsNamed_.end()) continue;
            if (found->second.size() > 1)
                throw GeometryError(std::string(name), "duplicate-name", "several models have this name");
            return found->second.front();
        }
        return std::nullopt;
    }
    /// The model that a node of this name shows.
    std::optional<std::uint32_t> modelOfNode(std::string_view name) const {
        for (const Obj& obj : document_.objs) {
            const std::string_view own = document_.nameOf(obj.object);
            if (!own.empty() && (own == name || own == withoutOrdinal(name)))
                return modelNamed(document_.nameOf(obj.model));
        }
        return std::nullopt;
    }

    /// Pieces per model. A mesh on several nodes counts once.
    std::map<std::uint32_t, std::vector<Piece>> piecesOf(const Scene& edits) {
        std::map<std::uint32_t, std::vector<Piece>> out;
        std::set<std::uint32_t> seen;
        for (std::uint32_t n = 0; n < edits.nodes.size(); ++n) {
            const Node& node = edits.nodes[n];
            if (!node.mesh || !seen.insert(*node.mesh).second) continue;
            const Mesh& mesh = edits.meshes[*node.mesh];
            for (const Primitive& primitive : mesh.primitives) {
                if (primitive.topology != Topology::Triangles || primitive.indices.empty()) continue;
                if (isRepeated(primitive.name) || isRepeated(mesh.name) || isRepeated(node.name)) continue;
                auto model = primitive.name.empty() ? std::nullopt : modelNamed(primitive.name);
                if (!model) model = modelNamed(mesh.name);
                if (!model) model = modelNamed(node.name);
                if (!model) model = modelOfNode(node.name);
                if (model) {
                    out[*model].push_back({&primitive, n});
                } else if (isPosed(node.name) || isPosed(mesh.name)) {
                    ++posed_;
                } else {
                    throw GeometryError(mesh.name.empty() ? node.name : mesh.name, "not-found",
                                        "no model of this name to replace; geomconv list shows the names there are");
                }
            }
        }
        return out;
    }
    /// "MDL_a.0.rigid#2": a model that an OBJ shows on a second node.
    static bool isRepeated(std::string_view name) {
        const std::size_t at = name.rfind('#');
        return at != std::string_view::npos && withoutKind(name.substr(0, at)).size() < at;
    }
    static bool isPosed(std::string_view name) {
        name = withoutOrdinal(name);
        return name.ends_with(".bone") || name.ends_with(".skin");
    }

    void putModel(std::uint32_t number, const std::vector<Piece>& pieces, const Scene& base, const Places& places,
                  const Scene& edits) {
        const Model& model = document_.models[number];
        const std::string name(document_.nameOf(model.object));
        if (model.deformable()) {
            ++posed_;
            return;
        }
        if (model.shadow()) throw GeometryError(name, "not-rigid", "shadow volumes cannot be replaced");
        if (model.mmats.empty()) throw GeometryError(name, "no-mmat", "the model is an empty placeholder");
        const auto place = places.nodeOf.find(name);
        const Mat4d world = place != places.nodeOf.end() ? places.worlds[place->second] : Mat4d(1.0);
        if (!(std::abs(glm::determinant(Mat3d(world))) > 1e-12))
            throw GeometryError(name, "flat", "its node has no volume in this pose; name another with --pose");
        std::vector<MmatMesh> meshes = meshesOf(model, pieces, glm::inverse(world), edits);
        std::vector<MmatMesh> known;
        if (place != places.nodeOf.end()) {
            std::vector<Piece> own;
            for (const Primitive& p : base.meshes[*base.nodes[place->second].mesh].primitives)
                own.push_back({&p, place->second});
            known = meshesOf(model, own, glm::inverse(world), base);
        }
        const float scale = vertexScaleFor(meshes, model.vertexScale, name);
        std::size_t outside = 0;
        std::size_t ignored = 0;
        std::vector<MmatTriangles> mmats = mmatsOf(model, meshes, scale, outside);
        const std::vector<MmatTriangles> before = mmatsOf(model, known, model.vertexScale, ignored);
        // An OBJ has no alpha: corners that were there keep theirs.
        if (scale == model.vertexScale && edits.source.format == "obj") takeAlpha(mmats, before);
        if (scale == model.vertexScale && sameTriangles(mmats, before)) {
            result_.changes.push_back({Change::Kind::Kept, name, counted(trianglesIn(mmats), "triangles")});
            return;
        }
        if (outside > 0) {
            defects_.warn("st-range", std::nullopt, {Place{"Model", name}},
                          counted(outside, "texture coordinates") + " past 255.99 repeats; cut off");
        }
        replace(document_.chunks[model.chunk], encodeModel(document_, model, scale, mmats), name,
                counted(trianglesIn(before), "triangles") + " -> " + counted(trianglesIn(mmats), "triangles") + " in " +
                    counted(mmats.size(), "mmats"));
    }

    std::vector<MmatMesh> meshesOf(const Model& model, const std::vector<Piece>& pieces, const Mat4d& toOwner,
                                   const Scene& scene) const {
        const bool native =
            scene.source.format == "obj" || scene.source.format == "ccsf" || scene.source.format.empty();
        const Mat4d turn = native ? Mat4d(1.0) : toZUp(scene.space);
        const std::vector<Mat4d> worlds = worldMatrices(scene);
        std::vector<MmatMesh> out;
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            const Primitive& p = *pieces[k].primitive;
            const Mat4d m = toOwner * turn * worlds[pieces[k].node];
            const Mat3d turned(glm::transpose(glm::inverse(Mat3d(m))));
            MmatMesh& mesh = out.emplace_back();
            mesh.material = materialOf(model, p, k, pieces.size(), scene);
            mesh.topFirst = isTopFirst(mesh.material);
            for (const Vec3& v : p.positions) mesh.positions.emplace_back(m * glm::dvec4(Vec3d(v), 1.0));
            for (const Vec3& n : p.normals) {
                const Vec3d moved = turned * Vec3d(n);
                const double length = glm::length(moved);
                mesh.normals.push_back(length > 0.0 ? moved / length : Vec3d(0.0, 0.0, 1.0));
            }
            mesh.uvs = p.uvs;
            if (!model.lit()) mesh.colours = p.colors;
            const bool mirrored = mirrors(m);
            for (std::size_t i = 0; i + 3 <= p.indices.size(); i += 3)
                mesh.triangles.push_back(
                    {p.indices[i], p.indices[i + (mirrored ? 2U : 1U)], p.indices[i + (mirrored ? 1U : 2U)]});
        }
        return out;
    }

    /// The file's material of the name that the scene's has, or the one that the model has in this place.
    std::uint32_t materialOf(const Model& model, const Primitive& p, std::size_t place, std::size_t count,
                             const Scene& scene) const {
        if (p.material) {
            const std::string_view whole = scene.materials[*p.material].name;
            // A further look of one material is called NAME.2.
            const std::size_t dot = whole.rfind('.');
            for (const std::string_view name : {whole, withoutOrdinal(whole), whole.substr(0, dot)}) {
                for (const Material& m : document_.materials) {
                    if (!name.empty() && document_.nameOf(m.object) == name) return m.object;
                }
            }
        }
        if (count <= model.mmats.size()) return model.mmats[place].material;
        throw GeometryError(std::string(document_.nameOf(model.object)), "material",
                            "has a part whose material is none of the file" +
                                (p.material ? ": " + scene.materials[*p.material].name : std::string()));
    }
    bool isTopFirst(std::uint32_t material) const {
        for (const Material& m : document_.materials) {
            if (m.object != material) continue;
            for (const Texture& t : document_.textures) {
                if (t.object == m.texture) return t.topFirst();
            }
            return false;
        }
        return false;
    }

    /// Meshes of one material are one mmat; it has the name of the model's mmat in its place, the last for all further.
    std::vector<MmatTriangles> mmatsOf(const Model& model, const std::vector<MmatMesh>& meshes, float scale,
                                       std::size_t& outside) const {
        std::vector<MmatTriangles> out;
        for (const MmatMesh& mesh : meshes) {
            auto made = quantised(mesh, scale, document_.version(), outside);
            const auto is = [&](const MmatTriangles& m) { return m.material == mesh.material; };
            auto at = std::find_if(out.begin(), out.end(), is);
            if (at == out.end()) {
                const std::size_t place = std::min(out.size(), model.mmats.size() - 1);
                at = out.insert(out.end(), MmatTriangles{model.mmats[place].name, mesh.material, {}});
            }
            at->triangles.insert(at->triangles.end(), made.begin(), made.end());
        }
        return out;
    }

    static void takeAlpha(std::vector<MmatTriangles>& mmats, const std::vector<MmatTriangles>& before) {
        std::map<Corner, std::uint8_t> exact;  // with an alpha of 0
        std::map<std::array<std::int16_t, 3>, std::uint8_t> there;
        for (const MmatTriangles& mmat : before) {
            for (const CornerTriangle& t : mmat.triangles) {
                for (Corner c : t) {
                    const std::uint8_t alpha = std::exchange(c.colour[3], std::uint8_t{0});
                    exact.emplace(c, alpha);
                    there.emplace(c.position, alpha);
                }
            }
        }
        for (MmatTriangles& mmat : mmats) {
            for (CornerTriangle& t : mmat.triangles) {
                for (Corner& c : t) {
                    const std::uint8_t alpha = std::exchange(c.colour[3], std::uint8_t{0});
                    const auto same = exact.find(c);
                    const auto near = there.find(c.position);
                    c.colour[3] = same != exact.end() ? same->second : near != there.end() ? near->second : alpha;
                }
            }
        }
    }

    static std::size_t trianglesIn(const std::vector<MmatTriangles>& mmats) {
        std::size_t count = 0;
        for (const MmatTriangles& m : mmats) count += m.triangles.size();
        return count;
    }
    /// Whether two models show the same, whatever the order of triangles and of their corners.
    static bool sameTriangles(const std::vector<MmatTriangles>& a, const std::vector<MmatTriangles>& b) {
        const auto all = [](const std::vector<MmatTriangles>& mmats) {
            std::vector<std::pair<std::uint32_t, CornerTriangle>> out;
            for (const MmatTriangles& m : mmats) {
                for (CornerTriangle t : m.triangles) {
                    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
                    out.emplace_back(m.material, t);
                }
            }
            std::sort(out.begin(), out.end());
            return out;
        };
        return all(a) == all(b);
    }

    // ---- textures

    using Colour = std::array<std::uint8_t, 4>;

    [[noreturn]] void refuse(const Texture& texture, std::string detail) const {
        throw GeometryError(std::string(document_.nameOf(texture.object)), "texture", std::move(detail));
    }

    void putTexture(const Texture& texture, const Image& image) {
        const bool four = texture.psm == 0x14;
        if (!four && texture.psm != 0x13)
            refuse(texture, "only textures with a palette can be replaced, this one is psm " + hex(texture.psm));
        if (image.width != texture.width || image.height != texture.height) {
            refuse(texture, "the image has " + std::to_string(image.width) + " x " + std::to_string(image.height) +
                                " pixels, the texture " + std::to_string(texture.width) + " x " +
                                std::to_string(texture.height));
        }
        const auto isClut = [&](const Clut& c) { return c.object == texture.clut; };
        const auto clut = std::find_if(document_.cluts.begin(), document_.cluts.end(), isClut);
        if (clut == document_.cluts.end()) refuse(texture, "its palette is not in this file");
        const std::uint32_t room = std::min(clut->count, four ? 16U : 256U);
        std::map<Colour, std::uint8_t> places;
        if (!fitsPalette(image, *clut, room, places)) newPalette(texture, image, *clut, room, places);
        ByteVector pixels = indicesOf(image, places);
        const Chunk& chunk = document_.chunks[texture.chunk];
        ByteVector bytes(document_.file.begin() + static_cast<std::ptrdiff_t>(chunk.offset),
                         document_.file.begin() + static_cast<std::ptrdiff_t>(chunk.offset + 8 + chunk.payload.size()));
        for (std::size_t level = 0; level < texture.levels.size(); ++level)
            writeLevel(texture, level, pixels, four, bytes, chunk);
        replace(chunk, std::move(bytes), std::string(document_.nameOf(texture.object)),
                std::to_string(image.width) + " x " + std::to_string(image.height) + " pixels, " +
                    counted(places.size(), "colours"));
    }

    static Colour stored(const std::uint8_t* rgba) {
        return {rgba[0], rgba[1], rgba[2], static_cast<std::uint8_t>((rgba[3] + 1) / 2)};
    }

    /// Whether the palette has all colours of the image as it is.
    static bool fitsPalette(const Image& image, const Clut& clut, std::uint32_t room,
                            std::map<Colour, std::uint8_t>& places) {
        std::map<Colour, std::uint8_t> known;
        for (std::uint32_t i = 0; i < room; ++i) {
            const std::uint8_t* c = clut.colours.data() + 4 * std::size_t{i};
            known.emplace(Colour{c[0], c[1], c[2], std::min<std::uint8_t>(c[3], 0x80)}, static_cast<std::uint8_t>(i));
        }
        for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
            const auto found = known.find(stored(&image.rgba[i]));
            if (found == known.end()) return places.clear(), false;
            places.insert(*found);
        }
        return true;
    }

    /// The image's own colours in the palette's place, in the order of the image.
    void newPalette(const Texture& texture, const Image& image, const Clut& clut, std::uint32_t room,
                    std::map<Colour, std::uint8_t>& places) {
        for (const Texture& other : document_.textures) {
            if (other.clut != texture.clut || other.object == texture.object) continue;
            refuse(texture, "has colours that its palette does not, which " +
                                std::string(document_.nameOf(other.object)) + " uses too");
        }
        const Chunk& chunk = document_.chunks[clut.chunk];
        ByteVector bytes(document_.file.begin() + static_cast<std::ptrdiff_t>(chunk.offset),
                         document_.file.begin() + static_cast<std::ptrdiff_t>(chunk.offset + 8 + chunk.payload.size()));
        std::uint8_t* colours = bytes.data() + (clut.colours.data() - document_.file.data()) - chunk.offset;
        for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
            const Colour c = stored(&image.rgba[i]);
            if (places.contains(c)) continue;
            if (places.size() == room)
                refuse(texture,
                       "the image has more than " + std::to_string(room) + " colours, all that its palette holds");
            std::copy(c.begin(), c.end(), colours + 4 * places.size());
            places.emplace(c, static_cast<std::uint8_t>(places.size()));
        }
        replace(chunk, std::move(bytes), std::string(document_.nameOf(clut.object)), counted(places.size(), "colours"));
    }

    /// One index per pixel, rows from the bottom as they are stored.
    static ByteVector indicesOf(const Image& image, const std::map<Colour, std::uint8_t>& places) {
        ByteVector out(image.rgba.size() / 4);
        const std::size_t width = image.width;
        for (std::size_t i = 0; i < out.size(); ++i)
            out[(image.height - 1 - i / width) * width + i % width] = places.at(stored(&image.rgba[4 * i]));
        return out;
    }

    /// Smaller levels take every second pixel of the one before.
    void writeLevel(const Texture& texture, std::size_t level, const ByteVector& indices, bool four, ByteVector& bytes,
                    const Chunk& chunk) const {
        const Bytes old = texture.levels[level].pixels;
        std::uint8_t* to = bytes.data() + (old.data() - document_.file.data()) - chunk.offset;
        const std::size_t width = std::max(1U, texture.width >> level);
        const std::size_t height = std::max(1U, texture.height >> level);
        for (std::size_t i = 0; i < width * height; ++i) {
            const std::size_t x = std::min<std::size_t>((i % width) << level, texture.width - 1);
            const std::size_t y = std::min<std::size_t>((i / width) << level, texture.height - 1);
            const std::uint8_t index = indices[y * texture.width + x];
            const std::size_t at = four ? i / 2 : i;
            if (at >= old.size()) break;
            if (!four)
                to[at] = index;
            else
                to[at] = static_cast<std::uint8_t>(i % 2 == 0 ? (to[at] & 0xf0) | index : (to[at] & 0x0f) | index << 4);
        }
    }

    const Document& document_;
    const PatchOptions& options_;
    Defects& defects_;
    std::map<std::string_view, std::vector<std::uint32_t>> modelsNamed_;
    std::map<const Chunk*, ByteVector> replaced_;
    std::size_t posed_ = 0;
    PatchResult result_;
};

}  // namespace

PatchResult patch(Bytes file, const ReadOptions& reading, const Scene& edits, const PatchOptions& options,
                  Defects& defects) {
    const Document document = read(file, reading.recover, defects);
    Patcher patcher(document, options, defects);
    const bool hasMeshes = !edits.meshes.empty();
    const auto texture = options.format.get("texture");
    if (!edits.images.empty() && !hasMeshes && !texture)
        throw GeometryError("", "texture", "a PNG needs --texture NAME, the texture that it replaces");
    patcher.putRaw();
    if (texture) patcher.putTexture(*texture, edits);
    if (hasMeshes) patcher.putMeshes(edits);
    PatchResult result = patcher.result();
    // What was put in must be readable again: a raw chunk may hold anything.
    Defects said;
    read(result.bytes, false, said);
    return result;
}

}  // namespace geomconv::ccsf
