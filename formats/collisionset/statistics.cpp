#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "formats/collisionset/collisionset.hpp"

namespace geomconv::collisionset {

namespace {

using Json = nlohmann::ordered_json;
using Triple = std::array<std::uint32_t, 3>;

/// Most records that a summary has a row for: a row is a hundred times larger than the smallest record.
constexpr std::size_t kRows = 4096;

/// Adds doubles with their rounding errors kept (Neumaier), so that the order of triangles does not show.
class Sum {
public:
    void add(double v) {
        const double total = sum_ + v;
        error_ += std::abs(sum_) >= std::abs(v) ? (sum_ - total) + v : (v - total) + sum_;
        sum_ = total;
    }
    double value() const { return sum_ + error_; }

private:
    double sum_ = 0.0;
    double error_ = 0.0;
};

/// Triangles that are neither bad nor index-degenerate.
std::vector<Triple> facesOf(const Record& record, Statistics& out) {
    std::vector<Triple> faces;
    faces.reserve(record.index.size() / 3);
    for (std::size_t i = 0; i + 2 < record.index.size(); i += 3) {
        const Triple t{record.index[i], record.index[i + 1], record.index[i + 2]};
        if (std::max({t[0], t[1], t[2]}) >= record.nv())
            ++out.badTriangles;
        else if (t[0] == t[1] || t[1] == t[2] || t[0] == t[2])
            ++out.indexDegenerate;
        else
            faces.push_back(t);
    }
    return faces;
}

std::uint64_t countDuplicates(std::vector<Triple> triples) {
    std::sort(triples.begin(), triples.end());
    const auto end = std::unique(triples.begin(), triples.end());
    return static_cast<std::uint64_t>(triples.end() - end);
}

std::uint64_t duplicateTriangles(std::vector<Triple> faces) {
    for (Triple& t : faces) std::sort(t.begin(), t.end());
    return countDuplicates(std::move(faces));
}

std::uint64_t duplicatePositions(const std::vector<Vec3>& vertex) {
    std::vector<Triple> keys(vertex.size());
    for (std::size_t i = 0; i < vertex.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            const float v = vertex[i][axis];
            keys[i][static_cast<std::size_t>(axis)] = v == 0.0F ? 0 : std::bit_cast<std::uint32_t>(v);
        }
    }
    return countDuplicates(std::move(keys));
}

/// Edges by their uses. An edge is (smaller index, larger index, direction) in one word: an index is below 2^29,
/// because a file is below 4 GiB.
void countEdges(const std::vector<Triple>& faces, Statistics& out) {
    std::vector<std::uint64_t> sides;
    sides.reserve(3 * faces.size());
    for (const Triple& t : faces) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint64_t a = t[k];
            const std::uint64_t b = t[(k + 1) % 3];
            sides.push_back(a < b ? a << 32 | b << 1 : b << 32 | a << 1 | 1);
        }
    }
    std::sort(sides.begin(), sides.end());
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t n = 1;
        while (i + n < sides.size() && sides[i + n] >> 1 == sides[i] >> 1) ++n;
        ++out.edges;
        if (n == 1)
            ++out.edges1;
        else if (n > 2)
            ++out.edges3plus;
        else
            ++out.edges2, out.inconsistentEdges += sides[i] == sides[i + 1];
        i += n;
    }
}

/// Components over shared vertex indices, and the vertices that no face uses.
void countComponents(const std::vector<Triple>& faces, Statistics& out) {
    std::vector<std::uint32_t> parent(static_cast<std::size_t>(out.vertices));
    std::iota(parent.begin(), parent.end(), 0U);
    std::vector<bool> used(parent.size());
    const auto root = [&parent](std::uint32_t v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    for (const Triple& t : faces) {
        for (const std::uint32_t v : t) used[v] = true;
        const std::uint32_t a = root(t[0]);
        parent[root(t[1])] = a;
        parent[root(t[2])] = a;
    }
    for (std::uint32_t v = 0; v < parent.size(); ++v) {
        if (!used[v])
            ++out.unusedVertices;
        else if (parent[v] == v)
            ++out.components;
    }
}

void measureBox(const std::vector<Vec3>& vertex, Statistics& out) {
    for (const Vec3& v : vertex) {
        if (!isFinite(v)) {
            ++out.nonfiniteVertices;
            continue;
        }
        const Vec3d p = Vec3d(v) + Vec3d(0.0);  // -0 becomes +0
        if (!out.bbox) out.bbox = Box{p, p};
        out.bbox->min = glm::min(out.bbox->min, p);
        out.bbox->max = glm::max(out.bbox->max, p);
    }
}

void measureFaces(const Record& record, const std::vector<Triple>& faces, Statistics& out) {
    const Vec3d centre = out.bbox ? (out.bbox->min + out.bbox->max) / 2.0 : Vec3d(0.0);
    Sum area;
    Sum volume;
    bool allFinite = true;
    for (const Triple& t : faces) {
        if (!isFinite(record.vertex[t[0]]) || !isFinite(record.vertex[t[1]]) || !isFinite(record.vertex[t[2]])) {
            allFinite = false;
            continue;
        }
        const Vec3d a(record.vertex[t[0]]);
        const Vec3d u = Vec3d(record.vertex[t[1]]) - a;
        const Vec3d w = Vec3d(record.vertex[t[2]]) - a;
        const Vec3d n(u.y * w.z - u.z * w.y, u.z * w.x - u.x * w.z, u.x * w.y - u.y * w.x);
        if (n.x == 0.0 && n.y == 0.0 && n.z == 0.0) ++out.zeroArea;
        area.add(std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z) / 2.0);
        volume.add(((a.x - centre.x) * n.x + (a.y - centre.y) * n.y + (a.z - centre.z) * n.z) / 6.0);
    }
    if (!allFinite) return;
    out.area = area.value();
    if (out.oriented()) out.signedVolume = volume.value();
}

Json vectorJson(const std::optional<Box>& box, Vec3d Box::*corner) {
    if (!box) return nullptr;
    const Vec3d& v = (*box).*corner;
    return {v.x, v.y, v.z};
}

template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json recordJson(const Record& record, const Statistics& s) {
    const std::string_view name = record.name();
    return {
        {"record", record.number},
        {"offset", record.offset},
        {"bytes", 8 + record.size()},
        {"name", printable(name)},
        {"nameLen", record.nameField.size()},
        {"family", family(name)},
        {"part", part(name)},
        {"vertices", s.vertices},
        {"triangles", s.triangles},
        {"indexDegenerate", s.indexDegenerate},
        {"badTriangles", s.badTriangles},
        {"unusedVertices", s.unusedVertices},
        {"duplicatePositions", s.duplicatePositions},
        {"nonfiniteVertices", s.nonfiniteVertices},
        {"duplicateTriangles", s.duplicateTriangles},
        {"zeroArea", s.zeroArea},
        {"edges", s.edges},
        {"edges1", s.edges1},
        {"edges2", s.edges2},
        {"edges3plus", s.edges3plus},
        {"edges2Percent", orNull(s.edges2Percent())},
        {"closed", s.closed()},
        {"inconsistentEdges", s.inconsistentEdges},
        {"oriented", s.oriented()},
        {"components", s.components},
        {"euler", s.euler},
        {"eulerStored", s.eulerStored},
        {"bboxMin", vectorJson(s.bbox, &Box::min)},
        {"bboxMax", vectorJson(s.bbox, &Box::max)},
        {"bboxDiagonal", orNull(s.bboxDiagonal())},
        {"area", orNull(s.area)},
        {"signedVolume", orNull(s.signedVolume)},
    };
}

void count(Json& histogram, std::string_view key) {
    Json& n = histogram[std::string(key)];
    n = n.is_null() ? std::uint64_t{1} : n.get<std::uint64_t>() + 1;
}

/// The figures of a library: sums over its records, and what its names tell.
class Totals {
public:
    void add(const Record& record, const Statistics& s) {
        count(families_, family(record.name()));
        count(parts_, part(record.name()));
        ++nameLens_[record.nameField.size()];
        ++names_[printable(record.name())];
        sum_.vertices += s.vertices;
        sum_.triangles += s.triangles;
        sum_.edges += s.edges;
        sum_.edges1 += s.edges1;
        sum_.edges2 += s.edges2;
        sum_.edges3plus += s.edges3plus;
        sum_.euler += s.euler;
        sum_.eulerStored += s.eulerStored;
        closed_ += s.closed();
        euler2_ += s.euler == 2;
        if (s.bbox && !sum_.bbox) sum_.bbox = s.bbox;
        if (s.bbox) sum_.bbox = Box{glm::min(sum_.bbox->min, s.bbox->min), glm::max(sum_.bbox->max, s.bbox->max)};
    }

    Json json(const Reading& reading) const {
        Json histogram = Json::object();
        for (const auto& [length, n] : nameLens_) histogram[std::to_string(length)] = n;
        Json duplicates = Json::array();
        for (const auto& [name, n] : names_) {
            if (n > 1) duplicates.push_back(name);
        }
        const Json order = reading.byteOrder ? Json(*reading.byteOrder == ByteOrder::Big ? "be" : "le") : Json(nullptr);
        return {{"byteOrder", order},
                {"bytes", reading.bytes},
                {"records", reading.library.records.size()},
                {"vertices", sum_.vertices},
                {"triangles", sum_.triangles},
                {"edges", sum_.edges},
                {"edges1", sum_.edges1},
                {"edges2", sum_.edges2},
                {"edges3plus", sum_.edges3plus},
                {"euler", sum_.euler},
                {"eulerStored", sum_.eulerStored},
                {"closed", closed_},
                {"euler2", euler2_},
                {"nameLenHistogram", histogram},
                {"duplicateNames", duplicates},
                {"families", families_},
                {"parts", parts_},
                {"bboxMin", vectorJson(sum_.bbox, &Box::min)},
                {"bboxMax", vectorJson(sum_.bbox, &Box::max)}};
    }

private:
    Json families_ = Json::object();
    Json parts_ = Json::object();
    std::map<std::size_t, std::uint64_t> nameLens_;
    std::map<std::string, std::uint64_t> names_;
    Statistics sum_;
    std::uint64_t closed_ = 0;
    std::uint64_t euler2_ = 0;
};

}  // namespace

std::optional<double> Statistics::edges2Percent() const {
    if (edges == 0) return std::nullopt;
    // Two decimals, rounded as printing rounds.
    std::array<char, 32> text{};
    const double percent = 100.0 * static_cast<double>(edges2) / static_cast<double>(edges);
    const auto end = std::to_chars(text.data(), text.data() + text.size(), percent, std::chars_format::fixed, 2).ptr;
    double rounded = 0.0;
    std::from_chars(text.data(), end, rounded);
    return rounded;
}

std::optional<double> Statistics::bboxDiagonal() const {
    if (!bbox) return std::nullopt;
    const Vec3d d = bbox->max - bbox->min;
    return std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

Statistics statistics(const Record& record) {
    Statistics out;
    out.vertices = record.nv();
    out.triangles = record.nt();
    const std::vector<Triple> faces = facesOf(record, out);
    out.duplicateTriangles = duplicateTriangles(faces);
    out.duplicatePositions = duplicatePositions(record.vertex);
    countEdges(faces, out);
    countComponents(faces, out);
    measureBox(record.vertex, out);
    measureFaces(record, faces, out);
    const auto edges = static_cast<std::int64_t>(out.edges);
    out.euler =
        static_cast<std::int64_t>(out.vertices - out.unusedVertices) - edges + static_cast<std::int64_t>(faces.size());
    out.eulerStored = static_cast<std::int64_t>(out.vertices) - edges + static_cast<std::int64_t>(out.triangles);
    return out;
}

Json summary(const Reading& reading) {
    Json records = Json::array();
    Totals totals;
    for (const Record& record : reading.library.records) {
        const Statistics s = statistics(record);
        if (records.size() < kRows) records.push_back(recordJson(record, s));
        totals.add(record, s);
    }
    Json out{{"library", totals.json(reading)}};
    if (reading.unreadBytes + reading.droppedRecords + reading.droppedTriangles > 0) {
        out["recovered"] = {{"unreadBytes", reading.unreadBytes},
                            {"droppedRecords", reading.droppedRecords},
                            {"droppedTriangles", reading.droppedTriangles}};
    }
    if (reading.library.records.size() > kRows) out["recordsLeftOut"] = reading.library.records.size() - kRows;
    out["records"] = std::move(records);
    return out;
}

}  // namespace geomconv::collisionset
