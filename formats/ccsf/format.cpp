#include "formats/ccsf/format.hpp"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "formats/ccsf/ccsf.hpp"
#include "formats/ccsf/members.hpp"

namespace geomconv::ccsf {

namespace {

constexpr std::array<std::string_view, 1> kExtensions{".ccs"};

constexpr auto kReading = verbBits({Verb::Read});
constexpr auto kPatching = verbBits({Verb::Patch});
constexpr std::array<OptionSpec, 6> kOptions{{
    {.name = "winding",
     .value = "auto|strip",
     .help = "Which way round triangles are: strips turned to face their normals, or as the strip rule says (auto)",
     .verbs = kReading,
     .choices = true},
    {.name = "pose",
     .value = "NAME[@FRAME]|bind|frames[@FRAME]|none",
     .help = "Animation that places bones (the stored bind; without one frame 0 of the first fitting animation)",
     .verbs = kReading},
    {.name = "animations", .value = "all|none|NAME,...", .help = "Which animations come out (all)", .verbs = kReading},
    {.name = "fps", .value = "F", .help = "Frames per second of animations (30)", .verbs = kReading},
    {.name = "texture", .value = "NAME", .help = "The PNG given replaces this texture", .verbs = kPatching},
    {.name = "raw",
     .value = "NAME=FILE",
     .help = "Put a chunk back as extract wrote it into a file",
     .verbs = kPatching,
     .repeatable = true},
}};

/// Throws FormatError (`fps`) for what is no rate.
double framesPerSecond(std::string_view text) {
    double fps = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), fps);
    if (error != std::errc() || end != text.data() + text.size() || !(fps >= 0.001 && fps <= 100000.0))
        throw FormatError("fps", "--fps " + std::string(text) + " is no number of frames per second");
    return fps;
}

Document readDocument(const Input& input, const ReadOptions& options, Defects& defects) {
    return read(input.bytes, options.recover, defects);
}

Scene readScene(const Input& input, const ReadOptions& options, Defects& defects) {
    SceneOptions how;
    if (options.content) how.content = *options.content;
    if (options.format.get("winding", "auto") == "strip") how.winding = Winding::Strip;
    if (const auto pose = options.format.get("pose")) how.pose = parsePose(*pose);
    if (const auto names = options.format.get("animations")) how.animations = parseAnimations(*names);
    if (const auto fps = options.format.get("fps")) how.animations.fps = framesPerSecond(*fps);
    Defects said;
    Scene scene = toScene(readDocument(input, options, defects), how, said);
    for (Defect defect : said.list()) {
        // What is left out of a damaged file is what --recover asks for.
        defects.add(options.recover ? asWarning(std::move(defect)) : std::move(defect));
    }
    scene.source.file = input.name;
    return scene;
}

PatchResult patchFile(const Input& base, const ReadOptions& reading, const Scene& edits, const PatchOptions& options,
                      Defects& defects) {
    if (options.add || !options.remove.empty())
        throw GeometryError("", "conflict", "models of a scene are replaced, not added or removed");
    return patch(base.bytes, reading, edits, options, defects);
}

void dump(const Input& input, const ReadOptions& options, Sink& out, Defects& defects) {
    toJson(readDocument(input, options, defects), out);
}

void checkFile(const Input& input, const ReadOptions& options, Defects& defects) {
    collectDefects(defects, [&] {
        const Document document = readDocument(input, options, defects);
        check(document, defects);
        SceneOptions everything;
        everything.content = ContentSet::all();
        toScene(document, everything, defects);
    });
}

nlohmann::ordered_json infoOf(const Input& input, const ReadOptions& options, Defects& defects) {
    return info(readDocument(input, options, defects));
}

std::vector<Member> list(const Input& input, const ReadOptions& options, Defects& defects) {
    return members(readDocument(input, options, defects));
}

ByteVector extract(const Input& input, const ReadOptions& options, std::string_view member, Defects& defects) {
    return memberBytes(readDocument(input, options, defects), member);
}

}  // namespace

const Format kFormat{.id = "ccsf",
                     .title = "CyberConnect2 scene",
                     .extensions = kExtensions,
                     .role = Role::Game,
                     .options = kOptions,
                     .contents = "render; also collision (hit meshes), shadow, helpers (dummies), bounds",
                     .probe = probe,
                     .readScene = readScene,
                     .patch = patchFile,
                     .dump = dump,
                     .check = checkFile,
                     .info = infoOf,
                     .list = list,
                     .extract = extract};

}  // namespace geomconv::ccsf
