#include "formats/ccs_archive/ccs_archive.hpp"

#include <algorithm>
#include <map>

#include "lib/bytes/text.hpp"

namespace geomconv::ccs_archive {

namespace {

std::uint64_t nextBoundary(std::uint64_t offset) {
    return (offset + kBoundary - 1) / kBoundary * kBoundary;
}

Bytes from(Bytes file, std::uint64_t offset) {
    return offset < file.size() ? file.subspan(static_cast<std::size_t>(offset)) : Bytes{};
}

/// Names in the order of the members, made unique.
class Names {
public:
    std::string next(std::string name) {
        const std::string number = std::to_string(count_);
        ++count_;
        if (name.empty()) name = "member_" + std::string(number.size() < 4 ? 4 - number.size() : 0, '0') + number;
        const std::size_t met = ++seen_[name];
        return met == 1 ? name : name + "#" + std::to_string(met);
    }

private:
    std::map<std::string, std::size_t, std::less<>> seen_;
    std::size_t count_ = 0;
};

/// The name up to its last dot.
std::string_view stem(std::string_view name) {
    return name.substr(0, std::min(name.rfind('.'), name.size()));
}

/// Calls visit(name, offset) for each member until it gives false.
template <class Visit>
void eachHeader(Bytes file, Visit visit) {
    Names names;
    Defects ignored;  // a member's header is read again, and reported, when it is unpacked
    for (std::uint64_t at = 0; at < file.size(); at += kBoundary) {
        if (!gzip::startsMember(from(file, at))) continue;
        std::string name;
        try {
            name = gzip::nameOf(gzip::readHeader(file, at, ignored));
        } catch (const FormatError&) {
            continue;  // no member: compressed bytes that look like one
        }
        if (!visit(names.next(std::move(name)), at)) return;
    }
}

}  // namespace

bool isArchive(Bytes file) noexcept {
    if (!gzip::startsMember(file)) return false;
    for (std::uint64_t at = kBoundary; at < file.size(); at += kBoundary) {
        if (gzip::startsMember(from(file, at))) return true;
    }
    return false;
}

std::vector<Entry> entries(Bytes file) {
    std::vector<Entry> out;
    eachHeader(file, [&out](std::string name, std::uint64_t offset) {
        out.push_back({std::move(name), offset});
        return true;
    });
    return out;
}

std::optional<Entry> find(Bytes file, std::string_view wanted) {
    std::optional<Entry> exact;
    std::optional<Entry> byStem;
    eachHeader(file, [&](std::string name, std::uint64_t offset) {
        if (equalWithoutCase(name, wanted))
            exact = Entry{std::move(name), offset};
        else if (!byStem && equalWithoutCase(stem(name), stem(wanted)))
            byStem = Entry{std::move(name), offset};
        return !exact;
    });
    return exact ? exact : byStem;
}

std::vector<gzip::MemberInfo> walk(Bytes file, const ReadOptions& options, Defects& defects) {
    std::vector<gzip::MemberInfo> out;
    Names names;
    for (std::uint64_t at = 0; at < file.size();) {
        if (!gzip::startsMember(from(file, at))) {
            at += kBoundary;
            continue;
        }
        try {
            gzip::MemberInfo info = gzip::measure(file, at, defects);
            info.name = names.next(std::move(info.name));
            at = nextBoundary(at + info.stored);
            out.push_back(std::move(info));
        } catch (const FormatError& e) {
            if (!options.recover) throw;
            defects.add(asWarning(e.defect()));
            at += kBoundary;
        }
    }
    return out;
}

void writeReplaced(Bytes file, const Entry& entry, Bytes content, Sink& out, Defects& defects) {
    const gzip::Header header = gzip::readHeader(file, entry.offset, defects);
    const std::uint64_t behind = nextBoundary(entry.offset + gzip::measure(file, entry.offset, defects).stored);
    out.write(file.first(static_cast<std::size_t>(entry.offset)));
    const ByteVector packed = gzip::pack(content, asText(header.rawName));
    out.write(packed);
    // The last member may end the file without padding; ours then does too.
    const Bytes rest = from(file, behind);
    const bool padded = !rest.empty() || file.size() % kBoundary == 0;
    if (padded) out.write(ByteVector(static_cast<std::size_t>(nextBoundary(packed.size()) - packed.size())));
    out.write(rest);
    if (!rest.empty() && nextBoundary(packed.size()) != behind - entry.offset) {
        defects.warn("moved-members", entry.offset, {},
                     "the members behind " + entry.name +
                         " have moved; the table in the game's executable must be changed with them");
    }
}

}  // namespace geomconv::ccs_archive
