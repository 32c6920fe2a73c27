#include <gtest/gtest.h>
#include <zlib.h>

#include <iostream>
#include <numeric>

#include "formats/groove/floortest.hpp"
#include "tests/unit/groove/vectors.hpp"

namespace geomconv::groove {
namespace {

using nlohmann::json;

TEST(GrooveFloor, SineTableIsThatOfTheDocument) {
    const auto& table = sineTable();
    const auto* bytes = reinterpret_cast<const Bytef*>(table.data());
    EXPECT_EQ(crc32(0, bytes, sizeof table), 0x1fb3f29fU);
    EXPECT_EQ(std::accumulate(table.begin(), table.end(), 0, [](int sum, int v) { return sum + std::abs(v); }),
              10680676);
    EXPECT_EQ(table[683], 3548);
    EXPECT_EQ(table[1023], 4096);
}

json hitOf(const std::optional<FloorHit>& hit) {
    if (!hit) return nullptr;
    return {{"tile", hit->tile}, {"poly", hit->polygon}, {"h", hit->h}, {"mat", hit->material}, {"dist", hit->dist}};
}

FloorProbe probeOf(const json& q) {
    FloorProbe p{q["p"][0], q["p"][1], q["p"][2]};
    p.offset = q.value("off", kProbeOffset);
    p.stratFlags = q.value("sflags", 0U);
    return p;
}

TEST(GrooveFloor, AnswersEveryProbeOfTheVectorsToTheBit) {
    std::size_t probes = 0;
    for (const auto& v : test::levelVectors()) {
        Defects defects;
        const FloorTest test(read(v.bytes, false, defects));
        for (const json& q : v.expected["floor"]) {
            SCOPED_TRACE(v.path.filename().string() + " " + q["p"].dump());
            const FloorResult r = test.probe(probeOf(q));
            probes += 1;
            EXPECT_EQ(outcomeName(r.outcome), q["result"]);
            EXPECT_EQ(json::array({r.cellX, r.cellZ}), q["cell"]);
            if (q["result"] == "outside") continue;
            EXPECT_EQ(hitOf(r.found), q["found"]);
            EXPECT_EQ(hitOf(r.above), q["above"]);
            EXPECT_EQ(hitOf(r.ceiling), q.value("ceiling", json(nullptr)));
            EXPECT_EQ(r.h ? json(*r.h) : json(nullptr), q["h"]);
        }
    }
    std::cout << "groove: " << probes << " floor probes\n";
}

TEST(GrooveFloor, CandidatesAgreeWithTheProbe) {
    for (const auto& v : test::levelVectors()) {
        Defects defects;
        const FloorTest test(read(v.bytes, false, defects));
        for (const json& q : v.expected["floor"]) {
            const FloorProbe probe = probeOf(q);
            const FloorResult r = test.probe(probe);
            const auto candidates = test.candidates(probe);
            EXPECT_EQ(candidates.size(), test.polygonsAt(probe));
            const FloorCandidate* best = nullptr;
            for (const FloorCandidate& c : candidates) {
                if (c.verdict == FloorVerdict::Passes && c.dist < 1000000 && (best == nullptr || c.dist < best->dist))
                    best = &c;
            }
            ASSERT_EQ(best != nullptr, r.found.has_value());
            if (best == nullptr) continue;
            EXPECT_EQ(best->tile, r.found->tile);
            EXPECT_EQ(best->polygon, r.found->polygon);
            EXPECT_EQ(best->h, r.found->h);
        }
    }
}

TEST(GrooveFloor, FindsTheNeedlesOfTheVectors) {
    std::size_t found = 0;
    for (const auto& v : test::levelVectors()) {
        SCOPED_TRACE(v.path.filename().string());
        Defects defects;
        json list = json::array();
        const auto all = needles(read(v.bytes, false, defects), defects);
        const json& expected = v.expected["needles"];
        ASSERT_EQ(all.size(), expected.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_EQ(all[i].tile, expected[i][0]);
            EXPECT_EQ(all[i].polygon, expected[i][1]);
            for (int k = 0; k < 3; ++k) {
                EXPECT_NEAR(all[i].position[k], expected[i][2][static_cast<std::size_t>(k)].get<double>(), 5.1e-4);
            }
        }
        found += all.size();
    }
    std::cout << "groove: " << found << " needles\n";
}

TEST(GrooveFloor, ReadsProbesByLine) {
    const auto probes =
        readProbes("1 2 3\n\n# a comment\r\n  57.204 2.27\t+43.733 \r\n-0.5 -1e1 0.0001220703125\n", {});
    ASSERT_EQ(probes.size(), 3U);
    EXPECT_EQ(probes[0].z, 12288);
    EXPECT_EQ(probes[1].x, 234308);
    EXPECT_EQ(probes[1].y, 9298);
    EXPECT_EQ(probes[1].z, 179130);
    EXPECT_EQ(probes[2].x, -2048);
    EXPECT_EQ(probes[2].y, -40960);
    EXPECT_EQ(probes[2].z, 1) << "half away from zero";
    EXPECT_THROW(readProbes("1 2\n", {}), FormatError);
    EXPECT_THROW(readProbes("1 2 3 4\n", {}), FormatError);
    EXPECT_THROW(readProbes("1 2 nan\n", {}), FormatError);
    EXPECT_THROW(readProbes("1 2 600000\n", {}), FormatError);
}

}  // namespace
}  // namespace geomconv::groove
