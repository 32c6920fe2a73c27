#include "formats/ccsf/animation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "formats/ccsf/anime.hpp"
#include "formats/ccsf/records.hpp"

namespace geomconv::ccsf {

namespace {

using Json = nlohmann::ordered_json;

/// The engine's time step, in frames: of two keys on one frame the later shows this much after it.
constexpr double kStep = 1.0 / 256.0;
/// What a channel costs besides its values, in floats.
constexpr std::uint64_t kChannelCost = 8;
/// What all animations of a file may take.
constexpr std::uint64_t kFloatsPerByte = 4;
constexpr std::uint64_t kFreeFloats = 1 << 16;
constexpr std::string_view kFramesName = "frames";

/// A time in frames and the key that shows from there on.
struct KeyTime {
    double frame = 0.0;
    std::size_t key = 0;
};

/// Keys that are reached, frames strictly rising.
std::vector<KeyTime> reachedKeys(const Track& track) {
    std::vector<KeyTime> out;
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < track.count; ++i) {
        const std::uint32_t frame = track.frame(i);
        if (frame < before) break;
        before = frame;
        if (out.empty() || frame > out.back().frame)
            out.push_back({static_cast<double>(frame), i});
        else if (out.back().frame == frame)
            out.push_back({frame + kStep, i});
        else
            out.back().key = i;  // a third key on one frame takes the place of the second
    }
    return out;
}

/// Keys of one property on their way into a channel.
struct Curve {
    std::vector<double> frames;
    std::vector<float> values;
    Interpolation interpolation = Interpolation::Linear;
};

/// Rotation keys whose neighbours lie on the same side, so that readers that do not look for the short way take it too.
void turnToNeighbours(std::vector<float>& quaternions) {
    for (std::size_t i = 4; i + 4 <= quaternions.size(); i += 4) {
        float dot = 0.0F;
        for (std::size_t k = 0; k < 4; ++k) dot += quaternions[i + k] * quaternions[i + k - 4];
        for (std::size_t k = 0; k < 4 && dot < 0.0F; ++k) quaternions[i + k] = -quaternions[i + k];
    }
}

std::array<float, 4> floatsOf(const Quatd& q) {
    const Quat f = glm::normalize(Quat(q));
    return {f.x, f.y, f.z, f.w};
}
std::array<float, 3> floatsOf(const Vec3d& v) {
    const Vec3 f(v);
    return {f.x, f.y, f.z};
}

/// One animation being made.
class Maker {
public:
    Maker(const Document& document, const AnimationTargets& targets, double fps, std::uint64_t& budget,
          Defects& defects)
        : document_(document), targets_(targets), fps_(fps), budget_(budget), defects_(defects) {}

    Animation ofAnime(const Anime& anime) {
        name_ = document_.nameOf(anime.object);
        frames_ = anime.frames;
        offset_ = document_.chunks[anime.chunk].offset;
        std::int32_t frame = 0;
        for (const Chunk& record : anime.records) see(record, frame);
        extras_["loop"] = anime.loops;
        return made();
    }

    Animation ofFrames() {
        name_ = kFramesName;
        std::int32_t frame = 0;
        for (std::size_t i = document_.frameStart; i < document_.chunks.size(); ++i) {
            see(document_.chunks[i], frame);
            if (frame < 0) break;
            frames_ = std::max(frames_, static_cast<std::uint32_t>(frame) + 1);
        }
        return frames_ > 1 ? made() : Animation{};  // a single frame is a pose
    }

private:
    struct MorphKey {
        std::int32_t frame = 0;
        std::vector<std::pair<std::uint32_t, float>> weights;  ///< target model, weight
    };

    // ---- records

    void see(const Chunk& record, std::int32_t& frame) {
        try {
            if (record.kind == kind::kTop && record.payload.size() >= 4)
                frame = load<std::int32_t>(record.payload, 0);
            else if (record.kind == kind::kFObj && frame >= 0)
                fObj(record, frame);
            else if (record.kind == kind::kObjController)
                controller(record);
            else if (record.kind == kind::kMaterialController)
                material(record);
            else if (record.kind == kind::kFMorpher && frame >= 0)
                fMorpher(record, frame);
            else if (record.kind == kind::kMorphController)
                morphController(record);
        } catch (const FormatError& e) {
            defects_.warn("bad-record", e.defect().offset, e.defect().where,
                          e.defect().detail + "; the record is passed over");
        }
    }
    void name(ByteReader& in, const Chunk& record) const {
        in.name(kindName(record.kind, Section::Frames), std::string(name_));
    }

    void fObj(const Chunk& record, std::int32_t frame) {
        const auto read = readFObj(record);
        const std::uint32_t obj = read ? targets_.hierarchy.nodeOf(read->object) : kNone;
        if (obj == kNone) return;
        auto& keys = set_[obj];
        if (!keys.empty() && frame < keys.back().first) return;
        if (keys.empty() || frame > keys.back().first) keys.emplace_back(frame, Local{});
        keys.back().second = localOf(read->transform);
    }

    void controller(const Chunk& record) {
        ByteReader in(record.payload, ByteOrder::Little, record.offset + 8);
        name(in, record);
        const ObjController read = readObjController(in);
        const std::uint32_t obj = targets_.hierarchy.nodeOf(read.object);
        // Records for one node may repeat: the first drives it.
        if (obj != kNone) controlled_.try_emplace(obj, read);
    }

    void material(const Chunk& record) {
        ByteReader in(record.payload, ByteOrder::Little, record.offset + 8);
        name(in, record);
        const Controller read = readController(in, record.kind);
        if (!materials_.insert(read.object).second) return;
        Json row{{"material", document_.nameOf(read.object)}};
        const auto fields = controllerFields(record.kind);
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (!read.tracks[i].absent()) row[std::string(fields[i].name)] = jsonOf(read.tracks[i]);
        }
        extras_["materials"].push_back(std::move(row));
    }

    /// The base model that a morpher moves, where a mesh of the scene was made of it.
    std::optional<std::uint32_t> baseOf(std::uint32_t morpher) const {
        const auto base = targets_.baseOf.find(morpher);
        if (base == targets_.baseOf.end() || !targets_.morphed.contains(base->second)) return std::nullopt;
        return base->second;
    }

    void fMorpher(const Chunk& record, std::int32_t frame) {
        ByteReader in(record.payload, ByteOrder::Little, record.offset + 8);
        name(in, record);
        const auto base = baseOf(in.u32("morpher"));
        if (!base) return;
        const std::uint16_t count = in.u16("target count");
        in.skip(2, "padding");
        in.checkCount(count, 8, "target count", in.offset() - 4);
        MorphKey key{frame, {}};
        for (std::uint16_t i = 0; i < count; ++i) {
            const std::uint32_t target = in.u32("target");
            key.weights.emplace_back(target, in.f32("weight"));
        }
        auto& keys = weights_[*base];
        if (!keys.empty() && frame < keys.back().frame) return;
        if (!keys.empty() && frame == keys.back().frame) keys.pop_back();
        keys.push_back(std::move(key));
    }

    void morphController(const Chunk& record) {
        ByteReader in(record.payload, ByteOrder::Little, record.offset + 8);
        name(in, record);
        const auto base = baseOf(in.u32("morpher"));
        if (!base || weightTracks_.contains(*base)) return;
        std::vector<std::pair<std::uint32_t, Track>> tracks;
        const std::uint32_t count = in.count32(8, "target count");
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t target = in.u32("target");
            tracks.emplace_back(target, readTrack(in, in.u32("flags") & 7, 1, false));
        }
        weightTracks_.emplace(*base, std::move(tracks));
    }

    // ---- channels

    Animation made() {
        out_.name = name_;
        for (const auto& [obj, keys] : set_) {
            if (!controlled_.contains(obj)) stepped(obj, keys);
        }
        for (const auto& [obj, read] : controlled_) keyed(obj, read);
        still();
        for (const auto& [base, keys] : weights_) steppedWeights(base, keys);
        for (const auto& [base, tracks] : weightTracks_) {
            if (!weights_.contains(base)) keyedWeights(base, tracks);
        }
        lengthen();
        if (odd_ > 0) {
            defects_.warn("nonfinite", offset_, {Place{"Anime", std::string(name_)}},
                          std::to_string(odd_) + " values are no finite numbers; replaced");
        }
        extras_["frames"] = frames_;
        extras_["fps"] = fps_;
        if (!transparency_.empty()) extras_["transparency"] = std::move(transparency_);
        out_.extras = Extras(extras_);
        return std::move(out_);
    }

    std::uint32_t nodeOf(std::uint32_t obj) const { return targets_.nodeOfObj[obj]; }

    void keyed(std::uint32_t obj, const ObjController& read) {
        if (nodeOf(obj) == kNone) return;
        add(obj, ChannelPath::Translation, vectors(read.position, 0.0F), true);
        add(obj, ChannelPath::Rotation, rotations(read.rotation), true);
        add(obj, ChannelPath::Scale, vectors(read.scale, 1.0F), false);
        const Track& t = read.transparency;
        if (t.absent() || (t.count == 1 && t.value(0, 0) == 1.0F)) return;
        Json row{{"node", document_.nameOf(document_.objs[obj].object)}};
        row.update(jsonOf(t));
        transparency_.push_back(std::move(row));
    }

    /// F_Obj records: each holds until the next, before the first the node rests.
    void stepped(std::uint32_t obj, const std::vector<std::pair<std::int32_t, Local>>& keys) {
        if (nodeOf(obj) == kNone) return;
        Curve translation, rotation, scale;
        const auto key = [&](double frame, const Local& local) {
            const auto t = floatsOf(local.translation);
            const auto r = floatsOf(local.rotation);
            const auto s = floatsOf(local.scale);
            for (Curve* curve : {&translation, &rotation, &scale}) curve->frames.push_back(frame);
            for (const float v : t) translation.values.push_back(finite(v, 0.0F));
            for (std::size_t k = 0; k < 4; ++k) rotation.values.push_back(finite(r[k], k == 3 ? 1.0F : 0.0F));
            for (const float v : s) scale.values.push_back(finite(v, 1.0F));
        };
        if (keys.front().first > 0) key(0.0, targets_.rest[obj]);
        for (const auto& [frame, local] : keys) key(frame, local);
        for (Curve* curve : {&translation, &rotation, &scale}) curve->interpolation = Interpolation::Step;
        add(obj, ChannelPath::Translation, std::move(translation), true);
        add(obj, ChannelPath::Rotation, std::move(rotation), true);
        add(obj, ChannelPath::Scale, std::move(scale), false);
    }

    /// Nodes that the scene shows in another pose rest while this animation plays, where it drives their clump.
    void still() {
        std::set<std::uint32_t> clumps;
        for (const auto& [obj, read] : controlled_) clumps.insert(targets_.hierarchy.clumpOf[obj]);
        for (const auto& [obj, keys] : set_) clumps.insert(targets_.hierarchy.clumpOf[obj]);
        clumps.erase(kNone);
        for (const std::uint32_t clump : clumps) {
            const auto moved = targets_.displaced.find(clump);
            if (moved == targets_.displaced.end()) continue;
            for (const std::uint32_t obj : moved->second) {
                if (!controlled_.contains(obj) && !set_.contains(obj)) rest(obj);
                if (saidTooLarge_) return;
            }
        }
    }
    void rest(std::uint32_t obj) {
        const Local& rest = targets_.rest[obj];
        const auto single = [](const auto& values) {
            return Curve{{0.0}, {values.begin(), values.end()}, Interpolation::Step};
        };
        add(obj, ChannelPath::Translation, single(floatsOf(rest.translation)), false);
        add(obj, ChannelPath::Rotation, single(floatsOf(rest.rotation)), false);
        add(obj, ChannelPath::Scale, single(floatsOf(rest.scale)), false);
    }

    void steppedWeights(std::uint32_t base, const std::vector<MorphKey>& keys) {
        const MorphedMesh& mesh = targets_.morphed.at(base);
        if (!afford((keys.size() + 1) * mesh.targets.size() * mesh.nodes.size())) return;
        Curve curve;
        curve.interpolation = Interpolation::Step;
        const auto key = [&](double frame, const MorphKey* from) {
            curve.frames.push_back(frame);
            const std::size_t at = curve.values.size();
            curve.values.resize(at + mesh.targets.size());
            if (from == nullptr) return;
            for (const auto& [target, weight] : from->weights) {
                const auto found = mesh.targets.find(target);
                if (found != mesh.targets.end()) curve.values[at + found->second] = finite(weight, 0.0F);
            }
        };
        if (keys.front().frame > 0) key(0.0, nullptr);
        for (const MorphKey& k : keys) key(k.frame, &k);
        for (const std::uint32_t node : mesh.nodes) push(node, ChannelPath::Weights, curve);
    }

    void keyedWeights(std::uint32_t base, const std::vector<std::pair<std::uint32_t, Track>>& tracks) {
        const MorphedMesh& mesh = targets_.morphed.at(base);
        std::vector<double> times{0.0};
        for (const auto& [target, track] : tracks) {
            for (const KeyTime& time : reachedKeys(track)) times.push_back(time.frame);
        }
        std::sort(times.begin(), times.end());
        times.erase(std::unique(times.begin(), times.end()), times.end());
        if (!afford(times.size() * mesh.targets.size() * mesh.nodes.size())) return;
        Curve curve;
        curve.frames = times;
        curve.values.assign(times.size() * mesh.targets.size(), 0.0F);
        for (const auto& [target, track] : tracks) {
            const auto found = mesh.targets.find(target);
            if (found == mesh.targets.end() || track.absent()) continue;
            const std::vector<KeyTime> keys = reachedKeys(track);
            std::size_t next = 0;
            for (std::size_t i = 0; i < times.size(); ++i) {
                while (next < keys.size() && keys[next].frame < times[i]) ++next;
                curve.values[i * mesh.targets.size() + found->second] =
                    finite(between(track, keys, next, times[i]), 0.0F);
            }
        }
        for (const std::uint32_t node : mesh.nodes) push(node, ChannelPath::Weights, curve);
    }
    /// A value at a time; next: the first key that is not before it.
    static float between(const Track& track, const std::vector<KeyTime>& keys, std::size_t next, double time) {
        if (next == keys.size()) return track.value(keys.back().key, 0);
        if (next == 0) return track.value(keys.front().key, 0);
        const KeyTime& a = keys[next - 1];
        const KeyTime& b = keys[next];
        const auto from = static_cast<double>(track.value(a.key, 0));
        const auto to = static_cast<double>(track.value(b.key, 0));
        return static_cast<float>(from + (to - from) * (time - a.frame) / (b.frame - a.frame));
    }

    Curve vectors(const Track& track, float absent) {
        Curve curve;
        if (track.absent()) return {{0.0}, {absent, absent, absent}, Interpolation::Linear};
        for (const KeyTime& time : reachedKeys(track)) {
            curve.frames.push_back(time.frame);
            for (std::size_t k = 0; k < 3; ++k) curve.values.push_back(finite(track.value(time.key, k), absent));
        }
        return curve;
    }
    Curve rotations(const Track& track) {
        Curve curve;
        if (track.absent()) return {{0.0}, {0.0F, 0.0F, 0.0F, 1.0F}, Interpolation::Linear};
        for (const KeyTime& time : reachedKeys(track)) {
            const auto q = floatsOf(quaternionAt(track, time.key));
            const bool sound = std::all_of(q.begin(), q.end(), [](float v) { return std::isfinite(v); });
            if (!sound) ++odd_;
            curve.frames.push_back(time.frame);
            for (std::size_t k = 0; k < 4; ++k) curve.values.push_back(sound ? q[k] : k == 3 ? 1.0F : 0.0F);
        }
        turnToNeighbours(curve.values);
        return curve;
    }

    /// A channel of an obj's node. What always holds the value that the node has comes out only where it must.
    void add(std::uint32_t obj, ChannelPath path, Curve curve, bool always) {
        const std::size_t width = path == ChannelPath::Rotation ? 4 : 3;
        const auto sameAsFirst = [&](std::size_t i) { return curve.values[i] == curve.values[i % width]; };
        bool constant = true;
        for (std::size_t i = width; i < curve.values.size() && constant; ++i) constant = sameAsFirst(i);
        if (constant) {
            curve.frames.assign(1, 0.0);
            curve.values.resize(width);
            if (!always && shows(obj, path, curve.values)) return;
        }
        if (!afford(curve.values.size() + kChannelCost)) return;
        push(nodeOf(obj), path, curve);
    }
    bool shows(std::uint32_t obj, ChannelPath path, const std::vector<float>& values) const {
        const Local& local = targets_.shown[obj];
        const auto same = [&](const auto& shown) { return std::equal(shown.begin(), shown.end(), values.begin()); };
        if (path == ChannelPath::Rotation) return same(floatsOf(local.rotation));
        return same(floatsOf(path == ChannelPath::Translation ? local.translation : local.scale));
    }

    void push(std::uint32_t node, ChannelPath path, const Curve& curve) {
        Channel channel;
        channel.node = node;
        channel.path = path;
        channel.interpolation = curve.interpolation;
        channel.values = curve.values;
        channel.times.reserve(curve.frames.size());
        for (const double frame : curve.frames) {
            auto time = static_cast<float>(frame / fps_);
            // Late keys may lie closer together than floats do.
            if (!channel.times.empty() && time <= channel.times.back())
                time = std::nextafter(channel.times.back(), std::numeric_limits<float>::max());
            channel.times.push_back(time);
        }
        out_.channels.push_back(std::move(channel));
    }

    /// An animation lasts to its last frame, though its last key may stand before it.
    void lengthen() {
        if (out_.channels.empty() || frames_ < 2) return;
        const auto end = static_cast<float>((static_cast<double>(frames_) - 1.0) / fps_);
        float last = 0.0F;
        for (const Channel& channel : out_.channels) last = std::max(last, channel.times.back());
        if (last >= end) return;
        Channel& longest = out_.channels.front();
        const std::size_t width = longest.values.size() / longest.times.size();
        longest.times.push_back(end);
        for (std::size_t k = 0; k < width; ++k) longest.values.push_back(longest.values[longest.values.size() - width]);
    }

    // ---- the rest

    float finite(float v, float otherwise) {
        if (std::isfinite(v)) return v;
        ++odd_;
        return otherwise;
    }

    /// Few bytes must not ask for many channels: nodes times animations, records times targets.
    bool afford(std::uint64_t floats) {
        if (floats <= budget_) {
            budget_ -= floats;
            return true;
        }
        if (!saidTooLarge_) {
            saidTooLarge_ = true;
            defects_.warn("animation-size", offset_, {Place{"Anime", std::string(name_)}},
                          "more keys than a file of this size can hold; channels are left out");
        }
        return false;
    }

    static Json jsonOf(const Track& track) {
        Json frames = Json::array();
        Json values = Json::array();
        for (const KeyTime& time : reachedKeys(track)) {
            frames.push_back(time.frame);
            values.push_back(track.value(time.key, 0));
        }
        return {{"frames", std::move(frames)}, {"values", std::move(values)}};
    }

    const Document& document_;
    const AnimationTargets& targets_;
    double fps_;
    std::uint64_t& budget_;
    Defects& defects_;
    std::string_view name_;
    std::uint32_t frames_ = 0;
    std::optional<std::uint64_t> offset_;
    std::map<std::uint32_t, ObjController> controlled_;
    std::map<std::uint32_t, std::vector<std::pair<std::int32_t, Local>>> set_;
    std::map<std::uint32_t, std::vector<MorphKey>> weights_;
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, Track>>> weightTracks_;
    std::set<std::uint32_t> materials_;
    Json extras_ = Json::object();
    Json transparency_ = Json::array();
    std::size_t odd_ = 0;
    bool saidTooLarge_ = false;
    Animation out_;
};

void refuseUnknown(const Document& document, const AnimationChoice& choice) {
    for (const std::string& name : choice.names) {
        const auto is = [&](const Anime& a) { return document.nameOf(a.object) == name; };
        if (name == kFramesName || std::any_of(document.animes.begin(), document.animes.end(), is)) continue;
        throw FormatError("animation", "there is no animation " + name);
    }
}

}  // namespace

AnimationChoice parseAnimations(std::string_view text) {
    AnimationChoice out;
    out.all = text == "all";
    if (out.all || text == "none") return out;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        if (end > start) out.names.emplace_back(text.substr(start, end - start));
        start = end + 1;
    }
    return out;
}

std::vector<Animation> animationsOf(const Document& document, const AnimationTargets& targets,
                                    const AnimationChoice& choice, Defects& defects) {
    refuseUnknown(document, choice);
    const auto wanted = [&](std::string_view name) {
        return choice.all || std::find(choice.names.begin(), choice.names.end(), name) != choice.names.end();
    };
    std::vector<Animation> out;
    const auto keep = [&](Animation animation) {
        if (!animation.channels.empty()) out.push_back(std::move(animation));
    };
    std::uint64_t budget = kFreeFloats + kFloatsPerByte * std::uint64_t{document.file.size()};
    for (const Anime& anime : document.animes) {
        if (wanted(document.nameOf(anime.object)))
            keep(Maker(document, targets, choice.fps, budget, defects).ofAnime(anime));
    }
    if (wanted(kFramesName)) keep(Maker(document, targets, choice.fps, budget, defects).ofFrames());
    return out;
}

}  // namespace geomconv::ccsf
