// dump: every chunk in file order with its fields under the names of FORMAT.md. Vertices, pixels and keys are streamed
// as flat arrays of the stored numbers; what no field says is "bytes" in hexadecimal.

#include "lib/json.hpp"

#include "formats/ccsf/anime.hpp"
#include "formats/ccsf/geometry.hpp"
#include "formats/ccsf/model.hpp"
#include "formats/ccsf/records.hpp"
#include "formats/ccsf/small_records.hpp"

namespace geomconv::ccsf {

namespace {

class Dumper {
public:
    Dumper(const Document& document, Sink& out) : document_(document), json_(out) {}

    void run() {
        json_.beginObject();
        json_.head();
        json_.field("document", "ccsf");
        header();
        index();
        json_.key("chunks");
        json_.beginArray();
        for (std::uint32_t i = 2; i < document_.frameStart; ++i) chunk(i);
        json_.endArray();
        json_.key("frames");
        json_.beginArray();
        for (std::size_t i = document_.frameStart; i < document_.chunks.size(); ++i) record(document_.chunks[i]);
        json_.endArray();
        if (!document_.trailing.empty()) bytes("trailing", document_.trailing);
        json_.endObject();
    }

private:
    // ---- values

    void object(std::string_view field, std::uint32_t index) {
        json_.key(field);
        json_.beginObject();
        json_.field("index", index);
        if (index != 0 && index < document_.objects.size()) json_.field("name", document_.nameOf(index));
        json_.endObject();
    }
    void bytes(std::string_view field, Bytes raw) { json_.hex(field, raw); }
    void vector(std::string_view field, const Vec3& v) { json_.field(field, std::span<const float>(&v.x, 3)); }
    /// A flat array of stored values of a type, from value(i) for each i below count.
    template <class T, class Value>
    void array(std::string_view field, std::size_t count, Value value) {
        std::vector<T> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = value(i);
        json_.field(field, std::span<const T>(values));
    }
    template <class T>
    void loaded(std::string_view field, Bytes raw) {
        array<T>(field, raw.size() / sizeof(T), [raw](std::size_t i) { return load<T>(raw, i * sizeof(T)); });
    }
    void shorts(std::string_view field, Bytes raw) {
        array<std::int32_t>(field, raw.size() / 2, [raw](std::size_t i) { return load<std::int16_t>(raw, 2 * i); });
    }

    // ---- head of the file

    void header() {
        const Header& h = document_.header;
        json_.key("header");
        json_.beginObject();
        json_.field("name", h.name);
        bytes("rawName", h.rawName);
        json_.field("version", h.version);
        json_.field("frames", h.frames);
        json_.field("words", std::span<const std::uint32_t>(h.words));
        json_.endObject();
    }
    void index() {
        json_.objects("paths", document_.paths, [&](const PathEntry& path) {
            json_.field("path", path.text);
            bytes("raw", path.raw);
        });
        json_.objects("objects", document_.objects, [&](const ObjectEntry& entry) {
            json_.field("name", entry.name);
            json_.field("path", entry.path);
            bytes("raw", entry.raw);
        });
    }

    // ---- chunks

    void chunk(std::uint32_t number) {
        const Chunk& c = document_.chunks[number];
        json_.beginObject();
        json_.field("kind", kindName(c.kind, Section::Setup));
        json_.field("number", hex(c.kind));
        json_.field("offset", c.offset);
        json_.field("tag", c.tag);
        json_.field("size", c.size);
        json_.field("words", static_cast<std::uint64_t>(c.payload.size() / 4));
        if (!fields(number))
            bytes("bytes", c.payload);
        else if (c.known < c.payload.size())
            bytes("unknown", c.payload.subspan(c.known));
        json_.endObject();
    }

    /// The next record of a list that belongs to a chunk; lists are in the order of the chunks.
    template <class Record>
    static const Record* next(const std::vector<Record>& records, std::size_t& at, std::uint32_t number) {
        while (at < records.size() && records[at].chunk < number) ++at;
        return at < records.size() && records[at].chunk == number ? &records[at] : nullptr;
    }
    template <class Record>
    bool field(const std::vector<Record>& records, std::size_t& at, std::uint32_t number) {
        const Record* record = next(records, at, number);
        if (record == nullptr) return false;
        write(*record);
        return true;
    }

    bool fields(std::uint32_t n) {
        const Document& d = document_;
        switch (d.chunks[n].kind) {
            case kind::kSetup:
                return d.chunks[n].payload.empty();
            case kind::kObj:
                return field(d.objs, at_.obj, n);
            case kind::kObj2:
                return field(d.obj2s, at_.obj2, n);
            case kind::kExtObj:
                return field(d.extObjs, at_.ext, n);
            case kind::kClump:
                return field(d.clumps, at_.clump, n);
            case kind::kMaterial:
                return field(d.materials, at_.material, n);
            case kind::kTexture:
                return field(d.textures, at_.texture, n);
            case kind::kClut:
                return field(d.cluts, at_.clut, n);
            case kind::kModel:
                return field(d.models, at_.model, n);
            case kind::kHit:
                return field(d.hits, at_.hit, n);
            case kind::kBbox:
                return field(d.boxes, at_.box, n);
            case kind::kDummyPos:
            case kind::kDummyPosRot:
                return field(d.dummies, at_.dummy, n);
            case kind::kCamera:
                return field(d.cameras, at_.camera, n);
            case kind::kLight:
                return field(d.lights, at_.light, n);
            case kind::kMorpher:
                return field(d.morphers, at_.morpher, n);
            case kind::kAnime:
                return field(d.animes, at_.anime, n);
            default:
                return small(d.chunks[n], Section::Setup);
        }
    }

    // ---- small records

    /// A pass that looks whether all fields are there, so that nothing is written by halves.
    struct Silent {
        void object(std::string_view, std::uint32_t) {}
        template <class T>
        void number(std::string_view, T) {}
        template <class T>
        void numbers(std::string_view, std::span<const T>) {}
        void bytes(std::string_view, Bytes) {}
        void track(std::string_view, const Track&, bool) {}
        template <class Each>
        void items(std::string_view, std::uint32_t count, Each each) {
            for (std::uint32_t i = 0; i < count; ++i) each();
        }
    };
    struct Shown {
        Dumper& dumper;

        void object(std::string_view name, std::uint32_t index) { dumper.object(name, index); }
        template <class T>
        void number(std::string_view name, T value) {
            dumper.json_.field(name, value);
        }
        template <class T>
        void numbers(std::string_view name, std::span<const T> values) {
            dumper.json_.field(name, values);
        }
        void bytes(std::string_view name, Bytes raw) { dumper.bytes(name, raw); }
        void track(std::string_view name, const Track& t, bool colour) { dumper.track(name, t, colour); }
        template <class Each>
        void items(std::string_view name, std::uint32_t count, Each each) {
            dumper.json_.key(name);
            dumper.json_.beginArray();
            for (std::uint32_t i = 0; i < count; ++i) {
                dumper.json_.beginObject();
                each();
                dumper.json_.endObject();
            }
            dumper.json_.endArray();
        }
    };

    bool small(const Chunk& c, Section section) {
        try {
            ByteReader in(c.payload);
            Silent silent;
            if (!SmallRecords(in, silent).read(c.kind, section)) return false;
        } catch (const FormatError&) {
            return false;
        }
        ByteReader in(c.payload);
        Shown shown{*this};
        return SmallRecords(in, shown).read(c.kind, section);
    }

    void write(const Obj& o) {
        object("object", o.object);
        object("parent", o.parent);
        object("model", o.model);
        if (document_.version() >= 0x96) object("shadowModel", o.shadowModel);
        if (document_.version() > 0x120) json_.field("extra", o.extra);
    }
    void write(const Obj2& o) {
        object("object", o.object);
        json_.field("flags", o.flags);
        object("modifier", o.modifier);
        json_.field("layer", o.layer);
        json_.field("shadowLayer", o.shadowLayer);
    }
    void write(const ExtObj& e) {
        object("object", e.object);
        object("parent", e.parent);
        object("target", e.target);
    }
    void write(const Clump& c) {
        object("object", c.object);
        json_.key("nodes");
        json_.beginArray();
        for (std::size_t i = 0; i < c.nodes.size(); ++i) {
            json_.beginObject();
            object("object", c.nodes[i]);
            if (i < c.binds.size()) {
                vector("position", c.binds[i].position);
                vector("rotation", c.binds[i].rotation);
                vector("scale", c.binds[i].scale);
            }
            json_.endObject();
        }
        json_.endArray();
    }
    void write(const Material& m) {
        object("object", m.object);
        object("texture", m.texture);
        json_.field("transparency", m.transparency);
        const bool scaled = document_.version() >= 0x120;
        json_.field(scaled ? "offsetU" : "cropU", static_cast<std::int32_t>(m.offsetU));
        json_.field(scaled ? "offsetV" : "cropV", static_cast<std::int32_t>(m.offsetV));
        if (scaled) {
            json_.field("scaleU", static_cast<std::int32_t>(m.scaleU));
            json_.field("scaleV", static_cast<std::int32_t>(m.scaleV));
        }
        const Bytes payload = document_.chunks[m.chunk].payload;
        if (payload.size() > 20) bytes("laterFields", payload.subspan(20));
    }
    void write(const Texture& t) {
        object("texture", t.object);
        object("clut", t.clut);
        json_.field("bltGroup", t.bltGroup);
        json_.field("flag", t.flag);
        json_.field("psm", t.psm);
        json_.field("mipmap", t.mipmap);
        json_.field("aref", t.aref);
        json_.field("tw", t.tw);
        json_.field("th", t.th);
        json_.field("width", t.width);
        json_.field("height", t.height);
        if (t.btx) {
            json_.key("btx");
            json_.beginObject();
            json_.field("version", t.btx->version);
            json_.field("mips", t.btx->mips);
            json_.field("format", t.btx->format);
            json_.field("headerSize", t.btx->headerSize);
            json_.field("blockSize", t.btx->blockSize);
            json_.endObject();
        }
        json_.objects("levels", t.levels, [&](const TextureLevel& level) {
            json_.field("bufX", level.bufX);
            json_.field("bufY", level.bufY);
            bytes("pixels", level.pixels);
        });
    }
    void write(const Clut& c) {
        object("clut", c.object);
        json_.field("bltGroup", c.bltGroup);
        json_.field("flag", c.flag);
        json_.field("cpsm", c.cpsm);
        json_.field("bufX", c.bufX);
        json_.field("bufY", c.bufY);
        json_.field("count", c.count);
        bytes("colours", c.colours);
    }
    void write(const Hit& h) {
        object("object", h.object);
        object("parent", h.parent);
        json_.field("totalVertices", h.totalVertices);
        json_.objects("groups", h.groups, [&](const HitGroup& g) {
            json_.field("attribute", g.attribute);
            loaded<float>("positions", g.positions);
            loaded<float>("normals", g.normals);
        });
    }
    void write(const Bbox& b) {
        object("box", b.object);
        object("target", b.target);
        vector("min", b.min);
        vector("max", b.max);
    }
    void write(const Dummy& d) {
        object("object", d.object);
        vector("position", d.position);
        if (d.rotation) vector("rotation", *d.rotation);
    }
    void write(const Camera& c) { object("object", c.object); }
    void write(const Light& l) {
        object("object", l.object);
        json_.field("type", static_cast<std::int32_t>(l.type));
    }
    void write(const Morpher& m) {
        object("morpher", m.object);
        object("baseModel", m.baseModel);
    }

    // ---- models

    void write(const Model& m) {
        object("model", m.object);
        json_.field("vertexScale", m.vertexScale);
        json_.field("mtype", m.mtype);
        if (m.storedType != m.mtype) json_.field("storedType", m.storedType);
        json_.field("mmatNum", static_cast<std::uint64_t>(m.mmats.size()));
        json_.field("flag", m.flag);
        json_.field("zoffs", static_cast<std::int32_t>(m.zoffs));
        json_.field("unknown10", m.unknown10);
        if (document_.version() > kLastGeneration1) {
            json_.field("extraFlags", m.extraFlags);
            json_.field("tangentFlag", m.tangentFlag);
            json_.field("outlineColour", m.outlineColour);
            json_.field("outlineWidth", m.outlineWidth);
            if (m.hasLookup) json_.field("lookup", std::span<const std::uint8_t>(m.lookup));
        }
        if (const auto box = storedBox(m)) {
            const std::array<std::int32_t, 6> corners{box->min[0], box->min[1], box->min[2],
                                                      box->max[0], box->max[1], box->max[2]};
            json_.field("boundingBox", std::span<const std::int32_t>(corners));
        }
        json_.objects("mmats", m.mmats, [&](const Mmat& mmat) { write(m, mmat); });
    }

    void write(const Model& m, const Mmat& x) {
        json_.field("mmatKind", mmatKindName(x.kind));
        if (x.name != 0) object("name", x.name);
        if (x.kind != MmatKind::Shadow) object("material", x.material);
        if (x.kind == MmatKind::Sections) return sections(x);
        json_.field("vertexNum", x.vertexNum);
        if (x.kind == MmatKind::Skin) {
            json_.field("offsetNum", x.offsetNum);
            skin(m, x);
        } else {
            if (x.kind == MmatKind::Bone) json_.field("node", x.node);
            shorts("positions", x.positions);
        }
        if (!x.normals.empty()) normals(x);
        if (!x.colours.empty()) json_.field("colours", std::span<const std::uint8_t>(x.colours));
        if (!x.st.empty()) {
            array<std::int32_t>("st", 2 * std::size_t{x.vertexCount},
                                [&x](std::size_t i) { return rawSt(x, i / 2)[i % 2]; });
        }
        if (!x.tangents.empty()) bytes("tangents", x.tangents);
        if (!x.binormals.empty()) bytes("binormals", x.binormals);
        if (x.kind == MmatKind::Shadow) loaded<std::int32_t>("triangles", x.triangles);
    }

    void sections(const Mmat& x) {
        json_.objects("sections", x.sections, [&](const MmatSection& s) {
            json_.field("flags", s.flags);
            json_.field("type", s.type);
            json_.field("count", s.count);
            json_.field("scale", s.scale);
            bytes("data", s.data);
        });
    }
    void normals(const Mmat& x) {
        const std::size_t count = x.normals.size() / 4;
        array<std::int32_t>("normals", 3 * count, [&x](std::size_t i) { return rawNormal(x, i / 3)[i % 3]; });
        array<std::uint8_t>("stripFlags", count, [&x](std::size_t i) { return stripFlag(x, i); });
    }
    void skin(const Model& m, const Mmat& x) {
        array<std::int32_t>("positions", 3 * std::size_t{x.offsetNum},
                            [&](std::size_t i) { return skinEntry(m, x, i / 3).position[i % 3]; });
        array<std::uint32_t>("weights", x.offsetNum, [&](std::size_t i) { return skinEntry(m, x, i).weight; });
        array<std::uint32_t>("slots", x.offsetNum, [&](std::size_t i) { return skinEntry(m, x, i).slot; });
        array<std::uint8_t>("last", x.offsetNum,
                            [&](std::size_t i) { return static_cast<std::uint8_t>(skinEntry(m, x, i).last ? 1 : 0); });
    }

    // ---- animation and frames

    void write(const Anime& a) {
        object("object", a.object);
        json_.field("frames", a.frames);
        json_.key("records");
        json_.beginArray();
        for (const Chunk& r : a.records) record(r);
        json_.endArray();
    }

    void record(const Chunk& r) {
        json_.beginObject();
        json_.field("kind", kindName(r.kind, Section::Frames));
        json_.field("number", hex(r.kind));
        json_.field("tag", r.tag);
        json_.field("size", r.size);
        if (!recordFields(r)) bytes("bytes", r.payload);
        json_.endObject();
    }

    bool recordFields(const Chunk& r) {
        if (r.kind == kind::kTop && r.payload.size() == 4) {
            json_.field("frame", load<std::int32_t>(r.payload, 0));
            return true;
        }
        if (r.kind == kind::kFObj) {
            const auto f = readFObj(r);
            if (!f) return false;
            object("object", f->object);
            json_.field("flags", load<std::uint32_t>(r.payload, 4));
            vector("position", f->transform.position);
            vector("rotation", f->transform.rotation);
            vector("scale", f->transform.scale);
            json_.field("transparency", f->transparency);
            json_.field("dispSW", load<std::uint32_t>(r.payload, 48));
            return true;
        }
        return small(r, Section::Frames);
    }

    void track(std::string_view name, const Track& t, bool colour) {
        json_.key(name);
        json_.beginObject();
        if (t.form != Track::Form::Constant)
            array<std::uint32_t>("frames", t.count, [&t](std::size_t i) { return t.frame(i); });
        if (colour) {
            array<std::uint8_t>("values", std::size_t{4} * t.count,
                                [&t](std::size_t i) { return t.byte(i / 4, i % 4); });
        } else {
            array<float>("values", std::size_t{t.count} * t.width,
                         [&t](std::size_t i) { return t.value(i / t.width, i % t.width); });
        }
        json_.endObject();
    }

    struct Positions {
        std::size_t obj = 0, obj2 = 0, ext = 0, clump = 0, material = 0, texture = 0, clut = 0, model = 0, hit = 0,
                    box = 0, dummy = 0, camera = 0, light = 0, morpher = 0, anime = 0;
    };

    const Document& document_;
    JsonWriter json_;
    Positions at_;
};

}  // namespace

void toJson(const Document& document, Sink& out) {
    Dumper(document, out).run();
}

}  // namespace geomconv::ccsf
