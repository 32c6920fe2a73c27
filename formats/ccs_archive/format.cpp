#include "formats/ccs_archive/format.hpp"

#include <array>

#include "formats/ccs_archive/ccs_archive.hpp"

namespace geomconv::ccs_archive {

namespace {

constexpr std::array<std::string_view, 1> kExtensions{".bin"};

Confidence probe(Bytes bytes, std::string_view) noexcept {
    return isArchive(bytes) ? Confidence::Certain : Confidence::No;
}

std::vector<Member> list(const Input& input, const ReadOptions& options, Defects& defects) {
    std::vector<Member> out;
    for (gzip::MemberInfo& info : walk(input, options, defects)) {
        out.push_back(
            {std::move(info.name), "file", info.offset, info.inflated, std::to_string(info.stored) + " bytes packed"});
    }
    return out;
}

Entry require(Bytes file, std::string_view member) {
    std::optional<Entry> entry = find(file, member);
    if (!entry) throw FormatError("no-member", "there is no member " + std::string(member));
    return *std::move(entry);
}

ByteVector extract(const Input& input, const ReadOptions& options, std::string_view member, Defects& defects) {
    return unpack(input.bytes, require(input.bytes, member), options, defects).bytes;
}

Members members(const Input& input, const ReadOptions& options, Defects&) {
    std::vector<Entry> all = entries(input.bytes, input.file);
    Members out;
    for (const Entry& entry : all) out.names.push_back(entry.name);
    out.take = [file = input.bytes, options, all = std::move(all), progress = Progress(),
                reading = ReleaseAsRead(input.file)](std::size_t i,
                                                     Defects& defects) mutable -> std::optional<ByteVector> {
        if (!progress.mayHold(all[i])) return std::nullopt;
        try {
            gzip::Unpacked unpacked = unpack(file, all[i], options, defects);
            progress.passed(unpacked.info);
            reading.add(all[i].next - all[i].offset);
            return std::move(unpacked.bytes);
        } catch (const FormatError& e) {
            progress.failed(all[i], e.defect());
            throw;
        }
    };
    return out;
}

void replaceMember(const Input& input, const ReadOptions&, std::string_view member, Bytes content, const PatchOptions&,
                   OutputSet& out, Defects& defects) {
    writeReplaced(input.bytes, require(input.bytes, member), content, out.main(), defects);
}

void check(const Input& input, const ReadOptions& options, Defects& defects) {
    collectDefects(defects, [&] { walk(input, options, defects); });
}

}  // namespace

const Format kFormat{.id = "ccs-archive",
                     .title = "CyberConnect2 archive",
                     .extensions = kExtensions,
                     .role = Role::Container,
                     .probe = probe,
                     .check = check,
                     .list = list,
                     .extract = extract,
                     .members = members,
                     .replaceMember = replaceMember};

}  // namespace geomconv::ccs_archive
