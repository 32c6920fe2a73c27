#include "formats/ccsf/pose.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "formats/ccsf/records.hpp"

namespace geomconv::ccsf {

namespace {

constexpr int kLongestExtChain = 64;

std::vector<Place> placeOf(std::string_view noun, std::string_view name) {
    return {Place{std::string(noun), std::string(name)}};
}

/// What stands behind each object: chains of ExtObjs are followed for at most 64 steps.
std::vector<std::uint32_t> resolvedObjects(const Document& document, Defects& defects) {
    const std::size_t count = document.objects.size();
    std::vector<std::uint32_t> target(count);
    for (std::uint32_t i = 0; i < count; ++i) target[i] = i;
    std::vector<bool> known(count);
    for (const ExtObj& ext : document.extObjs) {
        if (ext.object >= count || ext.target >= count || known[ext.object]) continue;
        known[ext.object] = true;
        target[ext.object] = ext.target;
    }
    std::vector<std::uint32_t> out(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t at = i;
        int steps = 0;
        while (target[at] != at && steps < kLongestExtChain) {
            at = target[at];
            ++steps;
        }
        out[i] = at;
        if (target[at] != at) {
            out[i] = i;
            defects.warn("cycle", std::nullopt, placeOf("ExtObj", document.nameOf(i)),
                         "stands for itself, or through more than " + std::to_string(kLongestExtChain) + " others");
        }
    }
    return out;
}

/// Takes the parent off each obj at which a chain comes back to itself.
void breakCycles(const Document& document, Hierarchy& hierarchy, Defects& defects) {
    enum : std::uint8_t { kUnseen, kOpen, kSound };
    std::vector<std::uint8_t> state(hierarchy.parentOf.size(), kUnseen);
    std::vector<std::uint32_t> chain;
    for (std::uint32_t start = 0; start < state.size(); ++start) {
        chain.clear();
        std::uint32_t at = start;
        while (state[at] == kUnseen) {
            state[at] = kOpen;
            chain.push_back(at);
            const std::uint32_t parent = hierarchy.parentOf[at];
            if (parent == kNone) break;
            if (state[parent] == kOpen) {
                const Obj& obj = document.objs[at];
                defects.warn("cycle", document.chunks[obj.chunk].offset, placeOf("Obj", document.nameOf(obj.object)),
                             "its parents lead back to it; it becomes a root");
                hierarchy.parentOf[at] = kNone;
                break;
            }
            at = parent;
        }
        for (const std::uint32_t i : chain) state[i] = kSound;
    }
}

/// Locals being put together; a node that was driven once is not driven again.
class Posing {
public:
    Posing(const Document& document, const Hierarchy& hierarchy, Defects& defects)
        : document_(document),
          hierarchy_(hierarchy),
          defects_(defects),
          locals_(document.objs.size()),
          driven_(document.objs.size()) {}

    void bind() {
        std::vector<bool> bound(locals_.size());
        for (const Clump& clump : document_.clumps) {
            for (std::size_t i = 0; i < clump.binds.size(); ++i) {
                const std::uint32_t obj = hierarchy_.nodeOf(clump.nodes[i]);
                if (obj == kNone || bound[obj]) continue;
                bound[obj] = true;
                locals_[obj] = checked(localOf(clump.binds[i]), obj);
            }
        }
    }

    /// Objs that the records of an animation address.
    std::vector<std::uint32_t> drivenBy(const Anime& anime) const {
        std::vector<std::uint32_t> out;
        for (const Chunk& record : anime.records) {
            if ((record.kind != kind::kObjController && record.kind != kind::kFObj) || record.payload.size() < 4)
                continue;
            const std::uint32_t obj = hierarchy_.nodeOf(load<std::uint32_t>(record.payload, 0));
            if (obj != kNone) out.push_back(obj);
        }
        return out;
    }

    void anime(const Anime& anime, double time) {
        std::map<std::uint32_t, Local> set;
        std::map<std::uint32_t, Local> controlled;
        std::int32_t frame = 0;
        for (const Chunk& record : anime.records) {
            if (record.kind == kind::kTop && record.payload.size() >= 4) {
                frame = load<std::int32_t>(record.payload, 0);
            } else if (record.kind == kind::kFObj && frame >= 0 && frame <= time) {
                fObj(record, set);
            } else if (record.kind == kind::kObjController) {
                controller(anime, record, time, controlled);
            }
        }
        for (const auto& [obj, local] : controlled) set.insert_or_assign(obj, local);
        drive(set);
    }

    void frames(double time) {
        std::map<std::uint32_t, Local> set;
        for (std::size_t i = document_.frameStart; i < document_.chunks.size(); ++i) {
            const Chunk& record = document_.chunks[i];
            if (record.kind == kind::kTop && record.payload.size() >= 4) {
                const std::int32_t frame = load<std::int32_t>(record.payload, 0);
                if (frame < 0 || frame > time) break;
            } else if (record.kind == kind::kFObj) {
                fObj(record, set);
            }
        }
        drive(set);
    }

    /// Files without a stored bind: the first animation that fits each clump, then what drives the rest.
    void best() {
        std::vector<const Anime*> chosen(document_.clumps.size(), nullptr);
        std::vector<bool> neutral(chosen.size());
        for (const Anime& anime : document_.animes) {
            const bool nut = isNeutral(document_.nameOf(anime.object));
            for (const std::uint32_t obj : drivenBy(anime)) {
                const std::uint32_t clump = hierarchy_.clumpOf[obj];
                if (clump == kNone || (chosen[clump] != nullptr && (neutral[clump] || !nut))) continue;
                chosen[clump] = &anime;
                neutral[clump] = nut;
            }
        }
        std::set<const Anime*> done;
        for (const Anime* anime : chosen) {
            if (anime != nullptr && done.insert(anime).second) this->anime(*anime, 0.0);
        }
        for (const Anime& anime : document_.animes) {
            if (done.insert(&anime).second) this->anime(anime, 0.0);
        }
        frames(0.0);
    }

    std::vector<Local> take() { return std::move(locals_); }

private:
    static bool isNeutral(std::string_view name) {
        const auto same = [](char a, char b) { return (a | 0x20) == b; };
        static constexpr std::string_view kNut = "nut";
        return std::search(name.begin(), name.end(), kNut.begin(), kNut.end(), same) != name.end();
    }

    void fObj(const Chunk& record, std::map<std::uint32_t, Local>& set) {
        const auto read = readFObj(record);
        if (!read) return;
        const std::uint32_t obj = hierarchy_.nodeOf(read->object);
        if (obj != kNone) set.insert_or_assign(obj, checked(localOf(read->transform), obj));
    }

    void controller(const Anime& anime, const Chunk& record, double time, std::map<std::uint32_t, Local>& controlled) {
        ByteReader in(record.payload, ByteOrder::Little, record.offset + 8);
        in.name("ObjController of Anime", std::string(document_.nameOf(anime.object)));
        try {
            const ObjController read = readObjController(in);
            const std::uint32_t obj = hierarchy_.nodeOf(read.object);
            // Records for one node may repeat: the first drives it.
            if (obj == kNone || controlled.contains(obj)) return;
            Local local;
            local.translation = vectorAt(read.position, time, Vec3d(0.0));
            local.rotation = rotationAt(read.rotation, time);
            local.scale = vectorAt(read.scale, time, Vec3d(1.0));
            controlled.emplace(obj, checked(local, obj));
        } catch (const FormatError& e) {
            defects_.warn("bad-record", e.defect().offset, e.defect().where,
                          e.defect().detail + "; the record is passed over");
        }
    }

    static Vec3d vectorOf(const Track& track, std::size_t key) {
        return {track.value(key, 0), track.value(key, 1), track.value(key, 2)};
    }
    static Vec3d vectorAt(const Track& track, double time, const Vec3d& absent) {
        if (track.absent()) return absent;
        const Track::Place p = track.placeAt(time);
        const Vec3d from = vectorOf(track, p.from);
        return p.from == p.to ? from : from + (vectorOf(track, p.to) - from) * p.part;
    }
    static Quatd rotationAt(const Track& track, double time) {
        if (track.absent()) return Quatd(1.0, 0.0, 0.0, 0.0);
        const Track::Place p = track.placeAt(time);
        const Quatd from = quaternionAt(track, p.from);
        return p.from == p.to ? from : glm::slerp(from, quaternionAt(track, p.to), p.part);
    }

    void drive(const std::map<std::uint32_t, Local>& set) {
        for (const auto& [obj, local] : set) {
            if (driven_[obj]) continue;
            driven_[obj] = true;
            locals_[obj] = local;
        }
    }

    Local checked(Local local, std::uint32_t obj) {
        bool odd = false;
        for (int i = 0; i < 3; ++i) {
            if (!std::isfinite(local.translation[i])) local.translation[i] = 0.0, odd = true;
            if (!std::isfinite(local.scale[i])) local.scale[i] = 1.0, odd = true;
        }
        const double length = glm::dot(local.rotation, local.rotation);
        if (!std::isfinite(length) || length < 0.5) local.rotation = Quatd(1.0, 0.0, 0.0, 0.0), odd = true;
        if (odd) {
            defects_.warn("nonfinite", std::nullopt, placeOf("Obj", document_.nameOf(document_.objs[obj].object)),
                          "its transform in this pose is no finite number; replaced");
        }
        return local;
    }

    const Document& document_;
    const Hierarchy& hierarchy_;
    Defects& defects_;
    std::vector<Local> locals_;
    std::vector<bool> driven_;
};

[[noreturn]] void refusePose(std::string detail) {
    throw FormatError("pose", std::move(detail));
}

}  // namespace

Hierarchy hierarchyOf(const Document& document, Defects& defects) {
    Hierarchy out;
    const std::size_t objects = document.objects.size();
    out.resolved = resolvedObjects(document, defects);
    out.objOf.assign(objects, kNone);
    out.ownerOf.assign(objects, kNone);
    const auto count = static_cast<std::uint32_t>(document.objs.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const Obj& obj = document.objs[i];
        if (obj.object >= objects) continue;
        if (out.objOf[obj.object] != kNone) {
            defects.warn("duplicate", document.chunks[obj.chunk].offset, placeOf("Obj", document.nameOf(obj.object)),
                         "the object has an Obj already; this one is left out");
            continue;
        }
        out.objOf[obj.object] = i;
        for (const std::uint32_t model : {obj.model, obj.shadowModel}) {
            if (model != 0 && model < objects && out.ownerOf[model] == kNone) out.ownerOf[model] = i;
        }
    }
    out.parentOf.assign(count, kNone);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (document.objs[i].parent != 0) out.parentOf[i] = out.nodeOf(document.objs[i].parent);
    }
    breakCycles(document, out, defects);
    out.clumpOf.assign(count, kNone);
    for (std::uint32_t c = 0; c < document.clumps.size(); ++c) {
        for (const std::uint32_t node : document.clumps[c].nodes) {
            const std::uint32_t obj = out.nodeOf(node);
            if (obj != kNone && out.clumpOf[obj] == kNone) out.clumpOf[obj] = c;
        }
    }
    return out;
}

Quatd quaternionOf(const Vec3d& degrees) {
    const Vec3d half = degrees * (std::numbers::pi / 360.0);
    const Quatd x(std::cos(half.x), std::sin(half.x), 0.0, 0.0);
    const Quatd y(std::cos(half.y), 0.0, std::sin(half.y), 0.0);
    const Quatd z(std::cos(half.z), 0.0, 0.0, std::sin(half.z));
    return x * y * z;
}

Local localOf(const Transform& transform) {
    return {Vec3d(transform.position), quaternionOf(Vec3d(transform.rotation)), Vec3d(transform.scale)};
}

Quatd quaternionAt(const Track& track, std::size_t key) {
    const Vec3d v(track.value(key, 0), track.value(key, 1), track.value(key, 2));
    if (track.form != Track::Form::Quaternions) return quaternionOf(v);
    return glm::normalize(Quatd(track.value(key, 3), v.x, v.y, v.z));
}

Mat4d matrixOf(const Local& local) {
    const Mat3d r = glm::mat3_cast(local.rotation);
    Mat4d m(1.0);
    for (int c = 0; c < 3; ++c) m[c] = glm::dvec4(r[c] * local.scale[c], 0.0);
    m[3] = glm::dvec4(local.translation, 1.0);
    return m;
}

PoseChoice parsePose(std::string_view text) {
    PoseChoice out;
    if (text == "bind" || text == "none") {
        out.source = text == "bind" ? PoseChoice::Source::Bind : PoseChoice::Source::None;
        return out;
    }
    const std::size_t at = text.rfind('@');
    if (at != std::string_view::npos) {
        const std::string_view number = text.substr(at + 1);
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), out.frame);
        if (error != std::errc() || end != number.data() + number.size() || !std::isfinite(out.frame)) {
            refusePose("the frame of --pose " + std::string(text) + " is no number");
        }
        text = text.substr(0, at);
    }
    out.source = text == "frames" ? PoseChoice::Source::Frames : PoseChoice::Source::Anime;
    out.anime = text;
    return out;
}

std::vector<Local> poseOf(const Document& document, const Hierarchy& hierarchy, const PoseChoice& choice,
                          Defects& defects) {
    using enum PoseChoice::Source;
    Posing posing(document, hierarchy, defects);
    if (choice.source != None) posing.bind();
    if (choice.source == Default && document.version() <= kLastGeneration1) posing.best();
    if (choice.source == Frames) posing.frames(choice.frame);
    if (choice.source == Anime) {
        const auto named = [&](const ccsf::Anime& a) { return document.nameOf(a.object) == choice.anime; };
        const auto found = std::find_if(document.animes.begin(), document.animes.end(), named);
        if (found == document.animes.end()) refusePose("there is no animation " + choice.anime);
        posing.anime(*found, choice.frame);
    }
    return posing.take();
}

std::vector<Mat4d> worldsOf(const Hierarchy& hierarchy, const std::vector<Local>& locals) {
    std::vector<Mat4d> worlds(locals.size(), Mat4d(1.0));
    std::vector<bool> done(locals.size());
    std::vector<std::uint32_t> chain;
    for (std::uint32_t start = 0; start < locals.size(); ++start) {
        for (std::uint32_t at = start; at != kNone && !done[at]; at = hierarchy.parentOf[at]) chain.push_back(at);
        for (; !chain.empty(); chain.pop_back()) {
            const std::uint32_t i = chain.back();
            const std::uint32_t parent = hierarchy.parentOf[i];
            worlds[i] = parent == kNone ? matrixOf(locals[i]) : worlds[parent] * matrixOf(locals[i]);
            done[i] = true;
        }
    }
    return worlds;
}

}  // namespace geomconv::ccsf
