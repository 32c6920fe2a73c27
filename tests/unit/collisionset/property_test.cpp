// The laws over random libraries: any name bytes, any floats, any indices in range.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/unit/collisionset/made.hpp"

namespace geomconv::collisionset {
namespace {

Record anyRecord() {
    Record record;
    const auto field = *rc::gen::container<std::vector<char>>(rc::gen::arbitrary<char>());
    record.nameField.assign(field.begin(), field.end());
    const auto nv = *rc::gen::inRange<std::size_t>(0, 30);
    for (std::size_t i = 0; i < nv; ++i) {
        Vec3 v;
        for (int axis = 0; axis < 3; ++axis) v[axis] = std::bit_cast<float>(*rc::gen::arbitrary<std::uint32_t>());
        record.vertex.push_back(v);
    }
    const auto nt = nv == 0 ? 0 : *rc::gen::inRange<std::size_t>(0, 40);
    for (std::size_t i = 0; i < 3 * nt; ++i) {
        record.index.push_back(static_cast<std::uint32_t>(*rc::gen::inRange<std::size_t>(0, nv)));
    }
    return record;
}

Library anyLibrary() {
    Library library;
    const auto n = *rc::gen::inRange<std::size_t>(1, 6);
    for (std::size_t i = 0; i < n; ++i) library.records.push_back(anyRecord());
    if (*rc::gen::arbitrary<bool>()) library.byteOrder = ByteOrder::Little;
    library.trailingZeros = *rc::gen::inRange<std::uint64_t>(0, 40);
    return library;
}

/// Reading in the known order: a name field may look like anything in the other one.
Library readBack(const ByteVector& bytes, ByteOrder order) {
    ReadOptions options;
    options.byteOrder = order == ByteOrder::Big ? ByteOrderChoice::Big : ByteOrderChoice::Little;
    Defects defects;
    return read(bytes, options, defects);
}

TEST(CollisionSetLaws, RandomLibrariesComeBackByteForByte) {
    EXPECT_TRUE(rc::check("write(read(x)) == x, fromJson(toJson(d)) == d, two swaps are none", [] {
        Library library = anyLibrary();
        const ByteOrder order = library.byteOrder;
        const ByteVector bytes = write(library);
        RC_ASSERT(write(readBack(bytes, order)) == bytes);
        RC_ASSERT(detectByteOrder(bytes, ByteOrderChoice::Auto) == order);
        MemorySink dumped;
        toJson(library, dumped);
        RC_ASSERT(write(fromJson(dumped.takeText())) == bytes);
        library.byteOrder = order == ByteOrder::Big ? ByteOrder::Little : ByteOrder::Big;
        Library swapped = readBack(write(library), library.byteOrder);
        swapped.byteOrder = order;
        RC_ASSERT(write(swapped) == bytes);
    }));
}

TEST(CollisionSetLaws, RandomLibrariesComeBackThroughTheScene) {
    EXPECT_TRUE(rc::check("fromScene(toScene(d)) == d", [] {
        const Library library = anyLibrary();
        Defects defects;
        MemorySink out;
        fromScene(toScene(library, "x.bin", {}, defects), {}, out, defects);
        RC_ASSERT(out.take() == write(library));
        RC_ASSERT(patch(write(library), {}, Scene{}, {}, defects).bytes == write(library));
    }));
}

}  // namespace
}  // namespace geomconv::collisionset
