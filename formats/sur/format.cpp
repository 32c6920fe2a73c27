#include "formats/sur/format.hpp"

#include <array>

#include "formats/sur/sur.hpp"

namespace geomconv::sur {

namespace {

constexpr std::array<std::string_view, 1> kExtensions{".sur"};

constexpr std::array kOptions{
    OptionSpec{
        "duplicates", "drop|keep",
        "with a model: hulls that fixed ancestors carry as copies once, or as the file has them [drop for meshes]",
        static_cast<std::uint8_t>(Verb::Read), true, false},
};

Scene readScene(const Input& input, const ReadOptions& options, Defects& defects) {
    Scene scene = toScene(read(input.bytes, defects, options.recover), options, defects);
    scene.source.file = input.name.substr(input.name.find_last_of("/\\") + 1);
    return scene;
}

void writeScene(const Scene& scene, const WriteOptions&, OutputSet& out, Defects& defects) {
    out.main().write(write(fromScene(scene, defects)));
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
    .usesModel = true,
};

}  // namespace geomconv::sur
