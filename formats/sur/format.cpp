#include "formats/sur/format.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "formats/sur/sur.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv::sur {

namespace {

constexpr std::array<std::string_view, 1> kExtensions{".sur"};

constexpr std::array kOptions{
    OptionSpec{
        "duplicates", "drop|keep",
        "With a model: hulls that fixed ancestors carry as copies once, or as the file has them (drop for meshes)",
        verbBits({Verb::Read}), true, false},
    OptionSpec{"rename", "OLD=NEW",
               "Parts, hulls and hardpoints called OLD are called NEW, before anything else is done",
               verbBits({Verb::Patch}), false, true},
};

Scene readScene(const Input& input, const ReadOptions& options, Defects& defects) {
    Scene scene = toScene(read(input.bytes, defects, options.recover), options, defects);
    scene.source.file = fileNameOf(input.name);
    return scene;
}

void writeScene(const Scene& scene, const WriteOptions& options, OutputSet& out, Defects& defects) {
    out.main().write(write(fromScene(scene, defects, options.scale)));
}

void dump(const Input& input, const ReadOptions& options, Sink& out, Defects& defects) {
    toJson(read(input.bytes, defects, options.recover), out);
}

/// A document may say more than a file can hold (a face that names a point that is not there): such a file is not made.
ByteVector undump(const Input& json, Defects&) {
    ByteVector bytes = write(fromJson(asText(json.bytes)));
    try {
        Defects known;
        read(bytes, known);
    } catch (const FormatError& error) {
        throw FormatError("document", "the document makes no readable .sur: " + error.defect().detail,
                          error.defect().where);
    }
    return bytes;
}

void checkFile(const Input& input, const ReadOptions& options, Defects& defects) {
    collectDefects(defects, [&] { check(read(input.bytes, defects, options.recover), defects, options); });
}

nlohmann::ordered_json infoOf(const Input& input, const ReadOptions& options, Defects& defects) {
    return info(read(input.bytes, defects, options.recover), options);
}

std::vector<Member> listOf(const Input& input, const ReadOptions& options, Defects& defects) {
    return list(read(input.bytes, defects, options.recover), options);
}

}  // namespace

const Format kFormat{
    .id = "sur",
    .title = "Freelancer collision library",
    .extensions = kExtensions,
    .role = Role::Game,
    .options = kOptions,
    .contents = "collision (default): the hulls that collide; bounds: wrap hulls and node boxes",
    .probe = probe,
    .readScene = readScene,
    .writeScene = writeScene,
    .patch = patch,
    .dump = dump,
    .undump = undump,
    .check = checkFile,
    .info = infoOf,
    .list = listOf,
    .usesModel = true,
};

}  // namespace geomconv::sur
