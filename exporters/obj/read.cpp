#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "exporters/obj/line_cursor.hpp"
#include "exporters/obj/material_table.hpp"
#include "exporters/obj/obj.hpp"
#include "exporters/obj/object_builder.hpp"
#include "exporters/obj/tally.hpp"
#include "lib/bytes/number_scan.hpp"
#include "lib/bytes/text.hpp"
#include "lib/scene/faithful.hpp"

namespace geomconv::obj {

namespace {

/// Thrown inside when an element names a vertex that the file has not given yet: the file is then read twice, first
/// for its vertices.
struct ForwardReference {};

enum class Pass : std::uint8_t { Both, Vertices, Elements };

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Keywords that say nothing about shape and are passed over in silence: smoothing, levels of detail, display.
constexpr std::array<std::string_view, 12> kPassedOver{
    "s", "lod", "mg", "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj", "maplib", "usemap", "call", "csh"};
/// Curves and surfaces.
constexpr std::array<std::string_view, 20> kFreeForm{"vp",   "cstype", "deg",   "bmat", "step", "curv", "curv2",
                                                     "surf", "parm",   "trim",  "hole", "scrv", "sp",   "end",
                                                     "con",  "ctech",  "stech", "bsp",  "bzp",  "cdc"};

bool isDigit(char c) {
    return static_cast<unsigned>(static_cast<unsigned char>(c)) - '0' < 10;
}

/// What the C library of older Windows compilers writes for numbers that are none: 1.#INF, -1.#IND, 1.#QNAN, with zeros
/// behind. point: behind "1."; null when it is something else.
template <class T>
ScanEnd scanSpecial(const char* point, const char* end, bool negative, T& value) {
    const std::string_view text(point, static_cast<std::size_t>(end - point));
    for (const std::string_view name : {"#INF", "#IND", "#QNAN", "#SNAN"}) {
        if (!text.starts_with(name)) continue;
        const T number = name == "#INF" ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::quiet_NaN();
        value = negative ? -number : number;
        const char* at = point + name.size();
        while (at < end && *at == '0') ++at;
        return at;
    }
    return nullptr;
}

/// Colours of 0..255, as some programs write them, are brought to 0..1: all of the file are whole numbers and one is
/// larger than 1. gaps: some vertices have none and are white.
void scaleByteColors(Scene& scene, bool gaps) {
    float largest = 0.0F;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& p : mesh.primitives) {
            for (const Vec4& c : p.colors) {
                const Vec3 rgb(c);
                if (rgb != glm::floor(rgb) || glm::any(glm::lessThan(rgb, Vec3(0.0F)))) return;
                largest = std::max({largest, rgb.x, rgb.y, rgb.z});
            }
        }
    }
    if (largest <= 1.0F || largest > 255.0F) return;
    for (Mesh& mesh : scene.meshes) {
        for (Primitive& p : mesh.primitives) {
            for (Vec4& c : p.colors) {
                if (gaps && c == Vec4(1.0F)) continue;
                c = Vec4(Vec3(c) / 255.0F, c.w > 1.0F ? c.w / 255.0F : c.w);
            }
        }
    }
}

class Reader {
public:
    /// recover: lines that cannot be read are left out, with a warning.
    Reader(const Input& input, std::string_view text, bool faithful, bool recover)
        : input_(input),
          text_(text),
          recover_(recover),
          materials_(input),
          builder_(lines_, scene_, nameFromFile(stemOf(input.name)), faithful) {}

    void scan(Pass pass) {
        pass_ = pass;
        seenPositions_ = seenUvs_ = seenNormals_ = painted_ = 0;
        c_ = {text_.data(), text_.data() + text_.size()};
        if (text_.starts_with("\xef\xbb\xbf")) c_.at += 3;
        while (c_.at < c_.end) {
            try {
                lines();
            } catch (const FormatError& e) {
                if (!recover_) throw;
                passOver(e.defect());
            }
        }
        release();
    }

    Scene finish(Defects& defects) {
        if (lines_.positions.empty() && known_ == 0 && unknown_.count > 0) {
            fail("not-obj", unknown_.first, "this is no OBJ: unknown keyword " + unknown_.name);
        }
        builder_.finish(seenPositions_);
        sayTallies(defects);
        materials_.moveTo(scene_);
        const auto& colors = lines_.colors;
        const bool gaps = colors.size() < lines_.positions.size() ||
                          std::find(colors.begin(), colors.end(), VertexLines::kNoColor) != colors.end();
        if (!colors.empty()) scaleByteColors(scene_, gaps);
        scene_.source.format = "obj";
        scene_.source.file = baseName(input_.name);
        return std::move(scene_);
    }

private:
    static constexpr std::ptrdiff_t kReleaseStep = 4 << 20;
    static constexpr std::size_t kMostVertices = 0xfffffff0;

    // ------------------------------------------------------------------------------------------ messages

    std::uint64_t offsetOf(const char* at) const { return static_cast<std::uint64_t>(at - text_.data()); }
    std::vector<Place> lineOf(const char* at) const {
        return {{"line", std::to_string(1 + std::count(text_.data(), at, '\n')), {}}};
    }
    [[noreturn]] void fail(std::string_view kind, const char* at, std::string detail) const {
        // The line is counted from the start of the text, which is too slow for each of many that are passed over.
        throw FormatError({Severity::Error, std::string(kind), offsetOf(at),
                           recover_ ? std::vector<Place>() : lineOf(at), std::move(detail)});
    }
    /// The word that stands at a place, for messages.
    std::string wordAt(const char* at) const {
        const char* last = at;
        while (last<c_.end&& static_cast<unsigned char>(*last)> ' ' && last - at < 40) ++last;
        return '\'' + printable({at, static_cast<std::size_t>(last - at)}) + '\'';
    }

    void say(Defects& defects, std::string_view kind, const Tally& tally, std::string_view what) const {
        if (tally.count == 0) return;
        std::string detail = std::string(what) + ": " + std::to_string(tally.count);
        if (!tally.name.empty()) detail += ", the first is " + tally.name;
        if (tally.first == nullptr)
            defects.warn(kind, std::nullopt, {}, std::move(detail));
        else
            defects.warn(kind, offsetOf(tally.first), lineOf(tally.first), std::move(detail));
    }

    void sayTallies(Defects& defects) const {
        say(defects, "missing-mtl", materials_.missingLibraries(), "material files not found");
        say(defects, "missing-material", materials_.missingMaterials(), "materials that stand in no material file");
        say(defects, "missing-image", materials_.missingImages(), "images not found, only their names are kept");
        say(defects, "bad-normals", builder_.badNormals(),
            "meshes that lose their normals, of which some have no length or are no numbers");
        say(defects, "bad-uvs", builder_.badUvs(),
            "meshes that lose their texture coordinates, of which some are not finite");
        say(defects, "mixed-corners", mixedCorners_,
            "faces that have a uv or normal at some corners only, which is left out");
        say(defects, "short-face", shortElements_, "elements of too few corners left out");
        say(defects, "unused-index", unusedIndices_, "corners that name a uv or normal although the file has none");
        say(defects, "extra-numbers", extraNumbers_, "vertex lines with more numbers than mean anything");
        say(defects, "free-form", freeForm_, "lines of curves and surfaces left out");
        say(defects, "unknown-keyword", unknown_, "lines with an unknown keyword left out");
        say(defects, "broken-line", broken_, "lines that cannot be read left out");
        Tally unused;
        unused.count = builder_.unusedVertices();
        say(defects, "unused-vertices", unused, "vertices that no element uses left out");
    }

    /// Tells the system that what has been read need not stay in memory.
    void release() const {
        if (input_.file && input_.file->bytes().data() == input_.bytes.data() &&
            text_.data() == asText(input_.bytes).data()) {
            input_.file->release(offsetOf(c_.at));
        }
    }

    // ------------------------------------------------------------------------------------------ lines

    void lines() {
        for (const char* released = c_.at; c_.at < c_.end;) {
            lineStart_ = c_.at;
            line();
            if (c_.at - released < kReleaseStep) continue;
            release();
            released = c_.at;
        }
    }

    /// Goes on behind a broken line. Its vertex keeps its number, so that elements go on naming the right ones, and is
    /// NaN, so that none can use it.
    void passOver(const Defect& defect) {
        constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
        broken_.add(lineStart_, defect.detail);
        c_.at = lineStart_;
        c_.nextLine();
        if (pass_ == Pass::Elements) return;
        lines_.positions.resize(seenPositions_, Vec3(kNan));
        lines_.uvs.resize(seenUvs_, Vec2(kNan));
        lines_.normals.resize(seenNormals_, Vec3(kNan));
        if (!lines_.colors.empty()) lines_.colors.resize(seenPositions_, VertexLines::kNoColor);
    }

    void line() {
        c_.blanks();
        if (c_.at >= c_.end) return;
        const char* const keyword = c_.at;
        if (*keyword == 'v' && blankAt(keyword + 1)) {
            c_.at += 1;
            position(keyword);
        } else if (*keyword == 'v' && blankAt(keyword + 2) && keyword[1] == 't') {
            c_.at += 2;
            uv(keyword);
        } else if (*keyword == 'v' && blankAt(keyword + 2) && keyword[1] == 'n') {
            c_.at += 2;
            normal(keyword);
        } else if (*keyword == '#') {
            paint(keyword);
        } else if (pass_ != Pass::Vertices && !c_.atLineEnd()) {
            if (*keyword == 'f' && blankAt(keyword + 1)) {
                c_.at += 1;
                face(keyword);
            } else {
                otherLine(keyword);
            }
        }
        c_.nextLine();
    }

    bool blankAt(const char* p) const { return p < c_.end && (*p == ' ' || *p == '\t'); }

    void otherLine(const char* keyword) {
        const std::string_view word = c_.word();
        ++known_;
        if (word == "fo")  // a face in files before version 3
            face(keyword);
        else if (word == "o")
            builder_.object(nameFromFile(c_.rest()), seenPositions_);
        else if (word == "g")
            builder_.group(nameFromFile(c_.rest()));
        else if (word == "usemtl") {
            const std::string name = c_.rest();
            builder_.material(materials_.use(name, keyword), nameFromFile(name));
        } else if (word == "mtllib")
            materials_.readLibraries(c_.rest(), keyword);
        else if (word == "l")
            polyline(keyword);
        else if (word == "p")
            points();
        else if (isOneOf(word, kFreeForm))
            freeForm_.add(keyword, word);
        else if (word == "v" || word == "vt" || word == "vn")
            fail("truncated", keyword, std::string(word) + " without numbers");
        else if (word == "f")
            shortElements_.add(keyword);
        else if (!isOneOf(word, kPassedOver))
            --known_, unknown_.add(keyword, wordAt(keyword));
    }

    // ------------------------------------------------------------------------------------------ vertices

    bool moreNumbers() {
        c_.blanks();
        return !c_.atLineEnd();
    }

    /// The next number of a vertex line.
    template <class T>
    T number(const char* keyword) {
        c_.blanks();
        const char* const word = c_.at;
        const bool plus = word + 1 < c_.end && *word == '+' && (isDigit(word[1]) || word[1] == '.');
        T value{};
        const ScanEnd end = scanNumber(word + (plus ? 1 : 0), c_.end, value);
        const bool plain = end != nullptr && end < c_.end && static_cast<unsigned char>(*end) <= ' ';
        c_.at = end;
        if (!plain) endNumber(word, value, keyword);
        return value;
    }

    /// The end of a number that no blank or line end stands behind; c_.at: where it was read to, or null.
    template <class T>
    void endNumber(const char* word, T& value, const char* keyword) {
        const ScanEnd end = std::exchange(c_.at, word);
        if (end == nullptr) {
            if (c_.atLineEnd()) fail("truncated", keyword, "too few numbers");
            fail("number", word, wordAt(word) + " is no number");
        }
        c_.at = end;
        if (end < c_.end && *end == '#' && end[-1] == '.') {
            if (const ScanEnd special = scanSpecial(end, c_.end, *word == '-', value)) c_.at = special;
        }
        if (c_.at < c_.end && *c_.at == ',') ++c_.at;  // some programs end numbers so; "0,5" is refused all the same
        if (!c_.atWordEnd()) fail("number", word, wordAt(word) + " is no number");
    }

    template <class T>
    void push(PodBuffer<T>& to, const T& value, const char* keyword) {
        if (to.size() >= kMostVertices) fail("index-range", keyword, "more vertices than 32 bits can count");
        to.push(value);
    }

    void position(const char* keyword) {
        ++seenPositions_;
        if (pass_ == Pass::Elements) return;
        Vec3 p;
        p.x = number<float>(keyword);
        p.y = number<float>(keyword);
        p.z = number<float>(keyword);
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
            fail("nonfinite", keyword, "a position is not finite or too large for a float");
        }
        push(lines_.positions, p, keyword);
        if (moreNumbers())
            color(keyword);
        else if (!lines_.colors.empty())
            lines_.colors.push(VertexLines::kNoColor);
    }

    /// What follows a position: a weight, which is 1 in polygons, or red, green, blue and sometimes alpha.
    void color(const char* keyword) {
        std::array<float, 4> rgba{0.0F, 0.0F, 0.0F, 1.0F};
        std::size_t n = 0;
        for (; n < rgba.size() && moreNumbers(); ++n) rgba[n] = number<float>(keyword);
        if (n == 2 || moreNumbers()) extraNumbers_.add(keyword);
        const bool isColor = n >= 3;
        if (!isColor && lines_.colors.empty()) return;
        for (const float v : rgba) {
            if (isColor && !std::isfinite(v)) fail("nonfinite", keyword, "a vertex colour is not finite");
        }
        lines_.colors.resize(lines_.positions.size() - 1, VertexLines::kNoColor);
        lines_.colors.push(isColor ? Vec4(rgba[0], rgba[1], rgba[2], rgba[3]) : VertexLines::kNoColor);
    }

    /// A comment, which may be ZBrush's way to give colours: "#MRGB " and MMRRGGBB in hexadecimal for each vertex in
    /// turn, M being a mask.
    void paint(const char* keyword) {
        constexpr std::string_view kMark = "#MRGB ";
        if (pass_ == Pass::Elements) return;
        if (!std::string_view(keyword, static_cast<std::size_t>(c_.end - keyword)).starts_with(kMark)) return;
        lines_.colors.resize(lines_.positions.size(), VertexLines::kNoColor);
        const char* p = keyword + kMark.size();
        for (std::uint32_t mrgb = 0; c_.end - p >= 8 && painted_ < lines_.positions.size(); p += 8, ++painted_) {
            if (std::from_chars(p, p + 8, mrgb, 16).ptr != p + 8) break;
            const Vec3 rgb(static_cast<float>(mrgb >> 16 & 255), static_cast<float>(mrgb >> 8 & 255),
                           static_cast<float>(mrgb & 255));
            lines_.colors[painted_] = Vec4(rgb / 255.0F, 1.0F);
        }
    }

    void uv(const char* keyword) {
        ++seenUvs_;
        if (pass_ == Pass::Elements) return;
        const auto right = number<float>(keyword);
        const double up = moreNumbers() ? number<double>(keyword) : 0.0;
        if (moreNumbers()) number<float>(keyword);  // depth, for textures of three dimensions
        if (moreNumbers()) extraNumbers_.add(keyword);
        // The file's v runs up, ours runs down. Taken from one in double it is the very float that was written.
        push(lines_.uvs, Vec2(right, static_cast<float>(1.0 - up)), keyword);
    }

    void normal(const char* keyword) {
        ++seenNormals_;
        if (pass_ == Pass::Elements) return;
        Vec3 n;
        n.x = number<float>(keyword);
        n.y = number<float>(keyword);
        n.z = number<float>(keyword);
        if (moreNumbers()) extraNumbers_.add(keyword);
        push(lines_.normals, unit(n), keyword);
    }

    /// A normal that is about one long, as after rounding to a few decimals, stays as it is; others are made so. What
    /// has no length becomes NaN.
    static Vec3 unit(Vec3 n) {
        if (std::abs(n.x * n.x + n.y * n.y + n.z * n.z - 1.0F) < 1e-3F) return n;
        const Vec3d wide(n);
        const double length = glm::length(wide);
        if (!(length > 0.0) || !std::isfinite(length)) return Vec3(std::numeric_limits<float>::quiet_NaN());
        return Vec3(wide / length);
    }

    // ------------------------------------------------------------------------------------------ elements

    /// An index as the file counts, from 1 or back from the last line, as one from 0. seen: lines so far; total: lines
    /// that are known, which are all of the file in the second of two passes.
    std::uint32_t index(std::size_t seen, std::size_t total, std::string_view what) {
        const char* const first = c_.at;
        const bool back = first < c_.end && *first == '-';
        if (back) ++c_.at;
        const char* const digits = c_.at;
        std::uint64_t value = 0;
        for (; c_.at < c_.end && isDigit(*c_.at); ++c_.at) value = value * 10 + static_cast<unsigned>(*c_.at - '0');
        const auto count = c_.at - digits;
        if (count > 18) fail("index-range", first, std::string(what) + ' ' + wordAt(first) + " is absurd");
        if (count == 0) fail("number", first, wordAt(first) + " is no index");
        const std::size_t limit = back ? seen : total;
        if (value > 0 && value <= limit) return static_cast<std::uint32_t>(back ? seen - value : value - 1);
        if (!back && value > 0 && pass_ == Pass::Both) throw ForwardReference{};
        fail("index-range", first,
             std::string(what) + (back ? " -" : " ") + std::to_string(value) + " of " + std::to_string(limit));
    }

    /// A uv or normal index. Some programs write them into files that have no such lines: they mean nothing there.
    std::uint32_t attribute(std::size_t seen, std::size_t total, std::string_view what) {
        if (total > 0) return index(seen, total, what);
        if (pass_ == Pass::Both) throw ForwardReference{};
        unusedIndices_.add(c_.at);
        if (*c_.at == '-') ++c_.at;
        while (c_.at < c_.end && isDigit(*c_.at)) ++c_.at;
        return Corner::kNone;
    }

    /// Passes a slash; whether a number stands behind it.
    bool slash() {
        if (c_.at >= c_.end || *c_.at != '/') return false;
        ++c_.at;
        return c_.at < c_.end && (isDigit(*c_.at) || *c_.at == '-');
    }

    Corner corner() {
        Corner out;
        const char* const first = c_.at;
        out.position = index(seenPositions_, lines_.positions.size(), "vertex");
        if (slash()) out.uv = attribute(seenUvs_, lines_.uvs.size(), "texture coordinate");
        if (slash()) out.normal = attribute(seenNormals_, lines_.normals.size(), "normal");
        if (!c_.atWordEnd()) fail("number", first, wordAt(first) + " is no corner");
        return out;
    }

    /// The corners of the element. A uv or normal that only some of them have is left out.
    void readCorners(const char* keyword) {
        corners_.clear();
        std::size_t uvs = 0;
        std::size_t normals = 0;
        while (moreNumbers()) {
            const Corner made = corner();
            if (made.uv != Corner::kNone) ++uvs;
            if (made.normal != Corner::kNone) ++normals;
            corners_.push(made);
        }
        for (std::size_t i = 0; recover_ && i < corners_.size(); ++i) {
            if (!std::isnan(lines_.positions[corners_[i].position].x)) continue;
            fail("nonfinite", keyword, "vertex " + std::to_string(corners_[i].position + 1) + " could not be read");
        }
        const std::size_t n = corners_.size();
        if ((uvs == 0 || uvs == n) && (normals == 0 || normals == n)) return;
        mixedCorners_.add(keyword);
        for (Corner& corner : corners_) {
            if (uvs != n) corner.uv = Corner::kNone;
            if (normals != n) corner.normal = Corner::kNone;
        }
    }

    void face(const char* keyword) {
        readCorners(keyword);
        if (corners_.size() < 3)
            shortElements_.add(keyword);
        else
            builder_.face(corners_);
    }

    void polyline(const char* keyword) {
        readCorners(keyword);
        if (corners_.size() < 2)
            shortElements_.add(keyword);
        else
            builder_.polyline(corners_);
    }

    void points() {
        readCorners(c_.at);
        for (Corner& corner : corners_) corner.uv = corner.normal = Corner::kNone;
        if (!corners_.empty()) builder_.points(corners_);
    }

    const Input& input_;
    std::string_view text_;
    bool recover_;
    LineCursor c_{nullptr, nullptr};
    const char* lineStart_ = nullptr;
    Pass pass_ = Pass::Both;
    std::size_t seenPositions_ = 0;
    std::size_t seenUvs_ = 0;
    std::size_t seenNormals_ = 0;
    std::size_t painted_ = 0;  ///< vertices that a comment gave a colour
    VertexLines lines_;
    Scene scene_;
    MaterialTable materials_;
    ObjectBuilder builder_;
    PodBuffer<Corner> corners_;

    std::size_t known_ = 0;  ///< lines with a keyword that is known, besides vertices and faces
    Tally mixedCorners_;
    Tally shortElements_;
    Tally unusedIndices_;
    Tally extraNumbers_;
    Tally freeForm_;
    Tally unknown_;
    Tally broken_;
};

/// The text with LF where lines end with CR alone, as on systems of the last century; empty when it is not such a text.
std::string withLineFeeds(std::string_view text) {
    if (text.find('\n') != std::string_view::npos || text.find('\r') == std::string_view::npos) return {};
    std::string out(text);
    std::replace(out.begin(), out.end(), '\r', '\n');
    return out;
}

}  // namespace

Scene readScene(const Input& input, const ReadOptions& options, Defects& defects) {
    const bool faithful = options.format.has(kFaithful);
    std::string_view text = asText(input.bytes);
    if (isUtf16(text)) {
        throw FormatError({Severity::Error, "not-obj", 0, {}, "the text is UTF-16, save it as UTF-8"});
    }
    const std::string converted = withLineFeeds(text);
    if (!converted.empty()) text = converted;
    try {
        Reader reader(input, text, faithful, options.recover);
        reader.scan(Pass::Both);
        return reader.finish(defects);
    } catch (const ForwardReference&) {
    }
    Reader reader(input, text, faithful, options.recover);
    reader.scan(Pass::Vertices);
    reader.scan(Pass::Elements);
    return reader.finish(defects);
}

Confidence probe(Bytes bytes, std::string_view name) noexcept {
    constexpr std::size_t kLooked = 16 * 1024;
    std::string_view text = asText(bytes.first(std::min(bytes.size(), kLooked)));
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    if (text.find('\0') != std::string_view::npos) return Confidence::No;
    const bool named = name.size() >= 4 && (name.ends_with(".obj") || name.ends_with(".OBJ") || name.ends_with(".Obj"));
    std::size_t known = 0;
    std::size_t others = 0;
    bool vertex = false;
    LineCursor c{text.data(), text.data() + text.size()};
    while (c.at < c.end) {
        const std::string_view word = c.word();
        const bool whole = c.at < c.end;  // the last line may have been cut
        static constexpr std::array<std::string_view, 9> kTelling{"v", "vt",     "vn",     "f", "o",
                                                                  "g", "usemtl", "mtllib", "l"};
        if (isOneOf(word, kTelling))
            ++known;
        else if (whole && !word.empty() && !isOneOf(word, kPassedOver) && !isOneOf(word, kFreeForm))
            ++others;
        if (word == "v") {
            double x = 0.0;
            c.blanks();
            vertex = vertex || scanNumber(c.at, c.end, x) != nullptr;
        }
        c.nextLine();
    }
    if (named) return known > 0 || others == 0 ? Confidence::Likely : Confidence::Maybe;
    if (vertex && others == 0) return Confidence::Likely;
    return vertex && known > 4 * others ? Confidence::Maybe : Confidence::No;
}

}  // namespace geomconv::obj
