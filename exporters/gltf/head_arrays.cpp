#include "exporters/gltf/head_arrays.hpp"

#include <algorithm>

#include "lib/json_reader.hpp"

namespace geomconv::gltf {

namespace {

/// Calls each() where every item of the array begins.
template <class Each>
void items(JsonReader& in, Each each) {
    in.beginArray();
    while (in.nextItem()) each();
}

template <class Each>
void items(std::string_view text, Each each) {
    if (text.empty()) return;
    JsonReader in(text);
    items(in, [&] { each(in); });
}

/// Calls take(key) at every member of the object; false: the value was not read and is passed over.
template <class Take>
void members(JsonReader& in, Take take) {
    in.beginObject();
    for (std::string key; in.nextKey(key);) {
        if (!take(key)) in.skip();
    }
}

float single(JsonReader& in) {
    return static_cast<float>(in.number());
}

/// As many floats as the vector or matrix has, by columns.
void components(JsonReader& in, float* out) {
    items(in, [&] { *out++ = single(in); });
}

void sparse(JsonReader& in, SparseItem& made) {
    const auto place = [&in](std::uint32_t& view, std::uint64_t& offset, std::uint32_t* type) {
        members(in, [&](const std::string& key) {
            if (key == "bufferView") return view = in.unsigned32(), true;
            if (key == "byteOffset") return offset = in.unsignedInteger(), true;
            if (key == "componentType" && type != nullptr) return *type = in.unsigned32(), true;
            return false;
        });
    };
    members(in, [&](const std::string& key) {
        if (key == "count") return made.count = in.unsigned32(), true;
        if (key == "indices") return place(made.indexView, made.indexOffset, &made.indexType), true;
        if (key == "values") return place(made.valueView, made.valueOffset, nullptr), true;
        return false;
    });
}

AttributeList attributes(JsonReader& in) {
    AttributeList made;
    members(in, [&](const std::string& key) { return made.emplace_back(key, in.unsigned32()), true; });
    std::sort(made.begin(), made.end());
    return made;
}

PrimitiveEntry primitive(JsonReader& in) {
    PrimitiveEntry made;
    members(in, [&](const std::string& key) {
        if (key == "attributes") return made.attributes = attributes(in), true;
        if (key == "indices") return made.indices = in.unsigned32(), true;
        if (key == "material") return made.material = in.unsigned32(), true;
        if (key == "mode") return made.mode = in.unsigned32(), true;
        if (key == "targets") return items(in, [&] { made.targets.push_back(attributes(in)); }), true;
        if (key != "extensions") return false;
        members(in, [&](const std::string& name) {
            made.draco = made.draco || name == "KHR_draco_mesh_compression";
            return false;
        });
        return true;
    });
    return made;
}

void instances(JsonReader& in, AttributeList& made) {
    members(in, [&](const std::string& name) {
        if (name != "EXT_mesh_gpu_instancing") return false;
        members(in, [&](const std::string& key) {
            if (key == "attributes") return made = attributes(in), true;
            return false;
        });
        return true;
    });
}

NodeEntry node(JsonReader& in) {
    NodeEntry made;
    members(in, [&](const std::string& key) {
        if (key == "name") return made.name = in.text(), true;
        if (key == "children") return in.numbers(made.children), true;
        if (key == "mesh") return made.mesh = in.unsigned32(), true;
        if (key == "skin") return made.skin = in.unsigned32(), true;
        if (key == "camera") return in.skip(), made.camera = true;
        if (key == "translation") return components(in, &made.translation[0]), true;
        if (key == "scale") return components(in, &made.scale[0]), true;
        if (key == "matrix") return components(in, &made.matrix.emplace()[0][0]), true;
        if (key == "weights") return items(in, [&] { made.weights.push_back(single(in)); }), true;
        if (key == "extras") return made.extras = compactJson(in.raw()), true;
        if (key == "extensions") return instances(in, made.instances), true;
        if (key != "rotation") return false;
        float q[4] = {};
        components(in, q);
        made.rotation = quat(q[0], q[1], q[2], q[3]);
        return true;
    });
    if (made.matrix) {  // instead of the three
        made.translation = Vec3(0.0F);
        made.rotation = quat(0.0F, 0.0F, 0.0F, 1.0F);
        made.scale = Vec3(1.0F);
    }
    return made;
}

}  // namespace

void readViews(std::string_view text, const std::function<void(const ViewItem&)>& take) {
    items(text, [&](JsonReader& in) {
        ViewItem made;
        members(in, [&](const std::string& key) {
            if (key == "name") return made.name = in.text(), true;
            if (key == "buffer") return made.buffer = in.unsigned32(), true;
            if (key == "byteOffset") return made.byteOffset = in.unsignedInteger(), true;
            if (key == "byteLength") return made.byteLength = in.unsignedInteger(), true;
            if (key == "byteStride") return made.byteStride = in.unsigned32(), true;
            return false;
        });
        take(made);
    });
}

void readAccessors(std::string_view text, const std::function<void(AccessorItem&)>& take) {
    items(text, [&](JsonReader& in) {
        AccessorItem made;
        members(in, [&](const std::string& key) {
            if (key == "name") return made.name = in.text(), true;
            if (key == "bufferView") return made.bufferView = in.unsigned32(), true;
            if (key == "byteOffset") return made.byteOffset = in.unsignedInteger(), true;
            if (key == "componentType") return made.componentType = in.unsigned32(), true;
            if (key == "type") return made.type = in.text(), true;
            if (key == "normalized") return made.normalized = in.boolean(), true;
            if (key == "count") return made.count = in.unsignedInteger(), true;
            if (key == "min") return items(in, [&] { made.min.push_back(in.number()); }), true;
            if (key == "max") return items(in, [&] { made.max.push_back(in.number()); }), true;
            if (key == "sparse") return sparse(in, made.sparse.emplace()), true;
            return false;
        });
        take(made);
    });
}

std::vector<MeshEntry> readMeshes(std::string_view text) {
    std::vector<MeshEntry> out;
    items(text, [&](JsonReader& in) {
        MeshEntry& made = out.emplace_back();
        members(in, [&](const std::string& key) {
            if (key == "name") return made.name = in.text(), true;
            if (key == "primitives") return items(in, [&] { made.primitives.push_back(primitive(in)); }), true;
            if (key == "weights") return items(in, [&] { made.weights.push_back(single(in)); }), true;
            if (key == "extras") return made.extras = compactJson(in.raw()), true;
            return false;
        });
    });
    return out;
}

std::vector<NodeEntry> readNodes(std::string_view text) {
    std::vector<NodeEntry> out;
    items(text, [&](JsonReader& in) { out.push_back(node(in)); });
    return out;
}

void readAnimations(std::string_view text, const std::function<void(AnimationItem&)>& take) {
    const auto target = [](JsonReader& in, AnimationItem::Channel& made) {
        members(in, [&](const std::string& key) {
            if (key == "node") return made.node = in.unsigned32(), true;
            if (key == "path") return made.path = in.text(), true;
            return false;
        });
    };
    const auto channel = [&target](JsonReader& in, AnimationItem::Channel& made) {
        members(in, [&](const std::string& key) {
            if (key == "sampler") return made.sampler = in.unsigned32(), true;
            if (key == "target") return target(in, made), true;
            return false;
        });
    };
    const auto sampler = [](JsonReader& in, AnimationItem::Sampler& made) {
        members(in, [&](const std::string& key) {
            if (key == "input") return made.input = in.unsigned32(), true;
            if (key == "output") return made.output = in.unsigned32(), true;
            if (key == "interpolation") return made.interpolation = in.text(), true;
            return false;
        });
    };
    items(text, [&](JsonReader& in) {
        AnimationItem made;
        members(in, [&](const std::string& key) {
            if (key == "name") return made.name = in.text(), true;
            if (key == "channels") return items(in, [&] { channel(in, made.channels.emplace_back()); }), true;
            if (key == "samplers") return items(in, [&] { sampler(in, made.samplers.emplace_back()); }), true;
            if (key == "extras") return made.extras = compactJson(in.raw()), true;
            return false;
        });
        take(made);
    });
}

}  // namespace geomconv::gltf
