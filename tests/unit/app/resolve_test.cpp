#include "app/resolve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "app/conversion.hpp"
#include "app/usage_error.hpp"
#include "lib/files/system_error.hpp"
#include "tests/support/shared.hpp"

namespace geomconv {
namespace {

using test::TemporaryFolder;

constexpr std::array<std::string_view, 1> kMeshEndings{".msh"};
constexpr std::array<std::string_view, 1> kModelEndings{".mdl"};
constexpr std::array<std::string_view, 1> kPackEndings{".pck"};
constexpr std::array<std::string_view, 1> kWrapEndings{".wrp"};
constexpr std::array kMeshOptions{
    OptionSpec{"detail", "N", "how fine", static_cast<std::uint8_t>(Verb::Read), false, false}};

bool starts(Bytes bytes, std::string_view magic) {
    return asText(bytes).starts_with(magic);
}

// MESH: the rest is the name of its one node, and the model's first part where there is one.
Confidence probeMesh(Bytes bytes, std::string_view) noexcept {
    return starts(bytes, "MESH") ? Confidence::Certain : Confidence::No;
}
Scene readMesh(const Input& input, const ReadOptions& options, Defects&) {
    Scene scene;
    Node node;
    node.name = std::string(asText(input.bytes.subspan(4)));
    if (options.model) node.name += "/" + options.model->parts.front().name;
    if (input.companions && input.companions("../outside")) node.name += "/ESCAPED";
    if (const auto other = input.companions ? input.companions("beside.txt") : nullptr)
        node.name += asText(other->bytes());
    scene.nodes.push_back(std::move(node));
    return scene;
}
constexpr Format kMesh{.id = "mesh",
                       .title = "test mesh",
                       .extensions = kMeshEndings,
                       .options = kMeshOptions,
                       .probe = probeMesh,
                       .readScene = readMesh,
                       .usesModel = true};

ModelParts readModel(const Input& input, const ReadOptions&, Defects&) {
    if (!starts(input.bytes, "MODEL")) throw FormatError({Severity::Error, "magic", 0, {}, "no model"});
    ModelParts parts;
    parts.parts.emplace_back().name = std::string(asText(input.bytes.subspan(5)));
    return parts;
}
constexpr Format kModel{.id = "model", .title = "test model", .extensions = kModelEndings, .modelParts = readModel};

// PACK: lines "name=content".
Confidence probePack(Bytes bytes, std::string_view) noexcept {
    return starts(bytes, "PACK\n") ? Confidence::Certain : Confidence::No;
}
std::vector<std::pair<std::string, std::string>> members(Bytes bytes) {
    std::vector<std::pair<std::string, std::string>> out;
    std::string_view rest = asText(bytes).substr(5);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t equals = line.find('=');
        out.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    }
    return out;
}
std::vector<Member> listPack(const Input& input, const ReadOptions&, Defects&) {
    std::vector<Member> out;
    for (const auto& [name, content] : members(input.bytes)) out.push_back({name, "file", {}, {}, {}});
    return out;
}
ByteVector extractPack(const Input& input, const ReadOptions&, std::string_view member, Defects&) {
    for (const auto& [name, content] : members(input.bytes)) {
        if (name == member) return {content.begin(), content.end()};
    }
    throw FormatError({Severity::Error, "no-member", std::nullopt, {}, "there is no member " + std::string(member)});
}
constexpr Format kPack{.id = "pack",
                       .title = "test pack",
                       .extensions = kPackEndings,
                       .role = Role::Container,
                       .probe = probePack,
                       .list = listPack,
                       .extract = extractPack};

Confidence probeWrap(Bytes bytes, std::string_view) noexcept {
    return starts(bytes, "WRAP") ? Confidence::Certain : Confidence::No;
}
ByteVector extractWrap(const Input& input, const ReadOptions&, std::string_view, Defects&) {
    const Bytes rest = input.bytes.subspan(4);
    return {rest.begin(), rest.end()};
}
constexpr Format kWrap{.id = "wrap",
                       .title = "test wrapper",
                       .extensions = kWrapEndings,
                       .role = Role::Container,
                       .probe = probeWrap,
                       .extract = extractWrap,
                       .transparent = true};

const FormatTable& table() {
    static const FormatTable formats({&kWrap, &kPack, &kMesh, &kModel});
    return formats;
}

class Resolve : public ::testing::Test {
protected:
    std::string put(std::string_view name, std::string_view text) const {
        const auto path = folder / name;
        std::filesystem::create_directories(path.parent_path());
        test::writeFile(path, asBytes(text));
        return path.string();
    }
    std::string nodeName(const std::string& typed, const ReadSettings& settings = {}) const {
        const Opened opened = open(typed, settings, table());
        Defects found;
        const ReadOptions options = readOptionsFor(opened, settings, table(), found);
        return require(opened, table()).readScene(opened.input(), options, found).nodes.front().name;
    }
    TemporaryFolder folder;
};

TEST_F(Resolve, RecognisesByContentFirst) {
    EXPECT_EQ(nodeName(put("a.pck", "MESHone")), "one");
}

TEST_F(Resolve, RecognisesByNameWhereContentSaysNothing) {
    const Opened opened = open(put("a.MSH", "????"), {}, table());
    EXPECT_EQ(opened.format, &kMesh);
    EXPECT_EQ(open(put("a.unknown", "????"), {}, table()).format, nullptr);
    EXPECT_THROW(require(open(put("b.unknown", "????"), {}, table()), table()), FormatError);
}

TEST_F(Resolve, FromOverrules) {
    ReadSettings settings;
    settings.from = &kModel;
    EXPECT_EQ(open(put("a.msh", "MESHone"), settings, table()).format, &kModel);
}

TEST_F(Resolve, LooksThroughWrappersOfWrappers) {
    const Opened opened = open(put("a.msh.wrp", "WRAPWRAPMESHone"), {}, table());
    EXPECT_EQ(opened.format, &kMesh);
    EXPECT_EQ(opened.layers.size(), 2U);
    EXPECT_EQ(opened.fileName, "a.msh");
    EXPECT_EQ(open(put("b.wrp", "WRAPMESHone"), {}, table(), Wrapping::Keep).format, &kWrap);
    ReadSettings settings;
    settings.from = &kMesh;
    EXPECT_EQ(nodeName(put("c.wrp", "WRAPMESHone"), settings), "one") << "--from names what is inside";
    settings.from = &kWrap;
    EXPECT_EQ(open(put("d.wrp", "WRAPMESHone"), settings, table()).format, &kWrap);
}

TEST_F(Resolve, StopsAtWrappersWithoutEnd) {
    std::string nested;
    for (int i = 0; i < 100; ++i) nested += "WRAP";
    EXPECT_THROW(open(put("a.wrp", nested), {}, table()), FormatError);
}

TEST_F(Resolve, TakesMembersOfContainersInContainers) {
    const std::string file = put("a.pck", "PACK\none=MESHfirst\ntwo=WRAPMESHsecond\n");
    EXPECT_EQ(nodeName(file + "::one"), "first");
    EXPECT_EQ(nodeName(file + "::two"), "second");
    EXPECT_EQ(nodeName(file + "+one"), "first") << "the game's own notation";
    EXPECT_EQ(nodeName(put("w.wrp", "WRAPPACK\nx=MESHdeep\n") + "::x"), "deep");
    EXPECT_THROW(open(file + "::three", {}, table()), FormatError);
    EXPECT_THROW(open(put("m.msh", "MESHone") + "::x", {}, table()), UsageError);
}

TEST_F(Resolve, APathThatExistsAsItStandsWins) {
    const std::string file = put("a.pck", "PACK\none=MESHmember\n");
    put("a.pck::one", "MESHfile");
    put("a.pck+one", "MESHplus");
    EXPECT_EQ(nodeName(file + "::one"), "file");
    EXPECT_EQ(nodeName(file + "+one"), "plus");
}

TEST_F(Resolve, AMissingFileIsNamedAsTyped) {
    try {
        open((folder / "none.msh").string(), {}, table());
        FAIL();
    } catch (const SystemError& e) {
        EXPECT_THAT(e.what(), ::testing::HasSubstr("none.msh"));
    }
}

TEST_F(Resolve, FindsTheModelBesideWhateverItsCase) {
    const std::string file = put("ship.msh", "MESHhull");
    EXPECT_EQ(nodeName(file), "hull");
    put("SHIP.MDL", "MODELroot");
    EXPECT_EQ(nodeName(file), "hull/root");
    ReadSettings settings;
    settings.model = "none";
    EXPECT_EQ(nodeName(file, settings), "hull");
    settings.model = put("other.mdl", "MODELother");
    EXPECT_EQ(nodeName(file, settings), "hull/other");
    settings.model = put("nomodel.msh", "MESHx");
    EXPECT_THROW(nodeName(file, settings), UsageError);
}

TEST_F(Resolve, ABrokenModelThatWasFoundByItselfIsAWarning) {
    const std::string file = put("ship.msh", "MESHhull");
    const std::string model = put("ship.mdl", "broken");
    const Opened opened = open(file, {}, table());
    Defects found;
    EXPECT_EQ(readOptionsFor(opened, {}, table(), found).model, nullptr);
    EXPECT_EQ(found.count("model-unreadable"), 1U);
    ReadSettings settings;
    settings.model = model;
    EXPECT_THROW(readOptionsFor(opened, settings, table(), found), FormatError) << "asked for by name it is an error";
}

TEST_F(Resolve, CompanionsStayInTheFolder) {
    put("outside", "secret");
    put("in/beside.txt", "!");
    const std::string file = put("in/a.msh", "MESHone");
    EXPECT_EQ(nodeName(file), "one!");
    std::filesystem::create_symlink(folder / "outside", folder / "in/link");
    const Companions companions = companionsIn(folder / "in");
    EXPECT_NE(companions("beside.txt"), nullptr);
    EXPECT_NE(companions("BESIDE.TXT"), nullptr);
    for (const std::string name :
         {"../outside", "/etc/passwd", "link", "", ".", "x/../../outside", "..\\outside", "c:\\x", "nosuch"}) {
        EXPECT_EQ(companions(name), nullptr) << name;
    }
}

TEST_F(Resolve, OptionsOfOtherFormatsAreRefused) {
    OptionValues given;
    given.set("detail", "3");
    constexpr auto kRead = static_cast<std::uint8_t>(Verb::Read);
    EXPECT_NO_THROW(checkFormatOptions(given, {&kMesh}, kRead, table()));
    EXPECT_NO_THROW(checkFormatOptions(given, {&kModel, &kMesh}, kRead, table())) << "one of several inputs knows it";
    EXPECT_THROW(checkFormatOptions(given, {&kModel}, kRead, table()), UsageError);
    EXPECT_THROW(checkFormatOptions(given, {&kMesh}, static_cast<std::uint8_t>(Verb::Write), table()), UsageError);
    EXPECT_TRUE(formatOptionsFor(given, kModel).list().empty());
}

TEST_F(Resolve, TheSoleMemberIsTheOnlyReadableOneOrOneOfEquals) {
    Defects found;
    const auto sole = [&](const std::string& text) {
        return soleMember(open(put("a.pck", text), {}, table()), {}, table(), found).name;
    };
    EXPECT_THAT(sole("PACK\nnote=hello\none=MESHx\n"), ::testing::EndsWith("::one"));
    EXPECT_TRUE(found.empty());
    EXPECT_THAT(sole("PACK\none=MESHx\ntwo=MESHx\n"), ::testing::EndsWith("::one"));
    EXPECT_EQ(found.count("identical-members"), 1U);
    EXPECT_THROW(sole("PACK\none=MESHx\ntwo=MESHy\n"), FormatError);
    EXPECT_THROW(sole("PACK\nnote=hello\n"), FormatError);
}

int walksOpened = 0;
Members walkPack(const Input& input, const ReadOptions&, Defects&) {
    ++walksOpened;
    Members out;
    std::vector<std::string> contents;
    for (auto& [name, content] : members(input.bytes)) {
        out.names.push_back(name);
        contents.push_back(content);
    }
    out.take = [contents](std::size_t i, Defects&) -> std::optional<ByteVector> {
        if (contents[i] == "none") return std::nullopt;
        return ByteVector(contents[i].begin(), contents[i].end());
    };
    return out;
}
ByteVector extractNever(const Input&, const ReadOptions&, std::string_view, Defects&) {
    throw FormatError("twice", "a walk opens the container once");
}
constexpr Format kWalked{.id = "pack",
                         .title = "test pack",
                         .extensions = kPackEndings,
                         .role = Role::Container,
                         .probe = probePack,
                         .list = listPack,
                         .extract = extractNever,
                         .members = walkPack};

TEST_F(Resolve, OpensAContainerOnceForAllItsMembers) {
    const FormatTable formats({&kWrap, &kWalked, &kMesh, &kModel});
    walksOpened = 0;
    const Opened pack = open(put("a.pck", "PACK\nx=MESHone\ny=none\nz=WRAPMESHtwo\n"), {}, formats);
    ReadSettings settings;
    settings.from = &kWalked;  // of the container, not of what is in it
    Defects found;
    const Members all = membersOf(pack, settings, found);
    ASSERT_EQ(all.names.size(), 3U);
    const auto first = openMember(pack, all, 0, settings, formats);
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->format, &kMesh);
    EXPECT_TRUE(first->name.ends_with("a.pck::x"));
    EXPECT_FALSE(openMember(pack, all, 1, settings, formats).has_value());
    const auto third = openMember(pack, all, 2, settings, formats);
    ASSERT_TRUE(third.has_value());
    EXPECT_EQ(asText(third->file->bytes()), "MESHtwo");
    EXPECT_EQ(third->layers.size(), 2U);
    EXPECT_EQ(walksOpened, 1);
}

}  // namespace
}  // namespace geomconv
