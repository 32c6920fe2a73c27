// tinyobjloader as a witness: it reads the same triangles from every sound file, but for those below, each with its
// reason.

#include <gtest/gtest.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "tests/unit/obj/read_support.hpp"

namespace geomconv::obj {
namespace {

using test_support::readFile;
using test_support::vectors;

/// Position, uv, normal; what is missing is zero.
using Vertex = std::array<float, 8>;
using Triangle = std::array<Vertex, 3>;

const std::map<std::string_view, std::string_view> kWhereTheWitnessErrs{
    {"good_bom", "loses the vertex behind the byte order mark"},
    {"good_comments", "refuses a comment behind a face"},
    {"good_continuation", "does not know joined lines"},
    {"good_long_normals", "keeps normals that are not one long, which a scene does not"},
    {"warn_inf_uv", "reads inf as 0 and 1e400 as infinity"},
    {"warn_mixed_corners", "keeps a uv at some corners of a face"},
    {"warn_nan_normal", "reads nan as 0"},
    {"warn_uv_index_without_uvs", "keeps indices into lists that are empty"},
};

Vertex vertexOf(const Primitive& p, std::uint32_t i) {
    Vertex v{p.positions[i].x, p.positions[i].y, p.positions[i].z};
    // The file's v again; the subtraction in float is what the witness' value is compared with below.
    if (!p.uvs.empty()) v[3] = p.uvs[i].x, v[4] = static_cast<float>(1.0 - static_cast<double>(p.uvs[i].y));
    if (!p.normals.empty()) v[5] = p.normals[i].x, v[6] = p.normals[i].y, v[7] = p.normals[i].z;
    return v;
}

std::vector<Triangle> trianglesOf(const Scene& scene) {
    std::vector<Triangle> out;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& p : mesh.primitives) {
            if (p.topology != Topology::Triangles) continue;
            for (std::size_t i = 0; i + 2 < p.indices.size(); i += 3) {
                out.push_back(
                    {vertexOf(p, p.indices[i]), vertexOf(p, p.indices[i + 1]), vertexOf(p, p.indices[i + 2])});
            }
        }
    }
    return out;
}

/// The witness' triangles; nullopt when it refuses the file or gives an index that is in no list.
std::optional<std::vector<Triangle>> witnessed(const std::string& obj) {
    tinyobj::ObjReader reader;
    tinyobj::ObjReaderConfig config;
    config.triangulate = true;
    if (!reader.ParseFromString(obj, "", config)) return std::nullopt;
    const tinyobj::attrib_t& a = reader.GetAttrib();
    std::vector<Triangle> out;
    for (const tinyobj::shape_t& shape : reader.GetShapes()) {
        for (std::size_t i = 0; i + 2 < shape.mesh.indices.size(); i += 3) {
            Triangle triangle{};
            for (std::size_t k = 0; k < 3; ++k) {
                const tinyobj::index_t index = shape.mesh.indices[i + k];
                const auto take = [&](int at, const std::vector<float>& from, std::size_t width, std::size_t to) {
                    const auto first = static_cast<std::size_t>(at) * width;
                    if (at < 0 || first + width > from.size()) return false;
                    for (std::size_t n = 0; n < width; ++n) triangle[k][to + n] = from[first + n];
                    return true;
                };
                if (!take(index.vertex_index, a.vertices, 3, 0)) return std::nullopt;
                if (index.texcoord_index != -1 && !take(index.texcoord_index, a.texcoords, 2, 3)) return std::nullopt;
                if (index.normal_index != -1 && !take(index.normal_index, a.normals, 3, 5)) return std::nullopt;
            }
            out.push_back(triangle);
        }
    }
    return out;
}

bool same(std::vector<Triangle> a, std::vector<Triangle> b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
}

/// Sum of the area vectors: what a polygon's cut into triangles does not change.
Vec3d areaOf(const std::vector<Triangle>& triangles) {
    Vec3d sum(0.0);
    for (const Triangle& t : triangles) {
        const auto at = [&](std::size_t k) { return Vec3d(t[k][0], t[k][1], t[k][2]); };
        sum += glm::cross(at(1) - at(0), at(2) - at(0)) / 2.0;
    }
    return sum;
}

TEST(ObjWitness, ReadsTheSameTrianglesFromEverySoundFile) {
    std::size_t agreed = 0;
    for (const auto& path : test::filesIn(vectors(), ".obj")) {
        const std::string name = path.stem().string();
        if (name.starts_with("bad_")) continue;
        Defects defects;
        const std::vector<Triangle> ours = trianglesOf(readFile(path, defects));
        const auto theirs = witnessed(test::readText(path));
        const bool polygons = name == "good_quad" || name == "good_concave" || name == "good_ngon";
        const bool agree = theirs && (polygons ? theirs->size() == ours.size() && areaOf(*theirs) == areaOf(ours)
                                               : same(ours, *theirs));
        const auto reason = kWhereTheWitnessErrs.find(name);
        EXPECT_EQ(agree, reason == kWhereTheWitnessErrs.end())
            << name
            << (reason == kWhereTheWitnessErrs.end() ? std::string()
                                                     : ": expected to err, it " + std::string(reason->second));
        agreed += agree ? 1U : 0U;
    }
    std::printf("%zu files read alike\n", agreed);
}

TEST(ObjWitness, TakesWhatWeRefuse) {
    // None of these may reach a scene; the witness reads each without an error.
    for (const char* name : {"bad_nan_position", "bad_inf_position", "bad_junk_number", "bad_index_range"}) {
        tinyobj::ObjReader reader;
        EXPECT_TRUE(reader.ParseFromString(test::readText(vectors() / (std::string(name) + ".obj")), "")) << name;
    }
}

}  // namespace
}  // namespace geomconv::obj
