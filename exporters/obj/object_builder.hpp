#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "exporters/obj/corners.hpp"
#include "exporters/obj/pod_buffer.hpp"
#include "exporters/obj/tally.hpp"
#include "lib/scene/scene.hpp"

namespace geomconv::obj {

/// What the v, vt and vn lines of a file say, in its order.
struct VertexLines {
    static constexpr Vec4 kNoColor{-1.0F, -1.0F, -1.0F, -1.0F};

    PodBuffer<Vec3> positions;
    PodBuffer<Vec4> colors;   ///< empty while no line has one; kNoColor for lines without
    PodBuffer<Vec2> uvs;      ///< v turned to run down
    PodBuffer<Vec3> normals;  ///< of unit length, or NaN
};

/// Makes nodes and meshes of elements: faces, lines and points under the object, group and material that are in force.
/// An object is a node; a group of an object is a child node with kGroupMark, a group outside of objects a node. Each
/// has a mesh of one primitive per material, topology and kind of corner, in the order of first use.
class ObjectBuilder {
public:
    /// defaultName: of what belongs to no object and no group.
    /// faithful: as kFaithful says.
    ObjectBuilder(const VertexLines& lines, Scene& scene, std::string defaultName, bool faithful);

    /// seen: v lines so far; those from one object to the next are the object's own.
    void object(std::string name, std::size_t seen);
    void group(std::string name);
    /// name: as the usemtl line has it.
    void material(std::optional<std::uint32_t> material, std::string_view name);

    // Elements; all corners of one have a uv or none has, and normals likewise.
    void face(const PodBuffer<Corner>& corners);
    void polyline(const PodBuffer<Corner>& corners);
    void points(const PodBuffer<Corner>& corners);

    /// Ends the last object. Objects of bare vertices that no element uses become clouds of points.
    void finish(std::size_t seen);

    std::size_t elements() const { return elements_; }
    const Tally& badNormals() const { return badNormals_; }
    const Tally& badUvs() const { return badUvs_; }
    std::size_t unusedVertices() const { return unusedVertices_; }

private:
    /// What decides which primitive an element belongs to.
    struct Key {
        std::uint32_t group = 0;
        std::uint32_t material = kNoMaterial;
        std::uint32_t trail = 0;  ///< faithful: which of trails_
        Topology topology = Topology::Triangles;
        bool uvs = false;
        bool normals = false;
        auto operator<=>(const Key&) const = default;
    };
    static constexpr std::uint32_t kNoMaterial = 0xffffffff;
    /// The name of the last o or g line (empty: none), then those of the usemtl lines behind it.
    using Trail = std::vector<std::string>;
    static constexpr std::size_t kLongestTrail = 16;

    /// A primitive that elements are added to. corners: vertices of the table, three to a triangle.
    struct Open {
        Key key;
        std::uint32_t number = 0;
        PodBuffer<std::uint32_t> corners;
        PodBuffer<std::uint32_t> faceSizes;  ///< empty while all faces are triangles
    };

    /// An object of bare vertices: its node and its v lines.
    struct Bare {
        std::uint32_t node;
        std::size_t first;
        std::size_t last;
    };

    void cutPolygon();
    void addFaceSizes(Open& to);
    void keepTrail();
    Open& openFor(Topology topology, const Corner& corner);
    void endObject(std::size_t seen);
    std::vector<Primitive> closePrimitives();
    void addNodes(std::vector<Primitive> primitives);
    std::uint32_t addNode(std::string name, std::optional<std::uint32_t> parent);
    /// trails: of each primitive, where they are kept.
    void addMesh(std::uint32_t node, std::vector<Primitive> primitives, const std::vector<std::uint32_t>& trails = {});
    void dropBadAttributes(Mesh& mesh);
    void makeClouds();
    void dropNodes(const std::vector<bool>& dropped);

    const VertexLines& lines_;
    Scene& scene_;
    bool faithful_;

    // The object that elements are being added to.
    std::string name_;
    bool isObject_ = false;  ///< there was an o line
    std::size_t firstPosition_ = 0;
    std::vector<std::string> groups_{std::string()};  ///< the first is the object itself
    std::unordered_map<std::string, std::uint32_t> groupByName_;
    std::vector<std::unique_ptr<Open>> open_;
    std::map<Key, std::uint32_t> openByKey_;
    CornerTable table_;

    // What the next element belongs to.
    std::uint32_t group_ = 0;
    std::uint32_t material_ = kNoMaterial;
    Trail trail_{std::string()};
    std::map<Trail, std::uint32_t> trails_{{trail_, 0}};
    std::vector<const Trail*> trailList_{&trails_.begin()->first};
    std::uint32_t trailNumber_ = 0;
    Open* current_ = nullptr;

    std::vector<Bare> bare_;
    std::vector<bool> used_;  ///< per v line
    std::size_t elements_ = 0;
    std::size_t unusedVertices_ = 0;
    Tally badNormals_;
    Tally badUvs_;

    // Kept between faces, so that they are not allocated each time.
    std::vector<Vec3> polygon_;
    std::vector<std::array<std::uint32_t, 3>> triangles_;
    std::vector<std::uint32_t> ring_;
};

}  // namespace geomconv::obj
