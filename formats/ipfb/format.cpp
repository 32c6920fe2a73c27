#include "formats/ipfb/format.hpp"

#include <array>
#include <map>
#include <memory>

#include "formats/ipfb/ipfb.hpp"
#include "formats/z1/z1.hpp"

namespace geomconv::ipfb {

namespace {

constexpr std::array<std::string_view, 1> kExtensions{".pak"};
constexpr std::array<OptionSpec, 1> kOptions{{
    {.name = "all-identical",
     .value = "",
     .help = "Replace every entry that holds the same (only the one named)",
     .verbs = verbBits({Verb::Patch})},
}};

/// A data part is claimed by its name, so that it is not taken for the first block in it.
Confidence probe(Bytes bytes, std::string_view name) noexcept {
    if (isPack(bytes)) return Confidence::Certain;
    return z1::isPartName(name) && z1::isBlock(bytes) ? Confidence::Certain : Confidence::No;
}

std::vector<Member> list(const Input& input, const ReadOptions& options, Defects& defects) {
    Pack pack(input, options, defects);
    std::vector<Member> members;
    for (const Entry& entry : pack.table().entries) {
        Member member{nameOf(entry.hash), "file", entry.offset(), std::nullopt, {}};
        member.detail = "part " + std::to_string(entry.part()) + ", " + std::to_string(entry.stored) + " bytes stored";
        try {
            const Bytes stored = pack.stored(entry);
            const bool packed = z1::isBlock(stored);
            member.size = packed ? z1::declaredSize(stored) : stored.size();
            if (packed) member.detail += " as Z1";
            if (const Kind kind = pack.sniff(entry); kind != Kind::Unknown)
                member.detail += ", " + std::string(kindName(kind));
        } catch (const FormatError& e) {
            defects.add(e.defect());
            member.detail += ", " + e.defect().kind;
        }
        members.push_back(std::move(member));
    }
    return members;
}

ByteVector extract(const Input& input, const ReadOptions& options, std::string_view member, Defects& defects) {
    Pack pack(input, options, defects);
    return pack.unpack(pack.table().entries[pack.find(member)], defects);
}

Members members(const Input& input, const ReadOptions& options, Defects& defects) {
    auto pack = std::make_shared<Pack>(input, options, defects);
    Members out;
    for (const Entry& entry : pack->table().entries) out.names.push_back(nameOf(entry.hash));
    std::map<std::uint32_t, ReleaseAsRead> reading;
    out.take = [pack = std::move(pack), reading = std::move(reading)](std::size_t i, Defects& ofMember) mutable {
        const Entry& entry = pack->table().entries[i];
        std::optional<ByteVector> bytes = pack->unpack(entry, ofMember);
        reading.try_emplace(entry.part(), pack->part(entry.part())).first->second.add(entry.stored + kAlignment);
        return bytes;
    };
    return out;
}

void replaceMember(const Input& input, const ReadOptions& options, std::string_view member, Bytes content,
                   const PatchOptions& patching, OutputSet& outputs, Defects& defects) {
    replace(input, options, member, content, patching.format.has("all-identical"), outputs, defects);
}

}  // namespace

const Format kFormat{.id = "ipfb",
                     .title = "Project Sylpheed pack",
                     .extensions = kExtensions,
                     .role = Role::Container,
                     .options = kOptions,
                     .probe = probe,
                     .check = check,
                     .info = summary,
                     .list = list,
                     .extract = extract,
                     .members = members,
                     .defaultMember = defaultMember,
                     .replaceMember = replaceMember,
                     .wholeOf = packOfPart};

}  // namespace geomconv::ipfb
