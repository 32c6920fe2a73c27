#include "exporters/gltf/uri.hpp"

#include "lib/bytes/base64.hpp"

namespace geomconv::gltf {

namespace {

constexpr std::string_view kData = "data:";

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

bool isDataUri(std::string_view uri) {
    return uri.starts_with(kData);
}

std::optional<ByteVector> dataUriBytes(std::string_view uri) {
    const std::size_t comma = uri.find(',');
    if (!isDataUri(uri) || comma == std::string_view::npos) return std::nullopt;
    const std::string_view head = uri.substr(0, comma);
    const std::string_view body = uri.substr(comma + 1);
    if (head.ends_with(";base64")) return bytesFromBase64(body);
    const auto text = percentDecoded(body);
    if (!text) return std::nullopt;
    const Bytes bytes = asBytes(*text);
    return ByteVector(bytes.begin(), bytes.end());
}

std::string_view dataUriMimeType(std::string_view uri) {
    return uri.substr(kData.size(), uri.find_first_of(";,") - kData.size());
}

std::optional<std::string> percentDecoded(std::string_view uri) {
    std::string out;
    out.reserve(uri.size());
    for (std::size_t i = 0; i < uri.size(); ++i) {
        if (uri[i] != '%') {
            out += uri[i];
            continue;
        }
        if (uri.size() - i < 3) return std::nullopt;
        const int high = hexDigit(uri[i + 1]);
        const int low = hexDigit(uri[i + 2]);
        if (high < 0 || low < 0) return std::nullopt;
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return out;
}

bool staysInFolder(std::string_view fileName) {
    if (fileName.empty() || fileName.front() == '/' || fileName.front() == '\\') return false;
    // A colon is a scheme, a drive or a stream of NTFS; none of them is a name beside the input.
    if (fileName.find_first_of(std::string_view(":\0", 2)) != std::string_view::npos) return false;
    for (std::size_t start = 0; start <= fileName.size();) {
        const std::size_t end = std::min(fileName.find_first_of("/\\", start), fileName.size());
        if (fileName.substr(start, end - start) == "..") return false;
        start = end + 1;
    }
    return true;
}

}  // namespace geomconv::gltf
