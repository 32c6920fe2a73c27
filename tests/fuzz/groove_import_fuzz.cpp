#include <cstdlib>

#include "exporters/obj/obj.hpp"
#include "formats/groove/import.hpp"
#include "lib/scene/faithful.hpp"
#include "tests/support/groove_level.hpp"

// A mesh as text into a small level, also as its collision and as an object. What is taken reads again and is the same
// after a second import.
namespace {

using namespace geomconv;
using namespace geomconv::groove;

void useTiles(const ByteVector& base, const Scene& mesh, const Scene* collision, bool keepTiles) {
    Defects defects;
    ImportOptions options;
    options.keepTiles = keepTiles;
    options.skipOutside = true;
    options.uv = keepTiles ? UvReading::Page : UvReading::Auto;
    options.floorPoints = 8;
    Level level = read(base, false, defects);
    importMesh(level, mesh, collision, options, defects);
    const ByteVector once = write(level);
    level = read(once, false, defects);
    if (keepTiles) return;
    importMesh(level, mesh, collision, options, defects);
    if (write(level) != once) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const ByteVector base = geomconv::test::sampleLevel();
    const auto quietly = [](auto use) {
        try {
            use();
        } catch (const FormatError&) {
        } catch (const GeometryError&) {
        }
    };
    quietly([&] {
        Defects defects;
        ReadOptions options;
        options.format.set(std::string(kFaithful), "");
        const Scene mesh = obj::readScene({"a.obj", Bytes(data, size), {}, {}}, options, defects);
        quietly([&] { useTiles(base, mesh, nullptr, false); });
        quietly([&] { useTiles(base, mesh, &mesh, true); });
        quietly([&] {
            Level level = read(base, false, defects);
            importObject(level, mesh, 0, {}, defects);
            read(write(level), false, defects);
        });
    });
    return 0;
}
