#include "exporters/gltf/gltf.hpp"
#include "exporters/gltf/head.hpp"
#include "lib/image/image_files.hpp"

namespace geomconv::gltf {

namespace {

constexpr std::uint64_t aligned(std::uint64_t n) {
    return (n + 3) / 4 * 4;
}

void word(Sink& out, std::uint64_t value) {
    const auto v = static_cast<std::uint32_t>(value);
    out.write(&v, sizeof v);
}

/// Images go where `names` says, or into the buffer when it is empty.
std::vector<std::string> imageUris(const Plan& plan, const std::vector<std::string>& names) {
    std::vector<std::string> uris;
    for (std::size_t i = 0; i < plan.images.size(); ++i) {
        uris.push_back(names.empty() ? "" : percentEncoded(names[i]));
    }
    return uris;
}

/// File names for the plan's images, by the rule of all mesh writers, which asks for names, types and whether there is
/// content, not for the content.
std::vector<std::string> imageNames(const Plan& plan, const std::string& stem) {
    std::vector<Image> named;
    for (const ImagePlan& image : plan.images) {
        Image& entry = named.emplace_back();
        entry.name = image.name;
        entry.mimeType = image.mimeType;
        entry.encoded = {0};
    }
    return imageFileNames(named, stem);
}

/// Measures the JSON of a GLB, whose length stands before it, and keeps it unless it is long: that of 200,000 objects
/// has 66 MB and is rather written twice.
class HeadSink final : public Sink {
public:
    /// Writes it; false where it was too long to be kept.
    bool moveTo(Sink& out) {
        flush();
        for (const ByteVector& chunk : chunks_) out.write(chunk);
        chunks_.clear();
        return kept_;
    }

protected:
    void emit(const void* data, std::size_t n) override {
        kept_ = written() <= kMost;
        if (!kept_) return chunks_.clear();
        const auto* bytes = static_cast<const std::uint8_t*>(data);
        chunks_.emplace_back(bytes, bytes + n);
    }

private:
    static constexpr std::uint64_t kMost = std::uint64_t{16} << 20;
    std::deque<ByteVector> chunks_;
    bool kept_ = true;
};

}  // namespace

void writeGlb(const Scene& scene, const WriteOptions& options, OutputSet& out, Defects& defects) {
    const Plan plan = makePlan(scene, options, defects);
    Storage storage;
    storage.imageUris = imageUris(plan, {});
    const BufferLayout layout = layOut(plan, storage);
    HeadSink head;
    writeHead(head, plan, storage, layout, JsonLayout::Compact);
    const std::uint64_t json = aligned(head.written());
    const std::uint64_t bin = layout.size > 0 ? kChunkHeader + layout.size : 0;
    const std::uint64_t total = kGlbHeader + kChunkHeader + json + bin;
    if (total > 0xFFFFFFFF) {
        throw GeometryError(
            "scene", "glb-size",
            "a .glb of " + std::to_string(total) + " bytes, the format ends at 4294967295; write .gltf instead");
    }
    Sink& file = out.main();
    word(file, kGlbMagic);
    word(file, kGlbVersion);
    word(file, total);
    word(file, json);
    word(file, kJsonChunk);
    if (!head.moveTo(file)) writeHead(file, plan, storage, layout, JsonLayout::Compact);
    for (std::uint64_t n = head.written(); n < json; ++n) file.put(' ');
    if (bin == 0) return;
    word(file, layout.size);
    word(file, kBinChunk);
    writeBuffer(file, plan, storage, layout);
}

void writeGltf(const Scene& scene, const WriteOptions& options, OutputSet& out, Defects& defects) {
    const Plan plan = makePlan(scene, options, defects);
    Storage storage;
    storage.dataUri = !out.canHaveSiblings();
    const std::vector<std::string> names = storage.dataUri ? std::vector<std::string>() : imageNames(plan, out.stem());
    storage.imageUris = imageUris(plan, names);
    const BufferLayout layout = layOut(plan, storage);
    const std::string binName = out.stem() + ".bin";
    if (!storage.dataUri) storage.bufferUri = percentEncoded(binName);
    writeHead(out.main(), plan, storage, layout, JsonLayout::Lines);
    if (storage.dataUri) return;
    if (layout.size > 0) writeBuffer(out.sibling(binName), plan, storage, layout);
    for (std::size_t i = 0; i < plan.images.size(); ++i) {
        out.sibling(names[i]).write(plan.images[i].bytes);
    }
}

}  // namespace geomconv::gltf
