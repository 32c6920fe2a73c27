#include "formats/cmp/joint.hpp"

#include <array>
#include <string>

#include "formats/utf/utf.hpp"
#include "lib/bytes/byte_reader.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv::cmp {

namespace {

Vec3 readVector(ByteReader& in, std::string_view field) {
    Vec3 v(0.0F);
    for (int i = 0; i < 3; ++i) v[i] = in.f32(field);
    return v;
}

std::size_t limitCount(JointKind kind) {
    switch (kind) {
        case JointKind::Revolute:
        case JointKind::Prismatic:
            return 2;
        case JointKind::Cylindrical:
            return 4;
        case JointKind::Sphere:
            return 6;
        default:
            return 0;
    }
}

Joint readJoint(ByteReader& in, JointKind kind) {
    Joint joint;
    joint.kind = kind;
    joint.parent = untilNul(asText(in.bytes(64, "parent name")));
    joint.child = untilNul(asText(in.bytes(64, "child name")));
    joint.position = readVector(in, "position");
    const bool moves = kind != JointKind::Fixed && kind != JointKind::Loose;
    if (moves) joint.offset = readVector(in, "offset");
    for (float& r : joint.rotation) r = in.f32("rotation");
    if (moves && kind != JointKind::Sphere) joint.axis = readVector(in, "axis");
    for (std::size_t i = 0; i < limitCount(kind); ++i) joint.limits[i] = in.f32("limit");
    return joint;
}

}  // namespace

std::optional<JointLayout> jointLayout(std::string_view fileName) {
    struct Row {
        std::string_view name;
        JointLayout layout;
    };
    static constexpr std::array<Row, 6> kRows{{{"Fix", {JointKind::Fixed, 176}},
                                               {"Loose", {JointKind::Loose, 176}},
                                               {"Rev", {JointKind::Revolute, 208}},
                                               {"Pris", {JointKind::Prismatic, 208}},
                                               {"Cyl", {JointKind::Cylindrical, 216}},
                                               {"Sphere", {JointKind::Sphere, 212}}}};
    for (const Row& row : kRows) {
        if (equalWithoutCase(row.name, fileName)) return row.layout;
    }
    return std::nullopt;
}

std::vector<Joint> readJoints(JointLayout layout, Bytes data, std::uint64_t base, Defects& defects) {
    ByteReader in(data, ByteOrder::Little, base);
    std::vector<Joint> out;
    while (in.left() >= layout.size) {
        ByteReader record = in.within("joint", std::to_string(out.size()), layout.size);
        out.push_back(readJoint(record, layout.kind));
    }
    if (in.left() > 0) {
        defects.warn("truncated", in.offset(), {{"joint", std::to_string(out.size())}},
                     "record needs " + std::to_string(layout.size) + " bytes, " + std::to_string(in.left()) + " left");
    }
    return out;
}

Mat4 restTransform(const Joint& joint) {
    const auto translation = [](const Vec3& t) {
        Mat4 m(1.0F);
        m[3] = Vec4(t, 1.0F);
        return m;
    };
    Mat4 rotation(1.0F);
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            rotation[column][row] = joint.rotation[static_cast<std::size_t>(3 * row + column)];
        }
    }
    switch (joint.kind) {
        case JointKind::Revolute:
        case JointKind::Sphere:
            return translation(joint.position) * rotation * translation(-joint.offset);
        default:
            return translation(joint.position + joint.offset) * rotation;
    }
}

}  // namespace geomconv::cmp
