// Model 0x0800: header, then per mmat its words and its body. The end is where the last body ends.

#include "formats/ccsf/model.hpp"

#include <cmath>

#include "formats/ccsf/records.hpp"

namespace geomconv::ccsf {

namespace {

void alignFour(ByteReader& in) {
    in.skip((4 - in.offset() % 4) % 4, "padding");
}

Bytes array(ByteReader& in, std::uint64_t count, std::uint64_t stride, std::string_view field) {
    in.checkCount(count, stride, field, in.offset());
    return in.bytes(count * stride, field);
}

void readHeaderWords(ByteReader& in, Reading& reading, const Model& model, Mmat& mmat) {
    if ((model.mtype & 2) != 0) {
        mmat.name = reading.object(in, "mmat name");
        mmat.material = reading.object(in, "material");
        mmat.vertexNum = in.u32("vertexNum");
        mmat.boneNum = in.u32("boneNum");
        mmat.offsetNum = in.u32("offsetNum");
    } else if ((model.mtype & 4) != 0) {
        mmat.material = reading.object(in, "material");
        mmat.vertexNum = in.u32("vertexNum");
        mmat.offsetNum = in.u32("offsetNum");
    } else if ((model.mtype & 8) == 0) {
        mmat.name = reading.object(in, "mmat name");
        mmat.material = reading.object(in, "material");
        mmat.vertexNum = in.u32("vertexNum");
    }
}

void readTangents(ByteReader& in, const Model& model, std::uint64_t count, Mmat& mmat) {
    if (model.tangentFlag == 0) return;
    mmat.tangents = array(in, count, 4, "tangents");
    mmat.binormals = array(in, count, 4, "binormals");
}

void readRigid(ByteReader& in, const Model& model, Mmat& mmat) {
    const std::uint64_t n = mmat.vertexNum;
    mmat.kind = MmatKind::Rigid;
    mmat.vertexCount = mmat.vertexNum;
    mmat.positions = array(in, n, 6, "positions");
    alignFour(in);
    if ((model.mtype & 0x40) == 0) mmat.normals = array(in, n, 4, "normals");
    if ((model.mtype & 0x200) == 0) mmat.colours = array(in, n, 4, "colours");
    if ((model.mtype & 0x400) == 0) mmat.st = array(in, n, mmat.wideSt ? 8 : 4, "st");
    readTangents(in, model, n, mmat);
}

void readBone(ByteReader& in, const Model& model, Mmat& mmat) {
    const std::uint64_t n = mmat.vertexNum;
    mmat.kind = MmatKind::Bone;
    mmat.vertexCount = mmat.vertexNum;
    mmat.node = in.u32("node");
    mmat.positions = array(in, n, 6, "positions");
    alignFour(in);
    mmat.normals = array(in, n, 4, "normals");
    mmat.st = array(in, n, mmat.wideSt ? 8 : 4, "st");
    readTangents(in, model, n, mmat);
}

void readSkin(ByteReader& in, Reading& reading, const Model& model, Mmat& mmat) {
    mmat.kind = MmatKind::Skin;
    mmat.entries = array(in, mmat.offsetNum, model.wideEntries ? 12 : 8, "skin entries");
    mmat.normals = array(in, mmat.offsetNum, 4, "normals");
    bool open = false;
    for (std::uint32_t i = 0; i < mmat.offsetNum; ++i) {
        open = !skinEntry(model, mmat, i).last;
        mmat.vertexCount += open ? 0 : 1;
    }
    if (open) reading.warn(in, "skin-entries", "entries behind the last vertex belong to none");
    if (mmat.vertexCount != mmat.vertexNum) {
        reading.warn(in, "skin-entries",
                     std::to_string(mmat.vertexCount) + " entries are a vertex's last, vertexNum is " +
                         std::to_string(mmat.vertexNum));
    }
    mmat.st = array(in, mmat.vertexCount, mmat.wideSt ? 8 : 4, "st");
    readTangents(in, model, mmat.offsetNum, mmat);
}

void readShadowBody(ByteReader& in, Reading& reading, Mmat& mmat) {
    mmat.kind = MmatKind::Shadow;
    const std::uint64_t at = in.offset();
    const std::int32_t vertices = in.s32("vNum");
    const std::int32_t indices = in.s32("iNum");
    if (vertices < 0 || (vertices > 0 && indices < 0)) {
        in.failAt("truncated", at,
                  "counts " + std::to_string(vertices) + " and " + std::to_string(indices) + " are below 0");
    }
    mmat.vertexCount = static_cast<std::uint32_t>(vertices);
    if (vertices == 0) return;
    mmat.positions = array(in, mmat.vertexCount, 6, "positions");
    alignFour(in);
    mmat.triangles = array(in, static_cast<std::uint64_t>(indices / 3), 12, "triangles");
    if (indices % 3 != 0)
        reading.warn(in, "shadow-indices", at, "iNum " + std::to_string(indices) + " is no multiple of 3");
}

/// Bytes per element of a section; 0 for a type that is not known.
std::uint64_t sectionStride(std::uint8_t type, bool wide) {
    switch (type) {
        case 0:
            return 3;  // normals, s8[3]
        case 1:
            return 4;  // st, s16[2]
        case 7:
            return 1;  // strip flags
        case 8:
            return 2;  // indices
        case 32:
            return wide ? 12 : 8;  // entries
        case 33:
            return 4;  // clump
        default:
            return 0;
    }
}

void readSections(ByteReader& in, Reading& reading, const Model& model, Mmat& mmat) {
    mmat.kind = MmatKind::Sections;
    mmat.material = reading.object(in, "material");
    const std::uint32_t count = in.count32(12, "section count");
    for (std::uint32_t i = 0; i < count; ++i) {
        MmatSection section;
        section.flags = in.u8("section flags");
        section.type = in.u8("section type");
        in.skip(2, "padding");
        section.count = in.u32("section element count");
        section.scale = in.f32("section scale");
        const std::uint64_t stride = sectionStride(section.type, model.wideEntries);
        if (stride == 0) in.fail("unsupported-mtype", "section type " + std::to_string(section.type) + " is not known");
        section.data = array(in, section.count, stride, "section");
        alignFour(in);
        mmat.sections.push_back(section);
    }
}

/// The smallest that an mmat of this type can be, so that the count is checked before anything is allocated.
std::uint64_t smallestMmat(const Model& model) {
    return model.shadow() ? 8 : 12;
}

}  // namespace

double Model::unit() const noexcept {
    const double scale = std::isfinite(vertexScale) ? static_cast<double>(vertexScale) : 1.0;
    return scale / 4096.0;
}

std::string_view mmatKindName(MmatKind kind) {
    switch (kind) {
        case MmatKind::Rigid:
            return "rigid";
        case MmatKind::Bone:
            return "bone";
        case MmatKind::Skin:
            return "skin";
        case MmatKind::Shadow:
            return "shadow";
        case MmatKind::Sections:
            return "sections";
    }
    return "";
}

Model readModel(ByteReader& in, Reading& reading, ModelLayout layout) {
    const std::uint16_t version = reading.document.version();
    Model model;
    model.chunk = reading.chunk;
    model.object = reading.object(in, "model");
    model.vertexScale = in.f32("vertexScale");
    if (!std::isfinite(model.vertexScale)) {
        reading.warn(in, "nonfinite", in.offset() - 4, "vertexScale is no finite number; taken as 1");
    }
    model.storedType = in.u16("mtype");
    model.mtype = version < 0x100 ? static_cast<std::uint16_t>(model.storedType & 0xff) : model.storedType;
    const std::uint64_t countAt = in.offset();
    const std::uint16_t mmats = in.u16("mmatNum");
    model.flag = in.u16("flag");
    model.zoffs = in.s16("zoffs");
    model.unknown10 = in.u8("byte 24");
    model.extraFlags = in.u8("byte 25");
    const std::uint16_t lastWord = in.u16("bytes 26 and 27");
    if (version > kLastGeneration1) {
        model.tangentFlag = lastWord;
        model.outlineColour = in.u32("outlineColour");
        model.outlineWidth = in.f32("outlineWidth");
        if (version > 0x111 && model.deformable() && !model.lit() && model.unknown10 > 0) {
            model.hasLookup = true;
            model.lookup = in.bytes(model.unknown10, "bone lookup");
            alignFour(in);
        }
    }
    if (mmats > 0 && (model.mtype & 6) == 2 && !layout.sections) {
        in.failAt("unsupported-mtype", countAt - 2,
                  "unsupported mtype " + hex(model.mtype) + "; the model is left out");
    }
    in.checkCount(mmats, layout.sections ? 8 : smallestMmat(model), "mmatNum", countAt);
    model.wideEntries = version >= kFirstGeneration3;
    model.mmats.reserve(mmats);
    for (std::uint16_t i = 0; i < mmats; ++i) {
        Mmat& mmat = model.mmats.emplace_back();
        ByteReader body = in.within("mmat", std::to_string(i), in.position(), in.left());
        if (!layout.sections) readHeaderWords(body, reading, model, mmat);
        mmat.wideSt = version >= kFirstGeneration3;
        if (layout.sections) {
            readSections(body, reading, model, mmat);
        } else if (model.deformable() && mmat.offsetNum > 0) {
            readSkin(body, reading, model, mmat);
        } else if (model.deformable()) {
            mmat.wideSt = mmat.wideSt && layout.wideBoneSt;
            readBone(body, model, mmat);
        } else if (model.shadow()) {
            readShadowBody(body, reading, mmat);
        } else {
            readRigid(body, model, mmat);
        }
        in.skip(body.position(), "mmat");  // a failure inside leaves `in` at the mmat's start
    }
    return model;
}

}  // namespace geomconv::ccsf
