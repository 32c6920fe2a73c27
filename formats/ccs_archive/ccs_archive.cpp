#include "formats/ccs_archive/ccs_archive.hpp"

#include <algorithm>
#include <map>
#include <utility>

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

/// The first boundary from `at` on that starts a member; the file's size when there is none.
std::uint64_t nextStart(Bytes file, std::uint64_t at) {
    while (at < file.size() && !gzip::startsMember(from(file, at))) at += kBoundary;
    return std::min<std::uint64_t>(at, file.size());
}

/// The name in a member's header; empty when it has none or cannot be read, which unpacking will report.
std::string headerName(Bytes file, std::uint64_t offset) {
    try {
        Defects ignored;
        return gzip::nameOf(gzip::readHeader(file, offset, ignored));
    } catch (const FormatError&) {
        return {};
    }
}

/// Calls visit(entry) for each start until it gives false.
template <class Visit>
void eachStart(Bytes file, Visit visit) {
    Names names;
    for (std::uint64_t at = nextStart(file, 0); at < file.size();) {
        const std::uint64_t next = nextStart(file, at + kBoundary);
        if (!visit(Entry{names.next(headerName(file, at)), at, next})) return;
        at = next;
    }
}

}  // namespace

bool isArchive(Bytes file) noexcept {
    if (!gzip::startsMember(file)) return false;
    const Bytes looked = file.first(std::min<std::size_t>(file.size(), kProbed));
    return nextStart(looked, kBoundary) < looked.size();
}

std::vector<Entry> entries(Bytes file, std::shared_ptr<const InputFile> holder) {
    std::vector<Entry> out;
    ReleaseAsRead reading(std::move(holder));
    eachStart(file, [&](Entry entry) {
        reading.add(entry.next - entry.offset);
        out.push_back(std::move(entry));
        return true;
    });
    return out;
}

std::optional<Entry> find(Bytes file, std::string_view wanted) {
    std::optional<Entry> exact;
    std::optional<Entry> byStem;
    eachStart(file, [&](Entry entry) {
        if (equalWithoutCase(entry.name, wanted))
            exact = std::move(entry);
        else if (!byStem && equalWithoutCase(stem(entry.name), stem(wanted)))
            byStem = std::move(entry);
        return !exact;
    });
    return exact ? exact : byStem;
}

gzip::Unpacked unpack(Bytes file, const Entry& entry, const ReadOptions& options, Defects& defects) {
    return gzip::unpack(file, entry.offset, options, defects, entry.next - entry.offset);
}

bool Progress::mayHold(const Entry& entry) {
    // Each start of a file made for it could lead through all that follows.
    constexpr std::uint64_t kMostLost = std::uint64_t{256} << 20;
    if (lost_ > kMostLost) {
        if (std::exchange(gaveUp_, true)) return false;
        throw FormatError("damaged-members", "members that fail to unpack have taken the reader through " +
                                                 std::to_string(lost_ >> 20) + " MiB; the rest is not tried");
    }
    return entry.offset >= end_;
}

void Progress::passed(const gzip::MemberInfo& member) {
    end_ = nextBoundary(member.offset + member.stored);
}

void Progress::failed(const Entry& entry, const Defect& defect) {
    lost_ += defect.offset.value_or(entry.offset) - entry.offset;
}

std::vector<gzip::MemberInfo> walk(const Input& input, const ReadOptions& options, Defects& defects) {
    std::vector<gzip::MemberInfo> out;
    Progress progress;
    ReleaseAsRead reading(input.file);
    for (Entry& entry : entries(input.bytes, input.file)) {
        if (!progress.mayHold(entry)) continue;
        try {
            gzip::MemberInfo info = gzip::measure(input.bytes, entry.offset, defects);
            progress.passed(info);
            reading.add(entry.next - entry.offset);
            info.name = std::move(entry.name);
            out.push_back(std::move(info));
        } catch (const FormatError& e) {
            if (!options.recover) throw;
            progress.failed(entry, e.defect());
            defects.add(asWarning(e.defect()));
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
