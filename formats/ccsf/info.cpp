#include <map>
#include <nlohmann/json.hpp>

#include "formats/ccsf/geometry.hpp"
#include "formats/ccsf/records.hpp"

namespace geomconv::ccsf {

namespace {

using Json = nlohmann::ordered_json;

std::size_t triangleCount(const Document& document, const Model& model, const Mmat& mmat) {
    if (mmat.kind == MmatKind::Shadow) return mmat.triangles.size() / 12;
    return trianglesOf(stripFlags(model, mmat), document.version()).indices.size() / 3;
}

Json infoOfModel(const Document& document, const Model& model) {
    Json mmats = Json::array();
    for (const Mmat& mmat : model.mmats) {
        Json row{{"kind", mmatKindName(mmat.kind)},
                 {"vertices", mmat.vertexCount},
                 {"triangles", triangleCount(document, model, mmat)}};
        if (mmat.kind != MmatKind::Shadow) row["material"] = document.nameOf(mmat.material);
        mmats.push_back(std::move(row));
    }
    Json out{{"name", document.nameOf(model.object)}, {"mtype", hex(model.mtype)}, {"vertexScale", model.vertexScale}};
    if (const auto box = storedBox(model)) {
        const auto scaled = [&](const std::array<std::int16_t, 3>& p) {
            return Json{p[0] * model.unit(), p[1] * model.unit(), p[2] * model.unit()};
        };
        out["box"] = Json{{"min", scaled(box->min)}, {"max", scaled(box->max)}};
    }
    out["mmats"] = std::move(mmats);
    return out;
}

}  // namespace

Json info(const Document& document) {
    const std::uint16_t version = document.version();
    Json out{{"name", document.header.name},
             {"version", hex(version)},
             {"generation", version <= kLastGeneration1   ? 1
                            : version < kFirstGeneration3 ? 2
                                                          : 3},
             {"frames", document.header.frames},
             {"objects", document.objects.size()}};
    std::map<std::uint16_t, std::size_t> kinds;
    for (std::size_t i = 0; i < document.frameStart; ++i) ++kinds[document.chunks[i].kind];
    Json chunks = Json::object();
    for (const auto& [kind, count] : kinds) {
        const KindInfo* known = findKind(kind, Section::Setup);
        chunks[known != nullptr ? std::string(known->name) : hex(kind)] = count;
    }
    out["chunks"] = std::move(chunks);
    out["frameRecords"] = document.chunks.size() - document.frameStart;
    std::size_t vertices = 0;
    std::size_t triangles = 0;
    Json models = Json::array();
    for (const Model& model : document.models) {
        models.push_back(infoOfModel(document, model));
        for (const Json& mmat : models.back()["mmats"]) {
            vertices += mmat["vertices"].get<std::size_t>();
            triangles += mmat["triangles"].get<std::size_t>();
        }
    }
    out["vertices"] = vertices;
    out["triangles"] = triangles;
    out["models"] = std::move(models);
    Json textures = Json::array();
    for (const Texture& texture : document.textures) {
        textures.push_back({{"name", document.nameOf(texture.object)},
                            {"width", texture.width},
                            {"height", texture.height},
                            {"psm", hex(texture.psm)},
                            {"levels", texture.levels.size()},
                            {"clut", document.nameOf(texture.clut)}});
    }
    out["textures"] = std::move(textures);
    Json animations = Json::array();
    for (const Anime& anime : document.animes) {
        animations.push_back({{"name", document.nameOf(anime.object)},
                              {"frames", anime.frames},
                              {"records", anime.records.size()},
                              {"loops", anime.loops}});
    }
    out["animations"] = std::move(animations);
    return out;
}

}  // namespace geomconv::ccsf
