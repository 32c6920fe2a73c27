#include <algorithm>
#include <cmath>

#include "formats/groove/groove.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/files/number_text.hpp"

namespace geomconv::groove {

namespace {

constexpr std::size_t kMostVertices = 8000;
constexpr std::size_t kLongestBatch = 256;

std::vector<Place> place(std::string_view noun, std::size_t number, std::string_view tag) {
    return {{std::string(noun), std::to_string(number)}, {"chunk", std::string(tag)}};
}

/// Batches: the first face opens one, none is longer than the engine's buffer.
void checkBatches(const Model& m, const std::vector<Place>& where, Defects& defects) {
    std::size_t length = 0;
    std::size_t longest = 0;
    for (const Face& f : m.faces) {
        length = (f.flags & Face::kBatch) != 0 ? 1 : length + 1;
        longest = std::max(longest, length);
    }
    if (!m.faces.empty() && (m.faces.front().flags & Face::kBatch) == 0) {
        defects.warn("batch", std::nullopt, where, "the first face opens no render batch");
    }
    if (longest > kLongestBatch) {
        defects.warn(
            "batch", std::nullopt, where,
            "a render batch of " + counted(longest, "faces") + ", " + std::to_string(kLongestBatch) + " are possible");
    }
}

/// Face planes follow from the vertices; faces without area have none.
void checkPlanes(const Model& m, const std::vector<Place>& where, Defects& defects) {
    constexpr double kTolerance = 1e-3;
    std::size_t odd = 0;
    for (const Face& f : m.faces) {
        const Vec3d a(m.vertices[f.vertices[0]].position);
        const Vec3d n =
            glm::cross(Vec3d(m.vertices[f.vertices[1]].position) - a, Vec3d(m.vertices[f.vertices[2]].position) - a);
        const double length = glm::length(n);
        if (!(length > 1e-6)) continue;
        const Vec3d unit = n / length;
        // Written so that a plane that is no number counts.
        const bool same = glm::distance(unit, Vec3d(f.normal)) <= kTolerance &&
                          std::abs(glm::dot(unit, a) - double{f.d}) <= kTolerance;
        if (!same) odd += 1;
    }
    if (odd > 0) {
        defects.warn("face-plane", std::nullopt, where,
                     std::to_string(odd) + " face planes do not follow from the vertices");
    }
}

/// The engine leaves out what lies outside of the box.
void checkBox(const Model& m, const std::vector<Place>& where, Defects& defects) {
    constexpr float kTolerance = 1e-4F;
    Vec3 low = m.boxCorners[0];
    Vec3 high = low;
    for (const Vec3& c : m.boxCorners) {
        low = glm::min(low, c);
        high = glm::max(high, c);
    }
    for (const Vertex& v : m.vertices) {
        for (int i = 0; i < 3; ++i) {
            if (v.position[i] >= low[i] - kTolerance && v.position[i] <= high[i] + kTolerance) continue;
            defects.warn("box", std::nullopt, where, "vertices lie outside of the model's box");
            return;
        }
    }
}

void checkBones(const Model& m, const std::vector<Place>& where, Defects& defects) {
    std::size_t sum = m.nStatic;
    for (const auto n : m.bones) sum += n;
    if (sum == m.vertices.size()) return;
    defects.warn(
        "bone-count", std::nullopt, where,
        "static vertices and bones hold " + std::to_string(sum) + " of " + counted(m.vertices.size(), "vertices"));
}

void checkModels(const std::vector<Model>& models, std::string_view noun, std::string_view tag, Defects& defects) {
    for (std::size_t i = 0; i < models.size(); ++i) {
        const Model& m = models[i];
        const std::vector<Place> where = place(noun, i, tag);
        if (m.vertices.size() > kMostVertices) {
            defects.warn(
                "vertex-limit", std::nullopt, where,
                counted(m.vertices.size(), "vertices") + ", the engine transforms " + std::to_string(kMostVertices));
        }
        checkBatches(m, where, defects);
        checkPlanes(m, where, defects);
        // Bones move their vertices out of the box of the bind data.
        if (m.bones.empty()) checkBox(m, where, defects);
        if (tag == "STPC") checkBones(m, where, defects);
    }
}

void checkNeedles(const Level& level, Defects& defects) {
    if (!level.map) return;
    for (const Needle& n : needles(level, defects)) {
        const auto text = [](double v) {
            std::array<char, kNumberRoom> room{};
            return std::string(room.data(), doubleText(room.data(), std::round(v * 1000.0) / 1000.0));
        };
        defects.warn("needle", std::nullopt,
                     {{"polygon", std::to_string(n.polygon)}, {"tile", std::to_string(n.tile)}, {"chunk", "MAP"}},
                     "holds up feet beside it at " + text(n.position.x) + " " + text(n.position.y) + " " +
                         text(n.position.z) + ", " +
                         (n.gap ? text(*n.gap) + " above the next floor" : std::string("no floor is below")));
    }
}

}  // namespace

void check(const Level& level, Bytes file, bool withNeedles, Defects& defects) {
    if (level.trak) checkModels(level.trak->models, "model", "TRAK", defects);
    if (level.stpc) checkModels(level.stpc->objects, "object", "STPC", defects);
    if (level.trak && level.map && level.trak->models.size() > 0 && level.map->tiles.empty()) {
        defects.warn("empty", std::nullopt, {{"chunk", "MAP"}}, "no tile places a model");
    }
    const ByteVector written = write(level);
    if (!std::equal(written.begin(), written.end(), file.begin(), file.end())) {
        const auto differs = std::mismatch(written.begin(), written.end(), file.begin(), file.end()).second;
        defects.error("round-trip", static_cast<std::uint64_t>(differs - file.begin()), {},
                      "written again the file would differ from here on");
    }
    if (withNeedles) checkNeedles(level, defects);
}

}  // namespace geomconv::groove
