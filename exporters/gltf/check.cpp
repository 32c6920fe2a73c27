#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "exporters/gltf/accessor_data.hpp"
#include "exporters/gltf/document.hpp"
#include "exporters/gltf/usage.hpp"
#include "lib/bytes/text.hpp"
#include "lib/image/image_files.hpp"

namespace geomconv::gltf {

namespace {

using Where = std::vector<Place>;

// Tolerances are those of the Khronos validator, so that both come to the same verdict.
constexpr double kUnitVector = 0.00674;
constexpr double kUnitRotation = 0.00769;
constexpr double kNodeRotation = 0.00005;
constexpr double kWeightSum = 2e-7;

/// Elements that are looked at in one go; they stay in the first-level cache.
constexpr std::size_t kBlock = 1024;

Place place(std::string_view noun, std::size_t number, const std::string& name = {}) {
    return {std::string(noun), std::to_string(number), printable(name)};
}

/// Calls each(values, n, first) over an accessor's numbers, block by block, sparse values in place.
template <class T, class Each>
void forEachBlock(const Document& document, std::uint32_t number, Each each) {
    const Accessor& accessor = document.accessors[number];
    const std::size_t width = componentCount(accessor.type);
    if (accessor.sparse) {
        // Rare enough to be read as a whole.
        std::vector<T> all(static_cast<std::size_t>(accessor.count) * width);
        if constexpr (std::is_same_v<T, float>)
            readFloats(document, number, {}, all.data(), width);
        else
            readWords(document, number, {}, all.data());
        for (std::uint64_t first = 0; first < accessor.count; first += kBlock) {
            const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, accessor.count - first));
            each(all.data() + first * width, n, first);
        }
        return;
    }
    std::array<T, kBlock * 16> block;
    for (std::uint64_t first = 0; first < accessor.count; first += kBlock) {
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, accessor.count - first));
        readBlock(document, accessor, first, n, block.data());
        each(block.data(), n, first);
    }
}

/// Smallest, largest, and whether all are numbers, of W components over a block.
template <std::size_t W>
void foldRange(const float* values, std::size_t n, float* low, float* high, float& differences) {
    for (std::size_t i = 0; i < n * W; i += W) {
        for (std::size_t c = 0; c < W; ++c) {
            const float v = values[i + c];
            low[c] = v < low[c] ? v : low[c];
            high[c] = v > high[c] ? v : high[c];
            differences += v - v;
        }
    }
}

void foldRange(std::size_t width, const float* values, std::size_t n, float* low, float* high, float& differences) {
    switch (width) {
        case 1:
            return foldRange<1>(values, n, low, high, differences);
        case 2:
            return foldRange<2>(values, n, low, high, differences);
        case 3:
            return foldRange<3>(values, n, low, high, differences);
        case 4:
            return foldRange<4>(values, n, low, high, differences);
        case 9:
            return foldRange<9>(values, n, low, high, differences);
        default:
            return foldRange<16>(values, n, low, high, differences);
    }
}

class Checker {
public:
    Checker(const Document& document, Defects& defects) : document_(document), defects_(defects) {}

    void check() {
        for (std::uint32_t i = 0; i < document_.accessors.size(); ++i) accessor(i);
        for (std::size_t i = 0; i < document_.meshes.size(); ++i) mesh(i);
        for (std::size_t i = 0; i < document_.nodes.size(); ++i) node(i);
        for (std::size_t i = 0; i < document_.materials.size(); ++i) material(i);
        for (std::size_t i = 0; i < document_.images.size(); ++i) image(i);
        for (std::size_t i = 0; i < document_.skins.size(); ++i) skin(i);
        for (std::size_t i = 0; i < document_.animations.size(); ++i) animation(i);
    }

private:
    void error(std::string_view kind, Where where, std::string detail) {
        defects_.error(kind, std::nullopt, std::move(where), std::move(detail));
    }
    void warn(std::string_view kind, Where where, std::string detail) {
        defects_.warn(kind, std::nullopt, std::move(where), std::move(detail));
    }

    /// Where the first bad element of an accessor was found, and how many there are.
    struct Found {
        std::size_t count = 0;
        std::uint64_t first = 0;
        void add(std::uint64_t element) {
            if (count++ == 0) first = element;
        }
        std::string text(std::string_view what) const {
            std::string out = "element " + std::to_string(first) + ' ' + std::string(what);
            if (count > 1) out += ", " + std::to_string(count) + " in all";
            return out;
        }
    };

    // ------------------------------------------------------------------------------------------ accessors

    /// min and max against the values, and floats that are none. Values of integers are those of the file.
    void accessor(std::uint32_t number) {
        const Accessor& accessor = document_.accessors[number];
        const bool limits = !accessor.low.empty() || !accessor.high.empty();
        if (accessor.component != ComponentType::Float && !limits) return;
        if (accessor.component == ComponentType::UnsignedInt) return words(number);
        const std::size_t width = componentCount(accessor.type);
        std::array<float, 16> low;
        std::array<float, 16> high;
        low.fill(std::numeric_limits<float>::infinity());
        high.fill(-std::numeric_limits<float>::infinity());
        float differences = 0.0F;
        forEachBlock<float>(document_, number, [&](const float* values, std::size_t n, std::uint64_t) {
            foldRange(width, values, n, low.data(), high.data(), differences);
        });
        if (differences != 0.0F) nonFinite(number, width);
        // Normalised sparse accessors were divided out on the way; their limits are not compared.
        if (accessor.sparse && accessor.normalized) return;
        for (std::size_t c = 0; c < width; ++c) {
            compare(number, "min", accessor.low, c, static_cast<double>(low[c]));
            compare(number, "max", accessor.high, c, static_cast<double>(high[c]));
        }
    }

    void words(std::uint32_t number) {
        std::uint32_t low = 0xFFFFFFFF;
        std::uint32_t high = 0;
        const Accessor& accessor = document_.accessors[number];
        if (accessor.type != ElementType::Scalar) return;
        forEachBlock<std::uint32_t>(document_, number, [&](const std::uint32_t* values, std::size_t n, std::uint64_t) {
            for (std::size_t i = 0; i < n; ++i) {
                low = std::min(low, values[i]);
                high = std::max(high, values[i]);
            }
        });
        compare(number, "min", accessor.low, 0, low);
        compare(number, "max", accessor.high, 0, high);
    }

    void compare(std::uint32_t number, std::string_view which, const std::vector<double>& said, std::size_t c,
                 double is) {
        if (said.empty()) return;
        // A float may be written with any decimals that round to it.
        const bool isFloat = document_.accessors[number].component == ComponentType::Float;
        if ((isFloat ? static_cast<double>(static_cast<float>(said[c])) : said[c]) == is) return;
        error("min-max", {place("accessor", number)},
              std::string(which) + '[' + std::to_string(c) + "] is " + numberText(said[c]) + ", the values give " +
                  numberText(is));
    }

    static std::string numberText(double value) {
        std::array<char, 32> text{};
        return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
    }

    void nonFinite(std::uint32_t number, std::size_t width) {
        Found found;
        forEachBlock<float>(document_, number, [&](const float* values, std::size_t n, std::uint64_t first) {
            for (std::size_t i = 0; i < n * width; ++i) {
                if (!std::isfinite(values[i])) found.add(first + i / width);
            }
        });
        error("nonfinite", {place("accessor", number)}, found.text("is NaN or infinite"));
    }

    /// Whether this accessor was looked at for this purpose already.
    bool isNew(std::uint32_t accessor, const Usage& usage) { return seen_.emplace(accessor, usage.name).second; }

    bool serves(std::uint32_t accessor, const Usage& usage, const Where& where) {
        try {
            expectUsage(document_, accessor, usage, where);
            return true;
        } catch (const FormatError& e) {
            defects_.add(e.defect());
            return false;
        }
    }

    void unitVectors(std::uint32_t number, const Usage& usage, const Where& where) {
        const Accessor& accessor = document_.accessors[number];
        if (accessor.component != ComponentType::Float || !isNew(number, usage)) return;
        const std::size_t width = componentCount(accessor.type);
        Found lengths;
        Found signs;
        forEachBlock<float>(document_, number, [&](const float* v, std::size_t n, std::uint64_t first) {
            for (std::size_t i = 0; i < n; ++i, v += width) {
                const double x = static_cast<double>(v[0]), y = static_cast<double>(v[1]),
                             z = static_cast<double>(v[2]);
                const double square = x * x + y * y + z * z;
                // Only what is near the limit needs the root.
                if (std::fabs(square - 1.0) > kUnitVector && std::fabs(std::sqrt(square) - 1.0) > kUnitVector) {
                    lengths.add(first + i);
                }
                if (width == 4 && std::fabs(v[3]) != 1.0F) signs.add(first + i);
            }
        });
        const Where at = within(number, where);
        if (lengths.count > 0) error("unit-length", at, lengths.text("is not of length 1"));
        if (signs.count > 0) error("tangent-sign", at, signs.text("has a w other than 1 and -1"));
    }

    static Where within(std::uint32_t accessor, const Where& where) {
        Where at{place("accessor", accessor)};
        at.insert(at.end(), where.begin(), where.end());
        return at;
    }

    // ------------------------------------------------------------------------------------------ meshes

    void mesh(std::size_t number) {
        const MeshEntry& mesh = document_.meshes[number];
        const Place self = place("mesh", number, mesh.name);
        if (mesh.primitives.empty()) error("empty", {self}, "has no primitives");
        for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
            const PrimitiveEntry& primitive = mesh.primitives[i];
            this->primitive(primitive, {place("primitive", i), self});
            if (primitive.targets.size() != mesh.primitives.front().targets.size()) {
                error("targets", {place("primitive", i), self}, "has a number of morph targets of its own");
            }
        }
        const std::size_t targets = mesh.primitives.empty() ? 0 : mesh.primitives.front().targets.size();
        if (!mesh.weights.empty() && mesh.weights.size() != targets) {
            error("targets", {self},
                  std::to_string(mesh.weights.size()) + " weights for " + std::to_string(targets) + " targets");
        }
    }

    void primitive(const PrimitiveEntry& primitive, const Where& where) {
        const auto position = attribute(primitive.attributes, "POSITION");
        if (!position) return warn("no-positions", where, "has no POSITION");
        if (!serves(*position, kPosition, where)) return;
        const std::uint64_t count = document_.accessors[*position].count;
        const Accessor& accessor = document_.accessors[*position];
        if (accessor.low.empty() || accessor.high.empty())
            error("min-max", within(*position, where), "POSITION needs min and max");
        for (const auto& [name, number] : primitive.attributes) vertexAttribute(name, number, count, where);
        if (attribute(primitive.attributes, "TANGENT") && !attribute(primitive.attributes, "NORMAL")) {
            warn("tangent", where, "has tangents without normals");
        }
        textureCoordinates(primitive, where);
        drawn(primitive, count, where);
        influences(primitive, where);
        for (std::size_t t = 0; t < primitive.targets.size(); ++t) target(primitive.targets[t], count, t, where);
    }

    static const Usage* usageOf(std::string_view name) {
        if (name == "POSITION") return &kPosition;
        if (name == "NORMAL") return &kNormal;
        if (name == "TANGENT") return &kTangent;
        if (name.starts_with("TEXCOORD_")) return &kTexCoord;
        if (name.starts_with("COLOR_")) return &kColor;
        if (name.starts_with("JOINTS_")) return &kJoints;
        if (name.starts_with("WEIGHTS_")) return &kWeights;
        return nullptr;
    }

    void vertexAttribute(std::string_view name, std::uint32_t number, std::uint64_t count, const Where& where) {
        const Usage* usage = usageOf(name);
        if (usage == nullptr) {
            if (!name.starts_with('_')) error("attribute", where, printable(name) + " is no attribute that glTF knows");
            return;
        }
        if (!serves(number, *usage, where)) return;
        vertexLayout(number, *usage, where);
        if (document_.accessors[number].count != count) {
            error("count", within(number, where),
                  printable(name) + " has " + std::to_string(document_.accessors[number].count) +
                      " elements, POSITION " + std::to_string(count));
        }
        if (usage == &kNormal || usage == &kTangent) unitVectors(number, *usage, where);
    }

    /// Vertex data must be aligned to four bytes, and integers outside the core need their extension.
    void vertexLayout(std::uint32_t number, const Usage& usage, const Where& where) {
        const Accessor& accessor = document_.accessors[number];
        const bool integer = accessor.component != ComponentType::Float;
        const bool core =
            &usage == &kJoints || &usage == &kWeights || &usage == &kColor ||
            (&usage == &kTexCoord && accessor.normalized && (componentBit(accessor.component) & (2 | 8)) != 0);
        if (integer && !core && !document_.quantized) {
            error("extension", within(number, where),
                  std::string(usage.name) + " of integers needs KHR_mesh_quantization");
        }
        if (!accessor.view) return;
        const BufferView& view = document_.views[*accessor.view];
        const std::uint64_t stride =
            view.stride > 0 ? view.stride : componentCount(accessor.type) * componentSize(accessor.component);
        if (accessor.offset % 4 != 0 || (view.offset + accessor.offset) % 4 != 0 || stride % 4 != 0) {
            error("alignment", within(number, where), "vertex data is not aligned to 4 bytes");
        }
    }

    void textureCoordinates(const PrimitiveEntry& primitive, const Where& where) {
        if (!primitive.material || !document_.materials[*primitive.material].texture) return;
        const std::string needed = "TEXCOORD_" + std::to_string(document_.materials[*primitive.material].texCoord);
        if (!attribute(primitive.attributes, needed))
            error("texcoord", where, "its material's texture needs " + needed);
    }

    void drawn(const PrimitiveEntry& primitive, std::uint64_t vertices, const Where& where) {
        std::uint64_t drawn = vertices;
        if (primitive.indices) {
            if (!serves(*primitive.indices, kIndices, where)) return;
            drawn = document_.accessors[*primitive.indices].count;
            indices(primitive, vertices, where);
        }
        const bool whole = primitive.mode == 4   ? drawn % 3 == 0
                           : primitive.mode == 1 ? drawn % 2 == 0
                           : primitive.mode >= 5 ? drawn >= 3
                           : primitive.mode >= 2 ? drawn >= 2
                                                 : true;
        if (!whole)
            warn("count", where, std::to_string(drawn) + " vertices do not fit mode " + std::to_string(primitive.mode));
    }

    void indices(const PrimitiveEntry& primitive, std::uint64_t vertices, const Where& where) {
        const std::uint32_t number = *primitive.indices;
        std::uint32_t largest = 0;
        std::size_t degenerate = 0;
        std::uint64_t firstDegenerate = 0;
        const bool triangles = primitive.mode == 4;
        std::array<std::uint32_t, 3> corner{};
        forEachBlock<std::uint32_t>(document_, number, [&](const std::uint32_t* v, std::size_t n, std::uint64_t first) {
            for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, v[i]);
            if (!triangles) return;
            // Blocks do not end with triangles: the corners of the one that is open are carried over.
            std::size_t at = static_cast<std::size_t>(first % 3);
            for (std::size_t i = 0; i < n; ++i) {
                corner[at] = v[i];
                if (++at < 3) continue;
                at = 0;
                if (corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0]) continue;
                if (degenerate++ == 0) firstDegenerate = (first + i) / 3;
            }
        });
        if (largest >= vertices) {
            error("index-range", within(number, where),
                  "vertex " + std::to_string(largest) + ", there are " + std::to_string(vertices));
        }
        if (degenerate > 0) {
            warn("degenerate", where,
                 "triangle " + std::to_string(firstDegenerate) + " names a corner twice, " +
                     std::to_string(degenerate) + " in all");
        }
    }

    void target(const AttributeList& attributes, std::uint64_t count, std::size_t number, const Where& where) {
        Where at{place("target", number)};
        at.insert(at.end(), where.begin(), where.end());
        for (const auto& [name, accessor] : attributes) {
            const bool position = name == "POSITION";
            if (!position && name != "NORMAL") continue;
            if (!serves(accessor, position ? kTargetPosition : kTargetNormal, at)) continue;
            if (document_.accessors[accessor].count != count)
                error("count", within(accessor, at), "as many elements as vertices are needed");
            const Accessor& a = document_.accessors[accessor];
            if (position && (a.low.empty() || a.high.empty()))
                error("min-max", within(accessor, at), "POSITION needs min and max");
        }
    }

    // ------------------------------------------------------------------------------------------ influences

    void influences(const PrimitiveEntry& primitive, const Where& where) {
        std::vector<std::uint32_t> weights;
        for (std::size_t set = 0;; ++set) {
            const auto w = attribute(primitive.attributes, "WEIGHTS_" + std::to_string(set));
            const auto j = attribute(primitive.attributes, "JOINTS_" + std::to_string(set));
            if (w.has_value() != j.has_value()) error("influences", where, "JOINTS and WEIGHTS come in pairs");
            if (!w || !j) break;
            if (document_.accessors[*w].type != ElementType::Vec4) return;
            weights.push_back(*w);
        }
        if (weights.empty() || !isNew(weights.front(), kWeights)) return;
        const std::uint64_t count = document_.accessors[weights.front()].count;
        std::vector<double> sums(static_cast<std::size_t>(count));
        std::vector<std::uint8_t> used(sums.size());
        Found negative;
        for (const std::uint32_t set : weights) {
            if (document_.accessors[set].count != count) return;
            addWeights(set, sums, used, negative);
        }
        Found off;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            if (!(std::fabs(sums[i] - 1.0) <= kWeightSum * used[i])) off.add(i);
        }
        const Where at = within(weights.front(), where);
        if (negative.count > 0) error("weights", at, negative.text("has a negative weight"));
        if (off.count > 0) error("weights", at, off.text("has weights whose sum is not 1"));
    }

    void addWeights(std::uint32_t number, std::vector<double>& sums, std::vector<std::uint8_t>& used,
                    Found& negative) const {
        const ComponentType type = document_.accessors[number].component;
        const double one = type == ComponentType::UnsignedByte    ? 255.0
                           : type == ComponentType::UnsignedShort ? 65535.0
                                                                  : 1.0;
        forEachBlock<float>(document_, number, [&](const float* v, std::size_t n, std::uint64_t first) {
            for (std::size_t i = 0; i < n * 4; ++i) {
                const std::uint64_t vertex = first + i / 4;
                if (v[i] < 0.0F) negative.add(vertex);
                if (v[i] == 0.0F) continue;
                sums[vertex] += static_cast<double>(v[i]) / one;
                if (used[vertex] < 255) ++used[vertex];
            }
        });
    }

    // ------------------------------------------------------------------------------------------ nodes

    void node(std::size_t number) {
        const NodeEntry& node = document_.nodes[number];
        const Where where{place("node", number, node.name)};
        const double x = static_cast<double>(node.rotation.x), y = static_cast<double>(node.rotation.y);
        const double z = static_cast<double>(node.rotation.z), w = static_cast<double>(node.rotation.w);
        if (std::fabs(std::sqrt(x * x + y * y + z * z + w * w) - 1.0) > kNodeRotation) {
            error("unit-length", where, "its rotation is not of length 1");
        }
        if (node.matrix) matrix(*node.matrix, where);
        if (node.skin && !node.mesh) return error("skin", where, "has a skin but no mesh");
        if (!node.mesh) return;
        const bool joints = hasJoints(document_.meshes[*node.mesh]);
        if (node.skin && !joints) error("skin", where, "has a skin, its mesh has no JOINTS_0 and WEIGHTS_0");
        if (!node.skin && joints) warn("skin", where, "its mesh has joints, the node no skin");
        if (node.skin && node.parent)
            warn("skin", where, "has a skin and is no root: parents do not move a skinned mesh");
        if (node.skin && joints) jointsInSkin(node, where);
    }

    void matrix(const Mat4& m, const Where& where) {
        if (m[0][3] != 0.0F || m[1][3] != 0.0F || m[2][3] != 0.0F || m[3][3] != 1.0F) {
            return error("matrix", where, "its matrix is not affine");
        }
        // Columns at right angles are what translation, rotation and scale can say.
        const Mat3d turn{Mat4d(m)};
        for (int a = 0; a < 3; ++a) {
            const Vec3d& p = turn[a];
            const Vec3d& q = turn[(a + 1) % 3];
            const double limit = 0.005 * glm::length(p) * glm::length(q);
            if (std::fabs(glm::dot(p, q)) > limit) return error("matrix", where, "its matrix shears");
        }
        if (glm::determinant(turn) == 0.0) error("matrix", where, "its matrix has no inverse");
    }

    static bool hasJoints(const MeshEntry& mesh) {
        return std::any_of(mesh.primitives.begin(), mesh.primitives.end(), [](const PrimitiveEntry& p) {
            return attribute(p.attributes, "JOINTS_0") && attribute(p.attributes, "WEIGHTS_0");
        });
    }

    void jointsInSkin(const NodeEntry& node, const Where& where) {
        const std::size_t joints = document_.skins[*node.skin].joints.size();
        for (const PrimitiveEntry& primitive : document_.meshes[*node.mesh].primitives) {
            for (const auto& [name, number] : primitive.attributes) {
                if (!name.starts_with("JOINTS_") ||
                    !(kJoints.components & componentBit(document_.accessors[number].component)))
                    continue;
                const std::size_t width = componentCount(document_.accessors[number].type);
                std::uint32_t largest = 0;
                forEachBlock<std::uint32_t>(document_, number,
                                            [&](const std::uint32_t* v, std::size_t n, std::uint64_t) {
                                                for (std::size_t i = 0; i < n * width; ++i)
                                                    largest = std::max(largest, v[i]);
                                            });
                if (largest >= joints) {
                    error("index-range", within(number, where),
                          "joint " + std::to_string(largest) + ", the skin has " + std::to_string(joints));
                }
            }
        }
    }

    // ------------------------------------------------------------------------------------------ the rest

    void material(std::size_t number) {
        const Material& look = document_.materials[number].look;
        const Where where{place("material", number, look.name)};
        const auto within01 = [&](float value, std::string_view what) {
            if (value < 0.0F || value > 1.0F)
                error("factor", where,
                      std::string(what) + " is " + numberText(static_cast<double>(value)) + ", 0 to 1 is allowed");
        };
        for (int c = 0; c < 4; ++c) within01(look.baseColor[c], "baseColorFactor");
        for (int c = 0; c < 3; ++c) within01(look.emissive[c], "emissiveFactor");
        within01(look.metallic, "metallicFactor");
        within01(look.roughness, "roughnessFactor");
        if (look.alphaCutoff < 0.0F) error("factor", where, "alphaCutoff is negative");
    }

    void image(std::size_t number) {
        const ImageEntry& image = document_.images[number];
        const Where where{place("image", number, image.name)};
        if (image.bytes.empty()) return;  // said when the document was read
        const std::string_view type = imageMimeType(image.bytes);
        if (type != "image/png" && type != "image/jpeg") {
            warn("image-type", where, "is neither PNG nor JPEG");
        }
    }

    void skin(std::size_t number) {
        const SkinEntry& skin = document_.skins[number];
        const Where where{place("skin", number, skin.name)};
        std::set<std::uint32_t> joints(skin.joints.begin(), skin.joints.end());
        if (joints.size() != skin.joints.size()) error("skin", where, "names a joint twice");
        if (!skin.inverseBindMatrices || !serves(*skin.inverseBindMatrices, kMatrices, where)) return;
        if (document_.accessors[*skin.inverseBindMatrices].count < skin.joints.size()) {
            error("count", where, "has fewer inverse bind matrices than joints");
        }
        Found bad;
        forEachBlock<float>(document_, *skin.inverseBindMatrices,
                            [&](const float* v, std::size_t n, std::uint64_t first) {
                                for (std::size_t i = 0; i < n; ++i, v += 16) {
                                    if (v[3] != 0.0F || v[7] != 0.0F || v[11] != 0.0F || v[15] != 1.0F)
                                        bad.add(first + i);
                                }
                            });
        if (bad.count > 0) error("matrix", within(*skin.inverseBindMatrices, where), bad.text("is not affine"));
    }

    void animation(std::size_t number) {
        const AnimationEntry& animation = document_.animations[number];
        const Place self = place("animation", number, animation.name);
        if (animation.channels.empty()) return;
        std::set<std::pair<std::uint32_t, ChannelPath>> targets;
        for (std::size_t i = 0; i < animation.channels.size(); ++i) {
            const ChannelEntry& channel = animation.channels[i];
            const Where where{place("channel", i), self};
            if (!targets.emplace(channel.node, channel.path).second)
                error("channel", where, "moves what another channel moves");
            this->channel(channel, where);
        }
    }

    void channel(const ChannelEntry& channel, const Where& where) {
        const NodeEntry& node = document_.nodes[channel.node];
        if (channel.path != ChannelPath::Weights && node.matrix)
            error("channel", where, "moves a node that has a matrix");
        const Usage& usage = channel.path == ChannelPath::Rotation  ? kRotations
                             : channel.path == ChannelPath::Weights ? kTargetWeights
                                                                    : kTranslations;
        if (!serves(channel.input, kTimes, where) || !serves(channel.output, usage, where)) return;
        times(channel.input, where);
        const bool cubic = channel.interpolation == Interpolation::CubicSpline;
        if (channel.path == ChannelPath::Rotation && !cubic) rotations(channel.output, where);
        std::uint64_t width = 1;
        if (channel.path == ChannelPath::Weights) {
            width = 0;
            if (node.mesh && !document_.meshes[*node.mesh].primitives.empty()) {
                width = document_.meshes[*node.mesh].primitives.front().targets.size();
            }
            if (width == 0) return error("channel", where, "moves weights of a node without morph targets");
        }
        const std::uint64_t expected = document_.accessors[channel.input].count * (cubic ? 3 : 1) * width;
        if (document_.accessors[channel.output].count != expected) {
            error("count", where,
                  std::to_string(document_.accessors[channel.output].count) + " values, " + std::to_string(expected) +
                      " are expected");
        }
    }

    void times(std::uint32_t number, const Where& where) {
        if (!isNew(number, kTimes)) return;
        const Accessor& accessor = document_.accessors[number];
        if (accessor.low.empty() || accessor.high.empty())
            error("min-max", within(number, where), "times need min and max");
        Found bad;
        float before = -1.0F;
        forEachBlock<float>(document_, number, [&](const float* v, std::size_t n, std::uint64_t first) {
            for (std::size_t i = 0; i < n; ++i) {
                if (v[i] < 0.0F || (first + i > 0 && v[i] <= before)) bad.add(first + i);
                before = v[i];
            }
        });
        if (bad.count > 0)
            error("times", within(number, where), bad.text("is negative or not later than the one before"));
    }

    void rotations(std::uint32_t number, const Where& where) {
        if (document_.accessors[number].component != ComponentType::Float || !isNew(number, kRotations)) return;
        Found bad;
        forEachBlock<float>(document_, number, [&](const float* v, std::size_t n, std::uint64_t first) {
            for (std::size_t i = 0; i < n; ++i, v += 4) {
                double square = 0.0;
                for (std::size_t c = 0; c < 4; ++c) square += static_cast<double>(v[c]) * static_cast<double>(v[c]);
                if (std::fabs(std::sqrt(square) - 1.0) > kUnitRotation) bad.add(first + i);
            }
        });
        if (bad.count > 0)
            error("unit-length", within(number, where), bad.text("is a rotation that is not of length 1"));
    }

    const Document& document_;
    Defects& defects_;
    std::set<std::pair<std::uint32_t, std::string_view>> seen_;
};

}  // namespace

void check(const Input& input, const ReadOptions&, Defects& defects) {
    try {
        Defects found;
        const Document document = readDocument(input, found);
        for (Defect defect : found.list()) {
            // A reader goes on behind a chunk of odd length; the specification forbids it.
            if (defect.kind == "glb-chunk") defect.severity = Severity::Error;
            defects.add(std::move(defect));
        }
        Checker(document, defects).check();
    } catch (const FormatError& e) {
        defects.add(e.defect());
    }
}

}  // namespace geomconv::gltf
