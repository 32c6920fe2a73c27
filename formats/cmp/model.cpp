#include <string>
#include <string_view>
#include <unordered_map>

#include "formats/cmp/cmp.hpp"
#include "formats/cmp/joint.hpp"
#include "formats/cmp/mesh.hpp"
#include "formats/utf/utf.hpp"
#include "lib/bytes/byte_reader.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv::cmp {

namespace {

using utf::Entry;
using utf::Tree;

std::string textOf(const Entry* entry) {
    return entry == nullptr ? std::string() : std::string(untilNul(asText(entry->data)));
}

/// Fills n floats, or leaves all as they are when the entry is missing or too short.
template <class Put>
void readFloats(const Entry* entry, std::size_t n, Put put) {
    if (entry == nullptr || entry->data.size() < 4 * n) return;
    ByteReader in(entry->data, ByteOrder::Little, entry->dataOffset);
    for (std::size_t i = 0; i < n; ++i) put(i, in.f32("value"));
}

Hardpoint readHardpoint(const Tree& tree, const Entry& entry, bool revolute) {
    Hardpoint out;
    out.name = entry.name;
    out.revolute = revolute;
    const auto into = [](Vec3& v) { return [&v](std::size_t i, float x) { v[static_cast<int>(i)] = x; }; };
    readFloats(tree.child(entry, "Position"), 3, into(out.position));
    readFloats(tree.child(entry, "Orientation"), 9, [&out](std::size_t i, float x) { out.orientation[i] = x; });
    readFloats(tree.child(entry, "Axis"), 3, into(out.axis));
    readFloats(tree.child(entry, "Min"), 1, [&out](std::size_t, float x) { out.minimum = x; });
    readFloats(tree.child(entry, "Max"), 1, [&out](std::size_t, float x) { out.maximum = x; });
    return out;
}

/// Fixed and Revolute hold hardpoints; one that stands beside them, outside of either, counts as fixed.
std::vector<Hardpoint> readHardpoints(const Tree& tree, const Entry& fragment) {
    std::vector<Hardpoint> out;
    const Entry* all = tree.child(fragment, "Hardpoints");
    if (all == nullptr) return out;
    for (const std::uint32_t i : all->children) {
        const Entry& entry = tree.entries[i];
        const bool revolute = equalWithoutCase(entry.name, "Revolute");
        if (!revolute && !equalWithoutCase(entry.name, "Fixed")) {
            if (entry.directory()) out.push_back(readHardpoint(tree, entry, false));
            continue;
        }
        for (const std::uint32_t k : entry.children) {
            if (tree.entries[k].directory()) out.push_back(readHardpoint(tree, tree.entries[k], revolute));
        }
    }
    return out;
}

std::optional<MeshRef> readLevel(const Tree& tree, const Entry& directory, Defects& defects) {
    const Entry* entry = tree.find(directory, "VMeshPart/VMeshRef");
    if (entry == nullptr || entry->directory()) return std::nullopt;
    try {
        return readMeshRef(entry->data, entry->dataOffset);
    } catch (const FormatError& e) {
        defects.add(asWarning(e.defect()));
        return std::nullopt;
    }
}

Fragment readFragment(const Tree& tree, const Entry& directory, Defects& defects) {
    Fragment out;
    out.name = directory.name;
    if (const Entry* levels = tree.child(directory, "MultiLevel")) {
        const utf::ChildIndex index(tree, *levels);
        for (int n = 0;; ++n) {
            const Entry* level = index.child("Level" + std::to_string(n));
            if (level == nullptr) break;
            out.levels.push_back(readLevel(tree, *level, defects));
        }
    } else if (tree.child(directory, "VMeshPart") != nullptr) {
        out.levels.push_back(readLevel(tree, directory, defects));
    }
    out.hardpoints = readHardpoints(tree, directory);
    return out;
}

void readMeshes(const Tree& tree, Model& model, Defects& defects) {
    const Entry* library = tree.child(tree.root(), "VMeshLibrary");
    if (library == nullptr) return;
    for (const std::uint32_t i : library->children) {
        const Entry& directory = tree.entries[i];
        const Entry* data = tree.child(directory, "VMeshData");
        if (data == nullptr || data->directory()) continue;
        try {
            model.meshes.push_back(readMeshLibrary(directory.name, data->data, data->dataOffset));
        } catch (const FormatError& e) {
            defects.add(asWarning(e.defect()));
        }
    }
}

void readJointFiles(const Tree& tree, const Entry& cons, Model& model, Defects& defects) {
    for (const std::uint32_t i : cons.children) {
        const Entry& entry = tree.entries[i];
        const auto layout = jointLayout(entry.name);
        if (!layout) {
            defects.warn("joint-kind", entry.offset, {{"joint file", printable(entry.name)}},
                         "not known, its records are left out");
            continue;
        }
        std::vector<Joint> joints = readJoints(*layout, entry.data, entry.dataOffset, defects);
        model.joints.insert(model.joints.end(), joints.begin(), joints.end());
    }
}

/// Where the fragments of parts are found, and those that were read.
struct Fragments {
    const utf::ChildIndex directories;
    std::unordered_map<std::string, std::uint32_t> read = {};  ///< Model::fragments by name in lower case
};

/// A part directory of Cmpnd: Root or Part_*.
void readPart(const Tree& tree, const Entry& entry, Fragments& fragments, Model& model, Defects& defects) {
    Part part;
    part.objectName = textOf(tree.child(entry, "Object name"));
    part.fileName = textOf(tree.child(entry, "File name"));
    if (const Entry* index = tree.child(entry, "Index"); index != nullptr && index->data.size() >= 4) {
        part.index = ByteReader(index->data).s32("index");
    }
    const std::string name = asciiLower(part.fileName);
    if (const auto known = fragments.read.find(name); known != fragments.read.end()) part.fragment = known->second;
    if (!part.fragment) {
        if (const Entry* directory = fragments.directories.child(part.fileName)) {
            part.fragment = static_cast<std::uint32_t>(model.fragments.size());
            fragments.read.emplace(name, *part.fragment);
            model.fragments.push_back(readFragment(tree, *directory, defects));
        } else {
            defects.warn("fragment", entry.offset, {{"part", printable(utf8FromWindows1252(part.objectName))}},
                         "fragment " + printable(part.fileName) + " is not in the file");
        }
    }
    model.parts.push_back(std::move(part));
}

}  // namespace

Confidence probe(Bytes bytes, std::string_view name) noexcept {
    const Confidence tree = utf::probe(bytes);
    if (tree == Confidence::No) return tree;
    // What only models have decides, the file name where that does not. Real models have up to some KB of names.
    constexpr std::size_t kLooked = std::size_t{64} << 10;
    const std::string_view text = asText(utf::namesOf(bytes)).substr(0, kLooked);
    for (const std::string_view word : {"Cmpnd", "VMeshPart", "Hardpoints"}) {
        if (text.find(word) != std::string_view::npos) return tree;
    }
    const auto ends = [name](std::string_view extension) {
        return name.size() >= extension.size() &&
               equalWithoutCase(name.substr(name.size() - extension.size()), extension);
    };
    return ends(".cmp") || ends(".3db") ? tree : Confidence::Maybe;
}

Model read(Bytes bytes, Defects& defects) {
    const Tree tree = utf::read(bytes, defects);
    Model model;
    model.exporterVersion = textOf(tree.child(tree.root(), "Exporter Version"));
    readMeshes(tree, model, defects);
    if (const Entry* library = tree.child(tree.root(), "material library")) {
        for (const std::uint32_t i : library->children) {
            if (tree.entries[i].directory()) model.materialNames.push_back(tree.entries[i].name);
        }
    }
    const Entry* compound = tree.child(tree.root(), "Cmpnd");
    model.compound = compound != nullptr;
    if (compound == nullptr) {
        model.fragments.push_back(readFragment(tree, tree.root(), defects));
        Part part;
        part.fragment = 0;
        model.parts.push_back(part);
        return model;
    }
    Fragments fragments{utf::ChildIndex(tree, tree.root())};
    for (const std::uint32_t i : compound->children) {
        const Entry& entry = tree.entries[i];
        if (!entry.directory()) continue;
        if (equalWithoutCase(entry.name, "Cons"))
            readJointFiles(tree, entry, model, defects);
        else
            readPart(tree, entry, fragments, model, defects);
    }
    return model;
}

}  // namespace geomconv::cmp
