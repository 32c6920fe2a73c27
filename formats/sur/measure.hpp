#pragma once

#include <limits>
#include <vector>

#include "formats/sur/sur.hpp"
#include "lib/geometry/mass_properties.hpp"

// What the numbers of a part come to, for `check` and `info`: figures only, no judgement.
namespace geomconv::sur {

/// A box in double; empty until something is added.
struct Span {
    Vec3d minimum{std::numeric_limits<double>::infinity()};
    Vec3d maximum{-std::numeric_limits<double>::infinity()};

    bool empty() const { return !(minimum.x <= maximum.x); }
    void add(const Vec3d& p) {
        minimum = glm::min(minimum, p);
        maximum = glm::max(maximum, p);
    }
    void add(const Span& other) {
        minimum = glm::min(minimum, other.minimum);
        maximum = glm::max(maximum, other.maximum);
    }
    /// How far `inner` sticks out on the worst side; zero or less when it is inside.
    double missedBy(const Span& inner) const;
};

/// Plane-against-point tests that a file may cost, some half a second: real files need a hundredth of it, and a file
/// made of the largest hulls there can be would need minutes.
class Effort {
public:
    /// Whether this many more tests may be done.
    bool spend(std::uint64_t tests) {
        if (tests > left_) return false;
        left_ -= tests;
        return true;
    }

private:
    std::uint64_t left_ = 400'000'000;
};

struct HullMeasure {
    std::vector<std::uint32_t> own;  ///< the points its faces use, rising
    Span box;                        ///< of them
    double size = 0.0;               ///< farthest of them from their mean
    double volume = 0.0;
    bool flat = false;  ///< no volume to speak of: a legal hull of two sides
    /// Farthest that a point stands out over a face, in units; 0 for a convex hull; absent when it would cost too much.
    std::optional<double> bulge;
    std::size_t zeroArea = 0;        ///< faces without area
    std::size_t openEdges = 0;       ///< edges without a reverse
    std::size_t doubleEdges = 0;     ///< edges wound twice
    std::size_t wrongOpposites = 0;  ///< links that lead nowhere or to an edge that is not the reverse
};
HullMeasure measureHull(const Surface& surface, const Hull& hull, Effort& effort);

/// The box of a node as a reader decodes it.
Span boxOf(const Node& node);

/// What the rounding of a stored centre and radius comes to, so that sound boxes pass.
double slackOf(const Node& node);

struct PartMeasure {
    std::vector<HullMeasure> hulls;   ///< as Surface::hulls
    MassProperties mass;              ///< of the terminal hulls
    Span extent;                      ///< by the rule of "exts": terminal hulls that are no hardpoint hulls, or all
    std::vector<Span> below;          ///< per node: the points of the hulls below it
    std::vector<std::uint32_t> last;  ///< per node: the last node of its subtree, which in pre-order is one run
    std::size_t depth = 0;            ///< nodes on the longest way down
    std::uint8_t deviation = 0;       ///< derived byte
    bool deviationOnStep = false;     ///< the byte may as well be one lower or higher
};
/// surface: part.surface, which must be there.
PartMeasure measurePart(const Part& part, const Surface& surface, Effort& effort);

/// What the bounding sphere and box of a leaf are by its hull's points.
struct LeafBounds {
    Vec3d center{0.0};
    double radius = 0.0;
};
LeafBounds leafBounds(const Span& box);

}  // namespace geomconv::sur
