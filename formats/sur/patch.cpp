#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "formats/sur/edit.hpp"
#include "formats/sur/hitbox.hpp"
#include "formats/sur/names.hpp"
#include "formats/sur/records.hpp"
#include "lib/bytes/counted.hpp"
#include "lib/scene/select.hpp"

namespace geomconv::sur {

namespace {

/// Coordinates of an edited file that was not edited come back through text, transforms and other programs.
constexpr double kSameTolerance = 2e-6;

std::string figures(std::size_t points, std::size_t faces) {
    return counted(points, "points") + ", " + counted(faces, "faces");
}

/// The number behind `#` at the end of a name, from 1; nullopt without one.
std::optional<std::size_t> ordinalOf(std::string_view name) {
    const std::size_t mark = name.rfind('#');
    if (mark == std::string_view::npos) return std::nullopt;
    std::size_t n = 0;
    const auto parsed = std::from_chars(name.data() + mark + 1, name.data() + name.size(), n);
    if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size() || n == 0) return std::nullopt;
    return n;
}

// ------------------------------------------------------------------------------------------------------- renaming

/// OLD=NEW as ids.
struct Renaming {
    std::string oldName;
    std::string newName;
    std::uint32_t oldId = 0;
    std::uint32_t newId = 0;
};
Renaming renamingFrom(std::string_view text) {
    const std::size_t mark = text.find('=');
    if (mark == 0 || mark == std::string_view::npos || mark + 1 == text.size()) {
        throw GeometryError(std::string(text), "name", "--rename wants OLD=NEW, two names");
    }
    Renaming out{std::string(text.substr(0, mark)), std::string(text.substr(mark + 1)), 0, 0};
    for (const auto& [name, id] : {std::pair{&out.oldName, &out.oldId}, {&out.newName, &out.newId}}) {
        const auto known = idFromName(*name);
        if (!known) {
            throw GeometryError(*name, "name", "it has characters that are not in windows-1252, so it has no id");
        }
        *id = *known;
    }
    return out;
}

struct Renamed {
    std::size_t parts = 0;
    std::size_t hulls = 0;
    std::size_t hardpoints = 0;
};

void put32(ByteVector& bytes, std::size_t at, std::uint32_t value) {
    for (std::size_t k = 0; k < 4; ++k) bytes[at + k] = static_cast<std::uint8_t>((value >> (8 * k)) & 0xff);
}

/// The ids of terminal hulls and points, in the bytes of a damaged block too.
void renameHulls(Surface& surface, const Renaming& names, Renamed& count) {
    const Layout layout = layoutOf(surface);
    const bool inBlock = !surface.block.empty();
    for (std::size_t h = 0; h < surface.hulls.size(); ++h) {
        Hull& hull = surface.hulls[h];
        if (!hull.terminal() || hull.id != names.oldId) continue;
        hull.id = names.newId;
        if (inBlock) put32(surface.block, layout.hulls[h] + 4, names.newId);
        ++count.hulls;
    }
    for (std::size_t p = 0; p < surface.points.size(); ++p) {
        if (surface.points[p].clientData != names.oldId) continue;
        surface.points[p].clientData = names.newId;
        if (inBlock && surface.hullOffsets.empty())
            put32(surface.block, layout.points + p * kPointBytes + 12, names.newId);
    }
}

Change rename(Library& library, const Renaming& names) {
    const auto has = [&](std::uint32_t id) {
        return std::any_of(library.parts.begin(), library.parts.end(), [&](const Part& p) { return p.id == id; });
    };
    if (names.oldId != names.newId && has(names.oldId) && has(names.newId)) {
        throw GeometryError(names.newName, "duplicate-name", "the library has a part of this name already");
    }
    Renamed count;
    for (Part& part : library.parts) {
        if (part.id == names.oldId) {
            part.id = names.newId;
            ++count.parts;
        }
        for (std::uint32_t& id : part.hardpoints) {
            if (id != names.oldId) continue;
            id = names.newId;
            ++count.hardpoints;
        }
        if (part.surface) renameHulls(*part.surface, names, count);
    }
    if (count.parts + count.hulls + count.hardpoints == 0) {
        throw GeometryError(names.oldName, "not-found",
                            "no part, hull or hardpoint has this name, geomconv list shows the names there are");
    }
    return {Change::Kind::Replaced, names.oldName,
            "now " + names.newName + ": " + counted(count.parts, "parts") + ", " + counted(count.hulls, "hulls") +
                ", " + counted(count.hardpoints, "hardpoints")};
}

/// A terminal hull of the base and what becomes of it.
struct Slot {
    std::size_t hull = 0;  ///< Surface::hulls
    std::string address;   ///< PART/HULL#N
    HullGeometry shape;
    std::optional<HullGeometry> replacement;
    bool taken = false;  ///< an edit has this hull, changed or not
    bool removed = false;
};

/// A part of the base with its hulls, by the names that `list` shows.
struct PartSlots {
    Part part;
    std::string name;
    std::vector<Slot> slots;
    std::vector<HullGeometry> added;
    bool removed = false;

    bool touched() const {
        return !added.empty() || std::any_of(slots.begin(), slots.end(),
                                             [](const Slot& s) { return s.removed || s.replacement.has_value(); });
    }
};

std::vector<PartSlots> slotsOf(Library library, const KnownNames& names) {
    std::vector<PartSlots> out;
    Ordinals partNames;
    for (Part& part : library.parts) {
        PartSlots& row = out.emplace_back();
        row.name = partNames.numbered(names.nameOf(part.id));
        std::vector<HullGeometry> shapes = terminalHulls(part);
        Ordinals hullNames;
        std::size_t next = 0;
        for (std::size_t h = 0; part.surface && h < part.surface->hulls.size(); ++h) {
            const Hull& hull = part.surface->hulls[h];
            if (!hull.terminal()) continue;
            const std::string address = row.name + '/' + hullNames.numbered(names.nameOf(hull.id));
            row.slots.push_back({h, address, std::move(shapes[next++]), std::nullopt, false, false});
        }
        row.part = std::move(part);
    }
    return out;
}

bool isSame(const HullGeometry& edit, const HullGeometry& shape) {
    double reach = 0.0;
    for (const Vec3& p : shape.points) {
        const Vec3 a = glm::abs(p);
        reach = std::max(reach, static_cast<double>(std::max({a.x, a.y, a.z})));
    }
    return edit.id == shape.id && sameShape(edit, shape, kSameTolerance * reach);
}

class Patcher {
public:
    Patcher(std::vector<PartSlots> parts, const PatchOptions& options, Defects& defects)
        : parts_(std::move(parts)), options_(options), defects_(defects) {}

    void remove(const std::string& glob) {
        bool found = false;
        for (PartSlots& row : parts_) {
            if (globMatches(glob, row.name)) {
                found = row.removed = true;
                changes_.push_back({Change::Kind::Removed, row.name, counted(row.slots.size(), "hulls")});
                continue;
            }
            for (Slot& slot : row.slots) {
                if (!globMatches(glob, slot.address)) continue;
                found = slot.removed = true;
                changes_.push_back({Change::Kind::Removed, slot.address,
                                    figures(slot.shape.points.size(), slot.shape.triangles.size())});
            }
        }
        if (!found) throw GeometryError(glob, "not-found", "no part or hull to remove has this name");
    }

    void place(const HitboxPart& edit) {
        const auto row =
            std::find_if(parts_.begin(), parts_.end(), [&](const PartSlots& r) { return r.part.id == edit.id; });
        if (row == parts_.end()) {
            addPart(edit);
            return;
        }
        std::map<std::uint32_t, std::size_t> edits;
        std::vector<const HullGeometry*> changed;
        for (const HullGeometry& hull : edit.hulls) {
            ++edits[hull.id];
            if (!takeUnchanged(*row, hull)) changed.push_back(&hull);
        }
        for (const HullGeometry* hull : changed) placeHull(*row, edit, *hull, edits[hull->id]);
    }

    Library library() {
        Library out;
        for (PartSlots& row : parts_) {
            if (row.removed) continue;
            out.parts.push_back(row.touched() ? edited(row) : std::move(row.part));
        }
        for (Part& part : newParts_) out.parts.push_back(std::move(part));
        return out;
    }
    std::vector<Change> takeChanges() { return std::move(changes_); }

private:
    /// A hull that came back as it was takes its place, so that ordinals of the others need not be guessed.
    bool takeUnchanged(PartSlots& row, const HullGeometry& hull) {
        for (Slot& slot : row.slots) {
            if (slot.taken || slot.removed || !isSame(hull, slot.shape)) continue;
            slot.taken = true;
            changes_.push_back({Change::Kind::Kept, slot.address, "unchanged"});
            return true;
        }
        return false;
    }

    /// The place of a changed hull: the N-th of its id for `#N`, the first for a plain name, the next that is free for
    /// a name that another program numbered; nullptr when there is none.
    Slot* slotFor(PartSlots& row, const HullGeometry& hull, std::size_t edits) {
        std::vector<Slot*> same;
        for (Slot& slot : row.slots) {
            if (slot.shape.id == hull.id && !slot.removed) same.push_back(&slot);
        }
        if (same.empty()) return nullptr;
        const std::string_view name = hull.name;
        const bool plain = withoutOrdinal(name) == name;
        if (plain && edits == 1 && same.size() > 1 && name.find('/') == std::string_view::npos) {
            throw GeometryError(
                hull.name, "duplicate-name",
                std::to_string(same.size()) + " hulls of the part have this name; name one as " + same[0]->address);
        }
        if (plain || ordinalOf(name)) {
            const std::size_t n = ordinalOf(name).value_or(1) - 1;
            if (n >= same.size()) return nullptr;
            if (same[n]->taken) {
                throw GeometryError(hull.name, "duplicate-name",
                                    "another object already stands for " + same[n]->address);
            }
            return same[n];
        }
        const auto free = std::find_if(same.begin(), same.end(), [](const Slot* s) { return !s->taken; });
        return free == same.end() ? nullptr : *free;
    }

    void placeHull(PartSlots& row, const HitboxPart& edit, const HullGeometry& hull, std::size_t edits) {
        Slot* slot = slotFor(row, hull, edits);
        if (slot == nullptr) {
            if (!options_.add)
                throw GeometryError(
                    hull.name, "not-found",
                    "no hull of this name to replace; --add adds it, geomconv list shows the names there are");
            row.added.push_back(hull);
            const auto& listed = edit.hardpoints;
            auto& hardpoints = row.part.hardpoints;
            const bool isHardpoint = std::find(listed.begin(), listed.end(), hull.id) != listed.end();
            if (isHardpoint && std::find(hardpoints.begin(), hardpoints.end(), hull.id) == hardpoints.end()) {
                hardpoints.push_back(hull.id);
                row.part.chunks.clear();
                row.part.chunkCount.reset();
            }
            changes_.push_back({Change::Kind::Added, hull.name, figures(hull.points.size(), hull.triangles.size())});
            return;
        }
        slot->taken = true;
        slot->replacement = hull;
        changes_.push_back({Change::Kind::Replaced, slot->address,
                            std::to_string(slot->shape.points.size()) + " -> " + counted(hull.points.size(), "points") +
                                ", " + std::to_string(slot->shape.triangles.size()) + " -> " +
                                counted(hull.triangles.size(), "faces")});
    }

    void addPart(const HitboxPart& edit) {
        if (!options_.add) {
            throw GeometryError(
                edit.hulls.empty() ? edit.name : edit.hulls.front().name, "not-found",
                "the library has no part " + edit.name + "; --add adds it, geomconv list shows the names there are");
        }
        BuildOptions build;
        build.fixed = edit.fixed;
        build.hardpoints = edit.hardpoints;
        newParts_.push_back(createPart(edit.id, edit.hulls, build, defects_));
        changes_.push_back({Change::Kind::Added, edit.name, counted(edit.hulls.size(), "hulls")});
    }

    Part edited(PartSlots& row) {
        std::vector<HullSource> sources;
        for (Slot& slot : row.slots) {
            if (slot.removed) continue;
            if (slot.replacement)
                sources.push_back({std::nullopt, std::move(*slot.replacement)});
            else
                sources.push_back({slot.hull, {}});
        }
        for (HullGeometry& hull : row.added) sources.push_back({std::nullopt, std::move(hull)});
        return withHulls(row.part, sources, defects_);
    }

    std::vector<PartSlots> parts_;
    std::vector<Part> newParts_;
    const PatchOptions& options_;
    Defects& defects_;
    std::vector<Change> changes_;
};

/// The model with every part of the library in it, under the library's ids: one of another version may miss some, and
/// the only part of a model has id 0 there and the hash of its name here.
std::shared_ptr<const ModelParts> modelFor(const ModelParts& model, const std::vector<PartSlots>& rows) {
    auto parts = std::make_shared<ModelParts>(model);
    if (!model.compound && model.parts.size() == 1 && rows.size() == 1) parts->parts[0].id = rows[0].part.id;
    parts->compound = true;
    for (const PartSlots& row : rows) {
        const auto same = [&](const ModelPart& p) { return p.id == row.part.id; };
        if (std::any_of(parts->parts.begin(), parts->parts.end(), same)) continue;
        ModelPart& part = parts->parts.emplace_back();
        part.name = row.name;
        part.id = row.part.id;
    }
    return parts;
}

}  // namespace

PatchResult patch(const Input& base, const ReadOptions& reading, const Scene& edits, const PatchOptions& options,
                  Defects& defects) {
    Library library = read(base.bytes, defects, reading.recover);
    std::vector<std::string> known = reading.names;
    std::vector<Change> renamed;
    for (const std::string_view text : options.format.all("rename")) {
        const Renaming renaming = renamingFrom(text);
        renamed.push_back(rename(library, renaming));
        known.push_back(renaming.newName);
    }
    const KnownNames names(reading.model.get(), known);
    std::vector<PartSlots> parts = slotsOf(std::move(library), names);
    std::unordered_map<std::uint32_t, std::vector<HullGeometry>> shapes;  // by id
    for (const PartSlots& row : parts) {
        for (const Slot& slot : row.slots) shapes[slot.shape.id].push_back(slot.shape);
    }

    HitboxOptions plan;
    plan.mode = HitboxMode::Exact;
    if (reading.model) plan.model = modelFor(*reading.model, parts);
    plan.compound = !reading.model;
    plan.fold = false;
    plan.keepAsIs = [&](const HullGeometry& hull) {
        const auto found = shapes.find(hull.id);
        return found != shapes.end() && std::any_of(found->second.begin(), found->second.end(),
                                                    [&](const HullGeometry& shape) { return isSame(hull, shape); });
    };

    Patcher patcher(std::move(parts), options, defects);
    for (const std::string& glob : options.remove) patcher.remove(glob);
    const bool any = std::any_of(edits.nodes.begin(), edits.nodes.end(),
                                 [](const geomconv::Node& node) { return node.mesh || !node.hulls.empty(); });
    if (any) {
        for (const HitboxPart& part : planHitbox(edits, plan, defects)) patcher.place(part);
    }
    PatchResult result;
    result.bytes = write(patcher.library());
    result.changes = std::move(renamed);
    for (Change& change : patcher.takeChanges()) result.changes.push_back(std::move(change));
    return result;
}

}  // namespace geomconv::sur
