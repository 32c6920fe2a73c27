#include "lib/image/image_files.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "lib/bytes/text.hpp"

namespace geomconv {

namespace {

struct Kind {
    std::string_view mimeType;
    std::string_view extension;
};

constexpr std::array<Kind, 9> kKinds{{{"image/png", ".png"},
                                      {"image/jpeg", ".jpg"},
                                      {"image/bmp", ".bmp"},
                                      {"image/gif", ".gif"},
                                      {"image/webp", ".webp"},
                                      {"image/vnd-ms.dds", ".dds"},
                                      {"image/ktx2", ".ktx2"},
                                      {"image/x-tga", ".tga"},
                                      {"image/tiff", ".tif"}}};

}  // namespace

std::string_view imageMimeType(Bytes file) {
    const std::string_view text = asText(file);
    if (text.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
    if (text.starts_with("\xff\xd8\xff")) return "image/jpeg";
    if (text.starts_with("BM")) return "image/bmp";
    if (text.starts_with("GIF8")) return "image/gif";
    if (text.starts_with("RIFF") && text.size() >= 12 && text.substr(8, 4) == "WEBP") return "image/webp";
    if (text.starts_with("DDS ")) return "image/vnd-ms.dds";
    if (text.starts_with("\xabKTX 20\xbb\r\n\x1a\n")) return "image/ktx2";
    return {};
}

std::string_view imageExtension(std::string_view mimeType) {
    for (const Kind& kind : kKinds) {
        if (kind.mimeType == mimeType) return kind.extension;
    }
    return ".bin";
}

std::string_view imageMimeTypeOfName(std::string_view fileName) {
    const std::string extension = asciiLower(fileName.substr(std::min(fileName.rfind('.'), fileName.size())));
    if (extension == ".jpeg") return "image/jpeg";
    if (extension == ".tiff") return "image/tiff";
    for (const Kind& kind : kKinds) {
        if (kind.extension == extension) return kind.mimeType;
    }
    return "application/octet-stream";
}

bool imageHasContent(const Image& image) {
    return !image.encoded.empty() || !image.rgba.empty() || !image.indexed.empty();
}

std::string safeFileName(std::string_view text) {
    std::string out = isUtf8(text) ? std::string(text) : repairUtf8(text);
    for (char& c : out) {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x20 || code == 0x7f || std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos) c = '_';
    }
    // 255 bytes is what file systems hold; the rest is for stem and extension. A character is not cut in two.
    if (out.size() > 150) {
        std::size_t n = 150;
        while (n > 0 && (static_cast<unsigned char>(out[n]) & 0xc0) == 0x80) --n;
        out.resize(n);
    }
    while (!out.empty() && (out.back() == '.' || out.back() == ' ')) out.pop_back();
    std::size_t blank = 0;
    while (blank < out.size() && (out[blank] == ' ' || out[blank] == '.')) ++blank;
    out.erase(0, blank);
    return out.empty() ? "_" : out;
}

std::vector<std::string> imageFileNames(const std::vector<Image>& images, std::string_view stem) {
    std::vector<std::string> names;
    std::set<std::string> taken;
    std::map<std::string, std::size_t> last;  // the number that a name got last: thousands may be equal
    for (std::size_t i = 0; i < images.size(); ++i) {
        const Image& image = images[i];
        if (!imageHasContent(image)) {
            names.push_back(image.uri);
            continue;
        }
        std::string base = safeFileName(image.name.empty() ? "image_" + std::to_string(i) : image.name);
        const std::string prefix = stem.empty() ? std::string() : safeFileName(stem);
        if (!base.starts_with(prefix)) base = prefix + '_' + base;
        const std::string extension(image.encoded.empty() ? ".png" : imageExtension(image.mimeType));
        std::string name = base + extension;
        if (!taken.insert(asciiLower(name)).second) {
            std::size_t& n = last.try_emplace(asciiLower(name), 1).first->second;
            do name = base + '_' + std::to_string(++n) + extension;
            while (!taken.insert(asciiLower(name)).second);
        }
        names.push_back(std::move(name));
    }
    return names;
}

}  // namespace geomconv
