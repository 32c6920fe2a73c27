#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "formats/collisionset/collisionset.hpp"
#include "formats/ipfb/ipfb.hpp"
#include "formats/z1/z1.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/bytes/text.hpp"

namespace geomconv::ipfb {

namespace {

using Json = nlohmann::ordered_json;

Place placeOf(const Entry& entry) {
    return {"entry", "", nameOf(entry.hash)};
}

Defect entryError(const Entry& entry, std::string_view kind, std::string detail) {
    return {Severity::Error, std::string(kind), std::nullopt, {placeOf(entry)}, std::move(detail)};
}

/// FNV-1a, to tell entries of the same content apart from others without keeping them.
std::uint64_t fingerprint(Bytes bytes) {
    std::uint64_t h = 0xcbf29ce484222325U;
    for (const std::uint8_t byte : bytes) h = (h ^ byte) * 0x100000001b3U;
    return h;
}

/// What the first bytes of an entry say.
Kind kindOf(Bytes bytes) noexcept {
    if (bytes.size() >= 4 && asText(bytes.first(4)) == "MCOL") return Kind::Mcol;
    return collisionset::probe(bytes, "") == Confidence::Certain ? Kind::CollisionSet : Kind::Unknown;
}

/// Whether a record's header can begin here in either order: what an entry must show before it is unpacked as a whole.
bool mayBeLibrary(Bytes head) {
    for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
        if (collisionset::sizeIdentityHolds(head, order)) return true;
    }
    return false;
}

/// The faults of a library inside, with the entry that holds it.
void checkLibrary(Bytes bytes, const Entry& entry, const ReadOptions& options, Defects& defects) {
    Defects inside;
    collisionset::survey(bytes, options, inside);
    for (Defect defect : inside.list()) {
        defect.where.push_back(placeOf(entry));
        defects.add(std::move(defect));
    }
}

}  // namespace

std::string_view kindName(Kind kind) noexcept {
    switch (kind) {
        case Kind::CollisionSet:
            return "collisionset";
        case Kind::Mcol:
            return "mcol";
        case Kind::Unknown:
            break;
    }
    return "unknown";
}

Pack::Pack(const Input& input, const ReadOptions& options, Defects& defects) : input_(input), options_(options) {
    if (!isPack(input.bytes)) {
        if (const auto pak = packOfPart(fileNameOf(input.name))) {
            throw FormatError({Severity::Error,
                               "pack-part-alone",
                               std::nullopt,
                               {},
                               "a data part of a pack; name " + *pak + " instead, which says what is in it"});
        }
    }
    table_ = readTable(input.bytes, options.recover, defects);
}

std::size_t Pack::find(std::string_view member) const {
    const std::uint32_t hash = hashOf(member);
    for (std::size_t i = 0; i < table_.entries.size(); ++i) {
        if (table_.entries[i].hash == hash) return i;
    }
    throw FormatError("pack-no-entry", "no entry " + printable(member) + " (hash " + hexId(hash).substr(2) + ")");
}

std::string partExtension(std::uint32_t part) {
    return {'.', 'p', static_cast<char>('0' + part / 10), static_cast<char>('0' + part % 10)};
}

std::string Pack::partName(std::uint32_t part) const {
    const std::string_view file = fileNameOf(input_.name);
    const std::size_t dot = file.rfind('.');
    return std::string(file.substr(0, dot)) + partExtension(part);
}

std::shared_ptr<const InputFile> Pack::part(std::uint32_t part) {
    const auto [at, isNew] = parts_.try_emplace(part);
    if (isNew && input_.companions) at->second = input_.companions(partName(part));
    return at->second;
}

Bytes Pack::stored(const Entry& entry) {
    const auto file = part(entry.part());
    if (!file) {
        throw FormatError(
            entryError(entry, "pack-part-missing", "its part " + partName(entry.part()) + " is not there"));
    }
    const Bytes bytes = file->bytes();
    if (entry.offset() > bytes.size() || entry.stored > bytes.size() - entry.offset()) {
        throw FormatError(entryError(entry, "pack-entry-range",
                                     std::to_string(entry.stored) + " bytes at " + hex(entry.offset()) + " of " +
                                         partName(entry.part()) + ", which has " + std::to_string(bytes.size())));
    }
    return bytes.subspan(entry.offset(), entry.stored);
}

ByteVector Pack::unpack(const Entry& entry, Defects& defects) {
    const Bytes bytes = stored(entry);
    if (!z1::isBlock(bytes)) return {bytes.begin(), bytes.end()};
    const z1::Origin origin{entry.offset(), {placeOf(entry), {"part", "", partName(entry.part())}}};
    return z1::unpack(bytes, options_.maxMemory, defects, origin);
}

Kind Pack::sniff(const Entry& entry) {
    const Bytes bytes = stored(entry);
    if (!z1::isBlock(bytes)) return kindOf(bytes);
    const ByteVector head = z1::peek(bytes, 16 + collisionset::kNameFieldLimit);
    if (!mayBeLibrary(head)) return kindOf(head) == Kind::Mcol ? Kind::Mcol : Kind::Unknown;
    Defects ignored;
    try {
        return kindOf(z1::unpack(bytes, options_.maxMemory, ignored));
    } catch (const FormatError&) {
        return Kind::CollisionSet;  // damaged behind a sound beginning: taking it will say why
    }
}

std::string defaultMember(const Input& input, const ReadOptions& options, Defects& defects) {
    Pack pack(input, options, defects);
    std::vector<Entry> libraries;
    std::optional<Defect> failure;
    for (const Entry& entry : pack.table().entries) {
        try {
            if (pack.sniff(entry) == Kind::CollisionSet) libraries.push_back(entry);
        } catch (const FormatError& e) {
            if (!failure) failure = e.defect();
        }
    }
    if (libraries.empty()) {
        // A damaged library is still meant by its name.
        for (const Entry& entry : pack.table().entries) {
            if (isKnownLibrary(entry.hash)) libraries.push_back(entry);
        }
        if (libraries.size() == 1) return nameOf(libraries[0].hash);
        if (failure) throw FormatError(*failure);
        throw FormatError("pack-no-library", "no entry is a CollisionSet");
    }
    Defects ignored;
    const ByteVector first = libraries.size() > 1 ? pack.unpack(libraries[0], ignored) : ByteVector{};
    std::vector<std::string> names{nameOf(libraries[0].hash)};
    bool same = true;
    for (std::size_t i = 1; i < libraries.size(); ++i) {
        names.push_back(nameOf(libraries[i].hash));
        same = same && pack.unpack(libraries[i], ignored) == first;
    }
    if (!same) {
        throw FormatError("pack-ambiguous", std::to_string(libraries.size()) +
                                                " libraries that differ; name one as FILE::MEMBER: " + listed(names));
    }
    if (libraries.size() > 1) {
        defects.warn(
            "identical-members", std::nullopt, {},
            std::to_string(libraries.size()) + " libraries are identical; " + nameOf(libraries[0].hash) + " is taken");
    }
    return nameOf(libraries[0].hash);
}

Json summary(const Input& input, const ReadOptions& options, Defects& defects) {
    Pack pack(input, options, defects);
    Json entries = Json::array();
    std::map<std::pair<std::size_t, std::uint64_t>, std::string> seen;
    for (const Entry& entry : pack.table().entries) {
        Json row{{"hash", hexId(entry.hash).substr(2)},
                 {"name", nameOf(entry.hash)},
                 {"part", entry.part()},
                 {"offset", entry.offset()},
                 {"stored", entry.stored}};
        try {
            const ByteVector bytes = pack.unpack(entry, defects);
            row["z1"] = z1::isBlock(pack.stored(entry));
            row["unpacked"] = bytes.size();
            row["kind"] = kindName(kindOf(bytes));
            const auto [at, isNew] = seen.try_emplace({bytes.size(), fingerprint(bytes)}, nameOf(entry.hash));
            if (!isNew) row["sameAs"] = at->second;
        } catch (const FormatError& e) {
            row["kind"] = "error";
            row["error"] = e.defect().kind;
            defects.add(e.defect());
        }
        entries.push_back(std::move(row));
    }
    const Table& table = pack.table();
    return {
        {"count", table.count}, {"alignment", table.alignment}, {"partLimit", table.partLimit}, {"entries", entries}};
}

void check(const Input& input, const ReadOptions& options, Defects& defects) {
    collectDefects(defects, [&] {
        Pack pack(input, options, defects);
        std::set<std::pair<std::size_t, std::uint64_t>> seen;
        for (const Entry& entry : pack.table().entries) {
            collectDefects(defects, [&] {
                const ByteVector bytes = pack.unpack(entry, defects);
                if (kindOf(bytes) != Kind::CollisionSet && !isKnownLibrary(entry.hash)) return;
                if (seen.emplace(bytes.size(), fingerprint(bytes)).second) checkLibrary(bytes, entry, options, defects);
            });
        }
    });
}

}  // namespace geomconv::ipfb
