// Rules that a readable file may still break: references to objects that are not there, names, order.

#include <set>

#include "formats/ccsf/records.hpp"

namespace geomconv::ccsf {

namespace {

class Checker {
public:
    Checker(const Document& document, Defects& defects) : document_(document), defects_(defects) {
        for (std::size_t i = 0; i < document.frameStart; ++i) {
            const Chunk& chunk = document.chunks[i];
            const KindInfo* info = findKind(chunk.kind, Section::Setup);
            if (info != nullptr && info->namesObject && chunk.payload.size() >= 4) {
                defined_.insert(load<std::uint32_t>(chunk.payload, 0));
            }
        }
    }

    void run() {
        for (const Obj& obj : document_.objs) {
            reference("Obj", obj.chunk, obj.object, "parent", obj.parent);
            reference("Obj", obj.chunk, obj.object, "model", obj.model);
            reference("Obj", obj.chunk, obj.object, "shadowModel", obj.shadowModel);
        }
        for (const ExtObj& ext : document_.extObjs) reference("ExtObj", ext.chunk, ext.object, "target", ext.target);
        for (const Clump& clump : document_.clumps) {
            for (const std::uint32_t node : clump.nodes) reference("Clump", clump.chunk, clump.object, "node", node);
        }
        for (const Material& material : document_.materials) {
            reference("Material", material.chunk, material.object, "texture", material.texture);
        }
        for (const Texture& texture : document_.textures)
            reference("Texture", texture.chunk, texture.object, "clut", texture.clut);
        for (const Model& model : document_.models) {
            for (const Mmat& mmat : model.mmats)
                reference("Model", model.chunk, model.object, "material", mmat.material);
        }
        for (const Morpher& morpher : document_.morphers) {
            reference("Morpher", morpher.chunk, morpher.object, "baseModel", morpher.baseModel);
        }
        paths();
        frames();
    }

private:
    /// A chunk that is not in this file is normal for an object of another one.
    void reference(std::string_view noun, std::uint32_t chunk, std::uint32_t object, std::string_view field,
                   std::uint32_t to) {
        if (to == 0 || to >= document_.objects.size() || defined_.contains(to) || document_.isElsewhere(to)) return;
        if (!said_.emplace(chunk, to).second) return;
        defects_.warn("not-defined", document_.chunks[chunk].offset,
                      {Place{std::string(noun), std::string(document_.nameOf(object))}},
                      std::string(field) + " " + std::string(document_.nameOf(to)) +
                          " has no chunk, and its path is not of another file");
    }

    void paths() {
        for (std::size_t i = 0; i < document_.objects.size(); ++i) {
            const ObjectEntry& object = document_.objects[i];
            if (object.path < document_.paths.size()) continue;
            defects_.warn(
                "path-range", std::nullopt, {Place{"object", object.name}},
                "path " + std::to_string(object.path) + ", there are " + std::to_string(document_.paths.size()));
        }
    }

    void frames() {
        std::int32_t last = -1;
        for (std::size_t i = document_.frameStart; i < document_.chunks.size(); ++i) {
            const Chunk& record = document_.chunks[i];
            if (record.kind != kind::kTop || record.payload.size() < 4) continue;
            const auto frame = load<std::int32_t>(record.payload, 0);
            if (frame >= 0 && frame < last) {
                defects_.warn("frame-order", record.offset, {Place{"Top", ""}},
                              "frame " + std::to_string(frame) + " follows frame " + std::to_string(last));
            }
            last = frame;
        }
    }

    const Document& document_;
    Defects& defects_;
    std::set<std::uint32_t> defined_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> said_;
};

}  // namespace

void check(const Document& document, Defects& defects) {
    Checker(document, defects).run();
}

}  // namespace geomconv::ccsf
