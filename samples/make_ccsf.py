#!/usr/bin/env python3
"""Makes the CCSF samples: village.ccs (a small textured scene, plain), village.cmp (the same, gzipped) and scenes.bin (an archive
with it and an empty scene).

    python3 samples/make_ccsf.py [FOLDER]

Everything in them is computed here. The layout is that of formats/ccsf/FORMAT.md, version 0x100: ground, house, signboard with
lettering, a tree with cut-out leaves, a translucent pond, a windmill with a clump and an animation, a shadow volume, a collision
mesh and a dummy point.
"""

import math
import os
import struct
import sys
import zlib

VERSION = 0x100
SCALE = 512.0  # one stored unit is an eighth


class Writer:
    def __init__(self):
        self.objects = [("", 0)]
        self.chunks = b""

    def object(self, name):
        self.objects.append((name, 1))
        return len(self.objects) - 1

    def chunk(self, kind, payload, lie=0, tag=0xCCCC):
        payload += b"\0" * (-len(payload) % 4)
        self.chunks += struct.pack("<HHI", kind, tag, len(payload) // 4 + lie) + payload

    def file(self, scene):
        index = struct.pack("<II", 2, len(self.objects)) + b"\0" * 32 + b" made\\village".ljust(32, b"\0")
        for name, path in self.objects:
            index += name.encode("cp932").ljust(30, b"\0") + struct.pack("<H", path)
        out = struct.pack("<HHI", 1, 0xCCCC, 13) + b"CCSF" + scene.encode().ljust(32, b"\0")
        out += struct.pack("<HHIII", VERSION, 0, 1, 1, 0)
        out += struct.pack("<HHI", 2, 0xCCCC, len(index) // 4) + index
        out += struct.pack("<HHI", 3, 0, 0) + self.chunks
        return out + struct.pack("<HHII", 5, 0xCCCC, 1, 1) + struct.pack("<HHIi", 0xFF01, 0xCCCC, 1, -1)


def clut(w, obj, colours):
    w.chunk(0x0400, struct.pack("<II4BHHI", obj, 0, 1, 0, 0, 0, 0, 0, len(colours)) + b"".join(bytes(c) for c in colours))


def texture(w, name, rows, colours, flag=1):
    """rows: top row first, palette indices; stored bottom row first, as the games have them."""
    c, t, m = w.object("CLT_" + name), w.object("TEX_" + name), w.object("MAT_" + name)
    four = len(colours) <= 16
    colours = colours + [(0, 0, 0, 0x80)] * ((16 if four else 256) - len(colours))
    clut(w, c, colours)
    flat = [i for row in reversed(rows) for i in row]
    if four:
        pixels = bytes(flat[i] | flat[i + 1] << 4 for i in range(0, len(flat), 2))
    else:
        pixels = bytes(flat)
    tw, th = len(rows[0]).bit_length() - 1, len(rows).bit_length() - 1
    head = struct.pack("<III6BH", t, c, 0, flag, 0x14 if four else 0x13, 0, 0x70, tw, th, 0)
    w.chunk(0x0300, head + struct.pack("<HHI", 0, 0, len(pixels) // 4) + pixels, lie=50)
    return t, m


def material(w, tm, transparency=1.0):
    w.chunk(0x0200, struct.pack("<IIfhh", tm[1], tm[0], transparency, 0, 0))
    return tm[1]


def normal(a, b, c):
    u, v = [b[k] - a[k] for k in range(3)], [c[k] - a[k] for k in range(3)]
    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    length = math.sqrt(sum(x * x for x in n))
    return [x / length for x in n]


class Mmat:
    """Quads as strips of two triangles: a, b, c, d counter-clockwise is stored b, a, c, d (generation 1)."""

    def __init__(self):
        self.vertices = []

    def quad(self, corners, repeats=(1, 1), colour=(128, 128, 128, 128)):
        n = normal(*corners[:3])
        st = [(0, 0), (repeats[0], 0), (repeats[0], repeats[1]), (0, repeats[1])]
        for k, flag in ((1, 1), (0, 1), (2, 0), (3, 0)):
            self.vertices.append((corners[k], n, flag, colour, st[k]))

    def arrays(self, colours):
        unit = SCALE / 4096
        pos = b"".join(struct.pack("<3h", *(round(x / unit) for x in v[0])) for v in self.vertices)
        pos += b"\0" * (-len(pos) % 4)
        nrm = b"".join(struct.pack("<3bB", *(round(x * 64) for x in v[1]), v[2]) for v in self.vertices)
        col = b"".join(bytes(v[3]) for v in self.vertices) if colours else b""
        st = b"".join(struct.pack("<2H", *(round(x * 256) for x in v[4])) for v in self.vertices)
        return pos + nrm + col + st


def model_head(obj, mtype, mmats, flag=0):
    return struct.pack("<IfHHHhB3B", obj, SCALE, mtype, mmats, flag, 0, 0x70, 0xCD, 0xCD, 0xCD)


def rigid(w, name, parts, mtype, parent=0, shadow=0):
    """A node with a rigid model; parts: (material, Mmat)."""
    o, m = w.object("OBJ_" + name), w.object("MDL_" + name)
    out = model_head(m, mtype, len(parts))
    for k, (mat, mmat) in enumerate(parts):
        entry = w.object(f"MDL_{name}_{k}")
        out += struct.pack("<III", entry, mat, len(mmat.vertices)) + mmat.arrays(True)
    w.chunk(0x0800, out)
    w.chunk(0x0100, struct.pack("<4I", o, parent, m, shadow))
    return o


def empty(w, name, parent=0):
    o = w.object("OBJ_" + name)
    w.chunk(0x0100, struct.pack("<4I", o, parent, 0, 0))
    return o


LETTERS = {
    "G": ("01110", "10001", "10000", "10111", "10001", "10001", "01110"),
    "E": ("11111", "10000", "10000", "11110", "10000", "10000", "11111"),
    "O": ("01110", "10001", "10001", "10001", "10001", "10001", "01110"),
    "C": ("01110", "10001", "10000", "10000", "10000", "10001", "01110"),
    "M": ("10001", "11011", "10101", "10101", "10001", "10001", "10001"),
    "N": ("10001", "11001", "10101", "10101", "10011", "10001", "10001"),
    "V": ("10001", "10001", "10001", "10001", "10001", "01010", "00100"),
}


def lettering(text, width=64, height=16):
    rows = [[1 if y in (0, height - 1) or x in (0, width - 1) else 0 for x in range(width)] for y in range(height)]
    start = (width - 7 * len(text)) // 2
    for i, letter in enumerate(text):
        for y, line in enumerate(LETTERS[letter]):
            for x, bit in enumerate(line):
                if bit == "1":
                    rows[y + 4][start + 7 * i + x] = 2
    return rows


def noise(x, y):
    v = (x * 374761393 + y * 668265263) & 0xFFFFFFFF
    v = ((v ^ (v >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((v ^ (v >> 16)) & 0xFF) / 255


def village():
    w = Writer()
    grass = [(60 + i // 4, 110 + i // 3, 40 + i // 8, 0x80) for i in range(0, 256, 2)]
    grass += [(150 + i // 4, 125 + i // 5, 85 + i // 8, 0x80) for i in range(0, 256, 2)]
    ground_rows = [[int(noise(x, y) * 127) + (128 if abs(x - 32 - 6 * math.sin(y / 64 * 2 * math.pi)) < 6 else 0)
                    for x in range(64)] for y in range(64)]
    t_ground = texture(w, "ground", ground_rows, grass)
    brick = [(120, 118, 112, 0x80)] + [(150 + 6 * i, 70 + 3 * i, 50 + 2 * i, 0x80) for i in range(8)]
    brick_rows = [[0 if y % 8 == 0 or (x + (8 if y // 8 % 2 else 0)) % 16 == 0 else 1 + int(noise(x // 4, y // 2) * 7)
                   for x in range(32)] for y in range(32)]
    t_brick = texture(w, "brick", brick_rows, brick)
    roof = [(90, 40, 40, 0x80), (120, 50, 45, 0x80), (140, 60, 50, 0x80)]
    t_roof = texture(w, "roof", [[0 if y % 4 == 3 else 1 + (x // 4 + y // 4) % 2 for x in range(16)] for y in range(16)], roof)
    t_sign = texture(w, "sign", lettering("GEOMCONV"), [(225, 205, 160, 0x80), (90, 60, 30, 0x80), (30, 30, 60, 0x80)], flag=0x11)
    leaf = [(0, 0, 0, 0)] + [(40, 90 + 15 * i, 40, 0x80) for i in range(6)] + [(100, 70, 40, 0x80)]
    tree_rows = []
    for y in range(32):
        row = []
        for x in range(32):
            r = math.hypot(x - 15.5, (y - 11.5) * 1.2) + 3 * noise(x, y)
            row.append(7 if abs(x - 15.5) < 2 and y > 20 else 1 + int(noise(y, x) * 5) if r < 14 else 0)
        tree_rows.append(row)
    t_tree = texture(w, "tree", tree_rows, leaf, flag=0x11)
    water = [(40 + 4 * i, 90 + 5 * i, 160 + 5 * i, 0x80) for i in range(16)]
    t_water = texture(w, "water", [[int(8 + 7 * math.sin((x + 3 * math.sin(y / 3)) / 2.5)) for x in range(16)] for y in range(16)],
                      water, flag=9)
    m_ground, m_brick, m_roof = material(w, t_ground), material(w, t_brick), material(w, t_roof)
    m_sign, m_tree, m_water = material(w, t_sign), material(w, t_tree), material(w, t_water, 0.6)

    ground = Mmat()
    for i in range(4):
        for j in range(4):
            x, y = -800 + 400 * i, -800 + 400 * j
            ground.quad([(x, y, 0), (x + 400, y, 0), (x + 400, y + 400, 0), (x, y + 400, 0)], (1, 1))
    rigid(w, "ground", [(m_ground, ground)], 1)

    def house_parts():
        walls, top = Mmat(), Mmat()
        x0, x1, y0, y1, h = -220, 180, 150, 500, 250
        walls.quad([(x0, y0, 0), (x1, y0, 0), (x1, y0, h), (x0, y0, h)], (4, 2))
        walls.quad([(x1, y0, 0), (x1, y1, 0), (x1, y1, h), (x1, y0, h)], (4, 2))
        walls.quad([(x1, y1, 0), (x0, y1, 0), (x0, y1, h), (x1, y1, h)], (4, 2))
        walls.quad([(x0, y1, 0), (x0, y0, 0), (x0, y0, h), (x0, y1, h)], (4, 2))
        mid, ridge = (y0 + y1) / 2, h + 180
        top.quad([(x0 - 30, y0 - 40, h - 20), (x1 + 30, y0 - 40, h - 20), (x1 + 30, mid, ridge), (x0 - 30, mid, ridge)], (6, 4))
        top.quad([(x1 + 30, y1 + 40, h - 20), (x0 - 30, y1 + 40, h - 20), (x0 - 30, mid, ridge), (x1 + 30, mid, ridge)], (6, 4))
        return [(m_brick, walls), (m_roof, top)]

    volume = w.object("MDL_house_shd")
    corners = [(x, y, z) for z in (0, 250) for x, y in ((-220, 150), (180, 150), (180, 500), (-220, 500))]
    faces = [(0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7)]
    for a in range(4):
        b = (a + 1) % 4
        faces += [(a, b, b + 4), (a, b + 4, a + 4)]
    body = struct.pack("<ii", 8, 3 * len(faces))
    body += b"".join(struct.pack("<3h", *(int(c * 4096 / SCALE) for c in p)) for p in corners)
    w.chunk(0x0800, model_head(volume, 8, 1) + body + b"".join(struct.pack("<3i", *f) for f in faces))
    rigid(w, "house", house_parts(), 1, shadow=volume)

    sign = Mmat()
    sign.quad([(-120, -160, 90), (120, -160, 90), (120, -160, 150), (-120, -160, 150)])
    posts = Mmat()
    for x in (-100, 90):
        posts.quad([(x, -158, 0), (x + 10, -158, 0), (x + 10, -158, 90), (x, -158, 90)], (0.25, 1))
    rigid(w, "sign", [(m_sign, sign), (m_roof, posts)], 0)

    tree = Mmat()
    for dx, dy in ((130, 0), (0, 130)):
        tree.quad([(450 - dx, 50 - dy, 0), (450 + dx, 50 + dy, 0), (450 + dx, 50 + dy, 380), (450 - dx, 50 - dy, 380)],
                  colour=(120, 128, 120, 128))
    rigid(w, "tree", [(m_tree, tree)], 0)

    pond = Mmat()
    pond.quad([(150, -650, 6), (650, -650, 6), (650, -250, 6), (150, -250, 6)], (4, 3), (128, 128, 128, 100))
    rigid(w, "pond", [(m_water, pond)], 0)

    # The windmill: a clump of two nodes; the model's parts follow them.
    base, wheel = empty(w, "mill"), None
    wheel = empty(w, "millwheel", base)
    tower, blades = Mmat(), Mmat()
    for a in range(6):
        p, q = math.radians(60 * a), math.radians(60 * a + 60)
        lower = [(90 * math.cos(p), 90 * math.sin(p), 0), (90 * math.cos(q), 90 * math.sin(q), 0)]
        upper = [(60 * math.cos(q), 60 * math.sin(q), 330), (60 * math.cos(p), 60 * math.sin(p), 330)]
        tower.quad(lower + upper, (1, 4))
    for a in range(4):
        c, s = math.cos(math.radians(90 * a)), math.sin(math.radians(90 * a))
        flat = [(0, -12), (180, -40), (180, 40), (0, 12)]
        blades.quad([(x * c - z * s, 0, x * s + z * c) for x, z in flat], (3, 1))
    body_object, body_model = w.object("OBJ_millbody"), w.object("MDL_millbody")
    out = model_head(body_model, 5, 2)
    for slot, (mat, mmat) in enumerate(((m_brick, tower), (m_roof, blades))):
        out += struct.pack("<III", mat, len(mmat.vertices), 0) + struct.pack("<I", slot) + mmat.arrays(False)
    w.chunk(0x0800, out, lie=30)
    w.chunk(0x0100, struct.pack("<4I", body_object, base, body_model, 0))
    clump = w.object("CMP_mill")
    w.chunk(0x0900, struct.pack("<IHH3I", clump, 3, 0, base, wheel, body_object))

    anime = w.object("ANM_millnut")
    records = struct.pack("<HHIi", 0xFF01, 0xCCCC, 1, 0)

    def controller(obj, position, keys):
        flags = 1 | (2 if keys else 1) << 3
        body = struct.pack("<II3f", obj, flags, *position)
        if keys:
            body += struct.pack("<I", len(keys)) + b"".join(struct.pack("<I3f", f, *r) for f, r in keys)
        else:
            body += struct.pack("<3f", 0, 0, 0)
        return struct.pack("<HHI", 0x0102, 0xCCCC, len(body) // 4) + body

    records += controller(base, (-520, 260, 0), None)
    records += controller(wheel, (0, -75, 300), [(f, (0, 3 * f, 0)) for f in (0, 40, 80, 120)])
    for frame in range(1, 120):
        records += struct.pack("<HHIi", 0xFF01, 0xCCCC, 1, frame)
    records += struct.pack("<HHIi", 0xFF01, 0xCCCC, 1, -2)
    w.chunk(0x0700, struct.pack("<III", anime, 120, len(records) // 4) + records)

    hit = w.object("HIT_ground")
    floor = [(-800, -800, 0), (800, -800, 0), (800, 800, 0), (-800, -800, 0), (800, 800, 0), (-800, 800, 0)]
    w.chunk(0x0B00, struct.pack("<IIHHIII", hit, 0, 1, 0, 6, 6, 1) + b"".join(struct.pack("<3f", *p) for p in floor)
            + struct.pack("<3f", 0, 0, 1) * 6)
    dummy = w.object("DMY_start")
    w.chunk(0x1400, struct.pack("<I6f", dummy, 0, -500, 0, 0, 0, 90))
    return w.file("village")


def gzipped(content, name):
    z = zlib.compressobj(9, zlib.DEFLATED, -15)
    head = b"\x1f\x8b\x08\x08" + b"\0" * 5 + b"\x03" + name.encode() + b"\0"
    return head + z.compress(content) + z.flush() + struct.pack("<II", zlib.crc32(content), len(content))


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    scene = village()
    members = [gzipped(scene, "village.cmp"), gzipped(Writer().file("empty"), "empty.cmp")]
    archive = b"".join(m + b"\0" * (-len(m) % 2048) for m in members)
    for name, data in (("village.ccs", scene), ("village.cmp", members[0]), ("scenes.bin", archive)):
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)


main()
