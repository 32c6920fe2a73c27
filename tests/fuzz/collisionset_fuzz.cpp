#include <nlohmann/json.hpp>

#include "formats/collisionset/collisionset.hpp"

using namespace geomconv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes(data, size);
    collisionset::probe(bytes, "fuzz.bin");
    for (const bool recover : {false, true}) {
        ReadOptions options;
        options.recover = options.forMesh = options.finite = recover;
        Defects defects;
        collisionset::Reading reading = collisionset::survey(bytes, options, defects);
        collisionset::summary(reading);
        if (!reading.error) collisionset::toScene(std::move(reading.library), "fuzz.bin", options, defects);
        try {
            collisionset::patch(bytes, options, Scene{}, {}, defects);
            collisionset::fromJson(asText(bytes));
        } catch (const FormatError&) {
        }
    }
    return 0;
}
