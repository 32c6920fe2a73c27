#include <algorithm>
#include <charconv>
#include <cmath>

#include "formats/groove/scene_parts.hpp"

namespace geomconv::groove {

namespace {

constexpr double kGap = 0.5;
/// Frames per second of the original's animations: not in the files.
constexpr float kFrameRate = 30.0F;
/// Which animation moves which model is decided by scripts, so all that fit are given; this many values at most.
constexpr std::uint64_t kMostValues = 4'000'000;

/// Rotation, scale and translation of a bone, file space.
struct Trs {
    Vec3d translation{0.0};
    Quatd rotation{1.0, 0.0, 0.0, 0.0};
    Vec3d scale{1.0};
};

Mat4d inSceneSpace(const Mat4d& exportMatrix, bool exportSpace) {
    if (exportSpace) return exportMatrix;
    Mat4d mirror(1.0);
    mirror[2][2] = -1.0;
    return mirror * exportMatrix * mirror;
}

bool finite(const Mat4d& m) {
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 4; ++r) {
            if (!std::isfinite(m[c][r])) return false;
        }
    }
    return true;
}

/// nullopt for shear, mirroring and collapsed axes, which no TRS can say.
std::optional<Trs> decomposed(const Mat4d& m) {
    Trs out;
    out.translation = Vec3d(m[3]);
    Mat3d rotation(m);
    for (int c = 0; c < 3; ++c) {
        out.scale[c] = glm::length(rotation[c]);
        if (!(out.scale[c] > 1e-6)) return std::nullopt;
        rotation[c] /= out.scale[c];
    }
    const Mat3d unit = glm::transpose(rotation) * rotation;
    for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) {
            if (std::abs(unit[c][r] - (c == r ? 1.0 : 0.0)) > 1e-3) return std::nullopt;
        }
    }
    if (glm::determinant(rotation) < 0.0) return std::nullopt;
    out.rotation = glm::normalize(glm::quat_cast(rotation));
    return out;
}

/// Animation and frame that pose the skinned models.
struct Pose {
    bool automatic = false;
    std::size_t animation = 0;
    std::int32_t frame = 0;
};

std::optional<Pose> parsePose(std::string_view text) {
    if (text == "none") return std::nullopt;
    Pose pose;
    pose.automatic = text == "auto" || text.empty();
    if (pose.automatic) return pose;
    const std::size_t at = text.find('@');
    const auto number = [](std::string_view digits, auto& value) {
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return read.ec == std::errc() && read.ptr == digits.data() + digits.size() && !digits.empty();
    };
    const bool good = number(text.substr(0, at), pose.animation) &&
                      (at == std::string_view::npos || number(text.substr(at + 1), pose.frame)) && pose.frame >= 0;
    if (!good) {
        throw FormatError("pose", "'" + std::string(text) + "' is no pose: auto, none or ANIMATION@FRAME by number");
    }
    return pose;
}

/// The bone of each vertex; vertices in front of the first bone's belong to none (UINT32_MAX). Empty when the counts
/// do not add up.
std::vector<std::uint32_t> bonesOfVertices(const Model& m) {
    std::vector<std::uint32_t> out(std::min<std::size_t>(m.nStatic, m.vertices.size()), UINT32_MAX);
    for (std::uint32_t b = 0; b < m.bones.size(); ++b) {
        if (m.bones[b] > m.vertices.size() - out.size()) return {};
        out.insert(out.end(), m.bones[b], b);
    }
    if (out.size() != m.vertices.size()) out.clear();
    return out;
}

/// What skins one object: matrices of its bones in the pose, scene space.
struct Posed {
    std::vector<std::uint32_t> boneOf;  ///< per vertex
    std::vector<Mat4d> matrices;        ///< per bone
};

std::optional<Posed> posed(const Stpc& stpc, const Model& model, const std::optional<Pose>& pose, bool exportSpace) {
    if (model.bones.empty() || !pose || !stpc.animationsKnown) return std::nullopt;
    const auto fits = [&model](const Animation& a, std::int32_t frame) {
        return a.hasBones() && static_cast<std::size_t>(a.nBones) == model.bones.size() && frame < a.nFrames;
    };
    const Animation* animation = nullptr;
    if (!pose->automatic) {
        if (pose->animation < stpc.animations.size()) animation = &stpc.animations[pose->animation];
        if (animation != nullptr && !fits(*animation, pose->frame)) animation = nullptr;
    } else {
        for (const Animation& a : stpc.animations) {
            if (animation == nullptr && fits(a, 0)) animation = &a;
        }
    }
    if (animation == nullptr) return std::nullopt;
    Posed out;
    out.boneOf = bonesOfVertices(model);
    if (out.boneOf.empty()) return std::nullopt;
    for (std::int32_t b = 0; b < animation->nBones; ++b) {
        const Mat4d m = inSceneSpace(boneMatrix(stpc, *animation, pose->frame, b), exportSpace);
        if (!finite(m)) return std::nullopt;
        out.matrices.push_back(m);
    }
    return out;
}

/// Vertices moved by their bones, so that a writer without skins shows the pose too.
void applyPose(Primitive& p, const ModelPart& part, const Posed& pose) {
    for (std::size_t i = 0; i < part.corners.size(); ++i) {
        const std::uint32_t bone = pose.boneOf[part.corners[i] >> 2];
        if (bone == UINT32_MAX) continue;
        const Mat4d& m = pose.matrices[bone];
        p.positions[i] = Vec3(Vec3d(m * glm::dvec4(Vec3d(p.positions[i]), 1.0)));
        const Vec3d n = Mat3d(m) * Vec3d(p.normals[i]);
        if (glm::length(n) > 1e-9) p.normals[i] = Vec3(glm::normalize(n));
    }
}

/// Lowest and highest x of a mesh.
std::optional<std::pair<float, float>> widthOf(const Mesh& mesh) {
    std::optional<std::pair<float, float>> out;
    for (const Primitive& p : mesh.primitives) {
        for (const Vec3& v : p.positions) {
            if (!out) out = {v.x, v.x};
            out->first = std::min(out->first, v.x);
            out->second = std::max(out->second, v.x);
        }
    }
    return out;
}

Vec4 asVec4(const Quatd& q) {
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

/// One object of the scene whose bones are nodes: joint 0 holds what no bone moves, joint 1 + b is bone b.
struct Skeleton {
    std::uint32_t firstBone = 0;  ///< Scene::nodes
    std::size_t bones = 0;
};

/// Joints, skin and influences. The mesh is in the pose already: inverse bind matrices undo the joints' own.
std::optional<Skeleton> addSkin(Scene& scene, std::uint32_t meshNode, const Posed& pose,
                                const std::vector<ModelPart>& parts, double shift) {
    std::vector<Trs> locals;
    for (const Mat4d& m : pose.matrices) {
        const auto trs = decomposed(m);
        if (!trs) return std::nullopt;
        locals.push_back(*trs);
    }
    const std::string name = scene.nodes[meshNode].name;
    Skin skin;
    skin.name = name;
    const auto root = static_cast<std::uint32_t>(scene.nodes.size());
    Node rootNode;
    rootNode.name = name + "_bones";
    rootNode.content = Content::Objects;
    rootNode.translation = Vec3(static_cast<float>(shift), 0.0F, 0.0F);
    scene.nodes.push_back(rootNode);
    Mat4d toObject(1.0);
    toObject[3].x = -double{rootNode.translation.x};
    skin.skeletonRoot = root;
    skin.joints.push_back(root);
    skin.inverseBindMatrices.push_back(Mat4(toObject));
    for (std::size_t b = 0; b < locals.size(); ++b) {
        Node bone;
        bone.name = numbered(name + "_bone_", b, 2);
        bone.parent = root;
        bone.content = Content::Objects;
        bone.translation = Vec3(locals[b].translation);
        const Vec4 q = asVec4(locals[b].rotation);
        bone.rotation = quat(q.x, q.y, q.z, q.w);
        bone.scale = Vec3(locals[b].scale);
        skin.joints.push_back(static_cast<std::uint32_t>(scene.nodes.size()));
        skin.inverseBindMatrices.push_back(Mat4(glm::inverse(pose.matrices[b]) * toObject));
        scene.nodes.push_back(std::move(bone));
    }
    Mesh& mesh = scene.meshes[*scene.nodes[meshNode].mesh];
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Influences in;
        for (const std::uint32_t corner : parts[i].corners) {
            const std::uint32_t bone = pose.boneOf[corner >> 2];
            const auto joint = static_cast<std::uint16_t>(bone == UINT32_MAX ? 0 : bone + 1);
            in.joints.push_back({joint, 0, 0, 0});
            in.weights.emplace_back(1.0F, 0.0F, 0.0F, 0.0F);
        }
        mesh.primitives[i].influences.push_back(std::move(in));
    }
    scene.nodes[meshNode].skin = static_cast<std::uint32_t>(scene.skins.size());
    scene.skins.push_back(std::move(skin));
    return Skeleton{root + 1, locals.size()};
}

/// The three channels of a bone over all frames; false when a frame is no TRS.
bool addChannels(geomconv::Animation& out, const Stpc& stpc, const Animation& a, std::int32_t bone, std::uint32_t node,
                 bool exportSpace) {
    std::array<Channel, 3> channels;
    channels[0].path = ChannelPath::Translation;
    channels[1].path = ChannelPath::Rotation;
    channels[2].path = ChannelPath::Scale;
    Quatd last(1.0, 0.0, 0.0, 0.0);
    for (std::int32_t f = 0; f < a.nFrames; ++f) {
        const Mat4d m = inSceneSpace(boneMatrix(stpc, a, f, bone), exportSpace);
        const auto trs = finite(m) ? decomposed(m) : std::nullopt;
        if (!trs) return false;
        // The shorter way round between frames.
        const Quatd q = glm::dot(trs->rotation, last) < 0.0 ? -trs->rotation : trs->rotation;
        last = q;
        for (Channel& c : channels) c.times.push_back(static_cast<float>(f) / kFrameRate);
        for (int i = 0; i < 3; ++i) {
            channels[0].values.push_back(static_cast<float>(trs->translation[i]));
            channels[2].values.push_back(static_cast<float>(trs->scale[i]));
        }
        const Vec4 v = asVec4(q);
        channels[1].values.insert(channels[1].values.end(), {v.x, v.y, v.z, v.w});
    }
    for (Channel& c : channels) {
        c.node = node;
        out.channels.push_back(std::move(c));
    }
    return true;
}

void addAnimations(Scene& scene, const Stpc& stpc, const std::vector<Skeleton>& skeletons,
                   const SceneContext& context) {
    std::uint64_t values = 0;
    std::size_t unfit = 0;
    for (std::size_t i = 0; i < stpc.animations.size(); ++i) {
        const Animation& a = stpc.animations[i];
        if (!a.hasBones() || a.nFrames < 2) continue;
        geomconv::Animation out;
        out.name = numbered("animation_", i, 3);
        for (const Skeleton& s : skeletons) {
            if (s.bones != static_cast<std::size_t>(a.nBones)) continue;
            values += std::uint64_t{13} * s.bones * static_cast<std::uint64_t>(a.nFrames);
            if (values > kMostValues) {
                context.defects.warn(
                    "animation-limit", std::nullopt, {{"animation", std::to_string(i)}},
                    "more models and animations fit each other than can be written, the rest is left out");
                return;
            }
            for (std::int32_t b = 0; b < a.nBones; ++b) {
                const std::uint32_t node = s.firstBone + static_cast<std::uint32_t>(b);
                if (!addChannels(out, stpc, a, b, node, context.options.exportSpace)) unfit += 1;
            }
        }
        if (!out.channels.empty()) scene.animations.push_back(std::move(out));
    }
    if (unfit > 0) {
        context.defects.warn("animation", std::nullopt, {{"chunk", "STPC"}},
                             std::to_string(unfit) + " bone tracks are no rotation, translation and scale, left out");
    }
}

}  // namespace

void addObjects(Scene& scene, const SceneContext& context) {
    const Stpc& stpc = *context.level.stpc;
    const bool exportSpace = context.options.exportSpace;
    const std::optional<Pose> pose = parsePose(context.options.pose);
    std::vector<Skeleton> skeletons;
    double cursor = 0.0;
    for (std::size_t i = 0; i < stpc.objects.size(); ++i) {
        const Model& model = stpc.objects[i];
        const std::vector<ModelPart> parts = modelParts(model, exportSpace);
        const std::optional<Posed> skinned = posed(stpc, model, pose, exportSpace);
        Mesh mesh;
        mesh.name = numbered("object_", i, 3);
        for (const ModelPart& part : parts) {
            Primitive p = partPrimitive(model, part, {}, context);
            if (skinned) applyPose(p, part, *skinned);
            mesh.primitives.push_back(std::move(p));
        }
        Node node;
        node.name = mesh.name;
        node.content = Content::Objects;
        const auto width = widthOf(mesh);
        const double shift = width ? cursor - double{width->first} : cursor;
        if (width) {
            cursor += double{width->second} - double{width->first} + kGap;
            node.mesh = static_cast<std::uint32_t>(scene.meshes.size());
            // A skinned mesh stands where its joints put it, so its place is in its vertices.
            if (skinned) {
                for (Primitive& p : mesh.primitives) {
                    for (Vec3& v : p.positions) v.x += static_cast<float>(shift);
                }
            } else {
                node.translation.x = static_cast<float>(shift);
            }
            scene.meshes.push_back(std::move(mesh));
        }
        const auto number = static_cast<std::uint32_t>(scene.nodes.size());
        scene.nodes.push_back(std::move(node));
        if (!skinned || !width) continue;
        if (const auto skeleton = addSkin(scene, number, *skinned, parts, shift)) skeletons.push_back(*skeleton);
    }
    addAnimations(scene, stpc, skeletons, context);
}

}  // namespace geomconv::groove
