#include <charconv>
#include <map>
#include <utility>

#include "formats/collisionset/collisionset.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/scene/select.hpp"

namespace geomconv::collisionset {

namespace {

/// A record of the base file and what happens to it.
struct Slot {
    Frame frame;
    std::string name;  ///< printable
    std::optional<Record> replacement;
    bool edited = false;
    bool removed = false;
};

std::string figures(std::uint64_t nv, std::uint64_t nt) {
    return counted(nv, "vertices") + ", " + counted(nt, "triangles");
}

/// The base as a list of records; what could not be walked is left to be copied.
struct Base {
    Bytes file;
    ByteOrder order = ByteOrder::Big;
    std::vector<Slot> slots;
    std::uint64_t end = 0;        ///< of the last record
    std::optional<Defect> error;  ///< what ended the walk
    std::multimap<std::string, std::size_t> byName;
};

Base walkBase(Bytes file, const ReadOptions& options) {
    Base base;
    base.file = file;
    Defects ignored;
    const bool empty = file.empty() || file.size() > UINT32_MAX;
    const auto order = empty ? std::nullopt : detectByteOrder(file, options.byteOrder);
    if (!order) {
        const Reading reading = survey(file, options, ignored);
        throw FormatError(reading.error.value_or(
            Defect{Severity::Error, "not-recognised", 0, {{"record", "0"}}, "no byte order fits record 0"}));
    }
    base.order = *order;
    Walker walker(file, *order, false, ignored);
    while (const auto frame = walker.next()) {
        const Bytes field = file.subspan(static_cast<std::size_t>(frame->offset) + 8, frame->header.nameLen);
        base.byName.emplace(printable(untilNul(asText(field))), base.slots.size());
        base.slots.push_back({*frame, printable(untilNul(asText(field))), std::nullopt, false, false});
    }
    base.end = walker.position();
    base.error = walker.error();
    if (base.slots.empty()) {
        throw FormatError(
            base.error.value_or(Defect{Severity::Error, "empty-file", 0, {{"record", "0"}}, "no record"}));
    }
    return base;
}

/// The record that "#12" names.
std::optional<std::size_t> byNumber(const Base& base, std::string_view name) {
    if (name.size() < 2 || name[0] != '#') return std::nullopt;
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
    if (error != std::errc{} || end != name.data() + name.size() || number >= base.slots.size()) return std::nullopt;
    return number;
}

void removeFrom(Base& base, const std::vector<std::string>& globs) {
    for (const std::string& glob : globs) {
        bool found = false;
        for (std::size_t i = 0; i < base.slots.size(); ++i) {
            if (globMatches(glob, base.slots[i].name)) found = base.slots[i].removed = true;
        }
        if (found) continue;
        const auto number = byNumber(base, glob);
        if (number) {
            base.slots[*number].removed = true;
        } else {
            if (base.error) throw FormatError(*base.error);
            throw GeometryError(glob, "not-found", "no record to remove has this name");
        }
    }
}

/// What is left of a record without the vertices that no triangle uses; mesh formats do not carry these.
Record withoutUnused(const Record& record) {
    Record out;
    std::vector<std::uint32_t> to(record.vertex.size());
    for (const std::uint32_t i : record.index) {
        if (i < to.size()) to[i] = 1;
    }
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (to[i] == 0) continue;
        to[i] = static_cast<std::uint32_t>(out.vertex.size());
        out.vertex.push_back(record.vertex[i]);
    }
    for (const std::uint32_t i : record.index) out.index.push_back(i < to.size() ? to[i] : i);
    return out;
}

/// Whether an edit is the record's own export, so that nothing is to be changed.
bool unedited(const Record& old, const Record& edit) {
    return sameRecord(old, edit) || sameRecord(withoutUnused(old), withoutUnused(edit));
}

/// The records that edits of one name go to: as many as there are edits, or none.
std::vector<std::size_t> targetsOf(const Base& base, const std::string& name, std::size_t edits) {
    const auto [first, last] = base.byName.equal_range(name);
    std::vector<std::size_t> found;
    for (auto at = first; at != last; ++at) found.push_back(at->second);
    if (found.empty()) {
        if (const auto number = byNumber(base, name)) found.push_back(*number);
    }
    if (found.empty() || found.size() == edits) return found;
    throw GeometryError(name, "duplicate-name",
                        std::to_string(found.size()) + " records of this name and " + counted(edits, "meshes") +
                            "; name one as #" + std::to_string(base.slots[found[0]].frame.number));
}

/// Hands each edited mesh to its record; gives those without a partner.
std::vector<Record> placeEdits(Base& base, const Scene& edits, Builder& builder, const PatchOptions& options) {
    std::map<std::string, std::size_t> counts;
    std::vector<std::pair<std::string, Record>> made;
    const auto target = options.format.get("record");
    for (std::size_t i = 0; i < edits.nodes.size(); ++i) {
        auto record = builder.build(i);
        if (!record) continue;
        std::string name = target ? std::string(*target) : printable(record->name());
        ++counts[name];
        made.emplace_back(std::move(name), std::move(*record));
    }
    if (target && made.size() != 1) {
        throw GeometryError(std::string(*target), "conflict",
                            counted(made.size(), "meshes") + " for the record that --record names");
    }
    std::vector<Record> added;
    std::map<std::string, std::size_t> taken;
    for (auto& [name, record] : made) {
        const std::vector<std::size_t> targets = targetsOf(base, name, counts[name]);
        if (targets.empty()) {
            if (base.error) throw FormatError(*base.error);
            if (!options.add || target)
                throw GeometryError(
                    name, "not-found",
                    "no record of this name to replace; --add adds it, geomconv list shows the names there are");
            if (counts[name] > 1) throw GeometryError(name, "duplicate-name", "two meshes of this name");
            builder.requireName(record);
            builder.merge(record);
            added.push_back(std::move(record));
            continue;
        }
        Slot& slot = base.slots[targets[taken[name]++]];
        if (slot.edited) throw GeometryError(name, "duplicate-name", "two meshes for one record");
        if (slot.removed) throw GeometryError(name, "conflict", "the record is both replaced and removed");
        slot.edited = true;
        const Record old = readRecord(base.file, slot.frame.offset, slot.frame.header, base.order);
        record.nameField = old.nameField;
        if (unedited(old, record)) continue;
        builder.merge(record);
        slot.replacement = std::move(record);
    }
    return added;
}

void writeSlot(const Base& base, const Slot& slot, ByteOrder order, Sink& out) {
    if (slot.removed) return;
    const Frame& frame = slot.frame;
    if (slot.replacement) {
        writeRecord(*slot.replacement, order, out);
    } else if (order == base.order) {
        out.write(base.file.subspan(static_cast<std::size_t>(frame.offset),
                                    static_cast<std::size_t>(frame.end() - frame.offset)));
    } else {
        writeRecord(readRecord(base.file, frame.offset, frame.header, base.order), order, out);
    }
}

std::vector<Change> changesOf(const Base& base, const std::vector<Record>& added) {
    std::vector<Change> changes;
    for (const Slot& slot : base.slots) {
        const Header& old = slot.frame.header;
        if (slot.removed) {
            changes.push_back({Change::Kind::Removed, slot.name, figures(old.nv, old.nt)});
        } else if (slot.replacement) {
            changes.push_back(
                {Change::Kind::Replaced, slot.name,
                 figures(old.nv, old.nt) + " -> " + figures(slot.replacement->nv(), slot.replacement->nt())});
        } else if (slot.edited) {
            changes.push_back({Change::Kind::Kept, slot.name, figures(old.nv, old.nt)});
        }
    }
    for (const Record& record : added) {
        changes.push_back({Change::Kind::Added, printable(record.name()), figures(record.nv(), record.nt())});
    }
    return changes;
}

}  // namespace

PatchResult patch(Bytes file, const ReadOptions& reading, const Scene& edits, const PatchOptions& options,
                  Defects& defects) {
    Base base = walkBase(file, reading);
    Builder builder(edits, {weldWanted(edits, options.format), options.format.has("force-names"), Mat4d(1.0)});
    removeFrom(base, options.remove);
    const std::vector<Record> added = placeEdits(base, edits, builder, options);
    ByteOrder order = base.order;
    if (options.byteOrder == ByteOrderOut::Big) order = ByteOrder::Big;
    if (options.byteOrder == ByteOrderOut::Little) order = ByteOrder::Little;
    if (base.error) {
        if (order != base.order || !added.empty()) throw FormatError(*base.error);
        Defect said = asWarning(*base.error);
        said.detail += "; copied unread from here on";
        defects.add(std::move(said));
    }
    builder.reportLosses(defects);

    PatchResult result;
    MemorySink out;
    for (const Slot& slot : base.slots) writeSlot(base, slot, order, out);
    for (const Record& record : added) writeRecord(record, order, out);
    if (out.written() == 0) throw GeometryError("", "no-records", "every record is removed");
    out.write(file.subspan(static_cast<std::size_t>(base.end)));
    result.bytes = out.take();
    result.changes = changesOf(base, added);
    return result;
}

}  // namespace geomconv::collisionset
