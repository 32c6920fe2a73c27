#!/usr/bin/env python3
"""Converts every sample, vector and real file to OBJ, GLB, glTF and JSON and judges the outputs by independent readers.

    compare_outputs.py GEOMCONV PROJECT

- the same triangles in OBJ (native axes), GLB (turned back), JSON, by ../shared/tools/mesh_io.py where it exists
- no error and no warning from the Khronos glTF validator, where scripts/gltf-validator is installed
- two runs give the same bytes

Prints how many files were judged by what; exits 1 on the first kind of disagreement, with all its files.
"""
import json
import os
import subprocess
import sys
import tempfile

GAME = (".sur", ".cmp", ".3db", ".ccs", ".tmp", ".wad", ".bin", ".obj", ".glb", ".gltf")


def inputs(project):
    shared = os.environ.get("GEOMCONV_SHARED", os.path.join(project, "..", "shared"))
    roots = [os.path.join(project, "samples"), os.path.join(project, "tests", "vectors"),
             os.path.join(shared, "vectors"), os.path.join(shared, "corpus")]
    for root in roots:
        for folder, _, names in sorted(os.walk(root)):
            for name in sorted(names):
                if name.lower().endswith(GAME):
                    yield os.path.join(folder, name)


def second_reader(project):
    shared = os.environ.get("GEOMCONV_SHARED", os.path.join(project, "..", "shared"))
    tools = os.path.join(shared, "tools")
    if not os.path.exists(os.path.join(tools, "mesh_io.py")):
        return None
    sys.dont_write_bytecode = True
    sys.path.insert(0, tools)
    import mesh_io
    return mesh_io


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def matrix_of(node):
    if "matrix" in node:
        m = node["matrix"]
        return [[m[c * 4 + r] for c in range(4)] for r in range(4)]
    x, y, z, w = node.get("rotation", [0, 0, 0, 1])
    s = node.get("scale", [1, 1, 1])
    t = node.get("translation", [0, 0, 0])
    r = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
         [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
         [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [[r[i][j] * s[j] for j in range(3)] + [t[i]] for i in range(3)] + [[0, 0, 0, 1]]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def moved(m, p):
    return tuple(m[i][0] * p[0] + m[i][1] * p[1] + m[i][2] * p[2] + m[i][3] for i in range(3))


def determinant(m):
    return (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]))


def json_triangles(path):
    """World triangles of a scene JSON; skinned primitives are counted apart, as their place is the skin's."""
    scene = json.load(open(path, encoding="utf-8"))
    nodes = scene.get("nodes", [])
    world = {}

    def place(i):
        if i not in world:
            own = matrix_of(nodes[i])
            parent = nodes[i].get("parent")
            world[i] = own if parent is None else product(place(parent), own)
        return world[i]

    out = []
    for i, node in enumerate(nodes):
        m = place(i)
        turned = determinant(m) < 0
        pieces = []
        if "mesh" in node and node["mesh"] is not None:
            for p in scene["meshes"][node["mesh"]]["primitives"]:
                if p.get("topology", "triangles") == "triangles":
                    pieces.append((p["positions"], p.get("indices", [])))
        for h in node.get("hulls", []):
            pieces.append((scene["hulls"][h]["points"], scene["hulls"][h]["triangles"]))
        for flat, index in pieces:
            points = [moved(m, flat[k:k + 3]) for k in range(0, len(flat), 3)]
            for k in range(0, len(index) - 2, 3):
                t = [points[q] for q in index[k:k + 3]]
                out.append(tuple([t[0], t[2], t[1]] if turned else t))
    return out, scene.get("space", {}), bool(scene.get("skins"))


def key(triangles, digits):
    out = []
    for t in triangles:
        pts = [tuple(round(c, digits) + 0.0 for c in p) for p in t]
        k = pts.index(min(pts))
        out.append(tuple(pts[k:] + pts[:k]))
    return sorted(out)


def same(a, b, size):
    """Whether two lists of triangles are the same within what float32 transforms leave."""
    if len(a) != len(b):
        return "%d triangles against %d" % (len(a), len(b))
    tolerance = 2e-5 * max(size, 1e-3)
    centre = lambda t: tuple(sum(p[c] for p in t) / 3 for c in range(3))
    cell = 64 * tolerance
    grid = {}
    for t in b:
        c = centre(t)
        grid.setdefault(tuple(int(x // cell) for x in c), []).append([t, False])
    bad = 0
    for t in a:
        c = [int(x // cell) for x in centre(t)]
        hit = None
        for dx in (0, -1, 1):
            for dy in (0, -1, 1):
                for dz in (0, -1, 1):
                    for entry in grid.get((c[0] + dx, c[1] + dy, c[2] + dz), ()):
                        if entry[1] or hit:
                            continue
                        for s in range(3):
                            u = entry[0][s:] + entry[0][:s]
                            if all(abs(p[k] - q[k]) <= tolerance for p, q in zip(t, u) for k in range(3)):
                                hit = entry
                                break
        if hit:
            hit[1] = True
        else:
            bad += 1
    return "" if not bad else "%d of %d triangles have no partner" % (bad, len(a))


def size_of(triangles):
    return max((abs(c) for t in triangles for p in t for c in p), default=0.0)


def validator_report(project, files):
    """Errors and warnings per file, from Khronos' own validator; None where it is not installed."""
    folder = os.path.join(project, "scripts", "gltf-validator")
    if not os.path.isdir(os.path.join(folder, "node_modules", "gltf-validator")):
        return None
    rows = []
    for k in range(0, len(files), 200):
        p = subprocess.run(["node", os.path.join(folder, "validate.js"), *files[k:k + 200]], capture_output=True, text=True)
        if p.returncode:
            return {"": p.stderr[:500]}
        rows += [json.loads(line) for line in p.stdout.splitlines()]
    return {r["file"]: "%d errors, %d warnings: %s" % (r["errors"], r["warnings"], [i["code"] for i in r["issues"][:3]])
            for r in rows if r["errors"] or r["warnings"]}


def main():
    geomconv, project = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    reader = second_reader(project)
    faults, converted, compared, glbs = [], 0, 0, []
    with tempfile.TemporaryDirectory() as tmp:
        for number, path in enumerate(inputs(project)):
            stem = os.path.join(tmp, "%04d" % number)
            # Copies of fixed children's hulls are dropped for meshes and kept for JSON, unless asked.
            options = ["--content", "all"] + (["--duplicates", "keep"] if path.endswith(".sur") else [])
            first = run(geomconv, "convert", path, "-o", stem + ".glb", *options)
            if first.returncode != 0:
                if first.returncode != 1 or os.path.exists(stem + ".glb"):
                    faults.append("%s: exit %d: %s" % (path, first.returncode, first.stderr.strip()[:200]))
                continue
            converted += 1
            glbs.append(stem + ".glb")
            for extension in (".obj", ".json", ".gltf"):
                p = run(geomconv, "convert", path, "-o", stem + extension, *options)
                if p.returncode != 0:
                    faults.append("%s: %s: exit %d: %s" % (path, extension, p.returncode, p.stderr.strip()[:200]))
            glbs.append(stem + ".gltf")
            run(geomconv, "convert", path, "-o", stem + "b.glb", *options)
            if open(stem + ".glb", "rb").read() != open(stem + "b.glb", "rb").read():
                faults.append("%s: two runs gave different bytes" % path)
            if reader is None or os.path.getsize(stem + ".glb") > 3000000:
                continue
            from_json, space, skinned = json_triangles(stem + ".json")
            size = size_of(from_json)
            # A skinned mesh is posed in OBJ and left to its skin elsewhere. Contents that an OBJ parts lie beside it.
            if not skinned:
                objs = sorted(x for x in os.listdir(tmp) if x.startswith("%04d" % number) and x.endswith(".obj"))
                from_obj = [tuple(o.positions[i] for i in t)
                            for x in objs for o in reader.obj(os.path.join(tmp, x)) for t in o.triangles]
                said = same(from_obj, from_json, size)
                if said:
                    faults.append("%s: OBJ against JSON: %s" % (path, said))
            # glTF is y-up and right-handed: turn it back to the file's own axes.
            back = {("y", "right"): lambda p: p, ("z", "right"): lambda p: (p[0], -p[2], p[1]),
                    ("y", "left"): lambda p: (p[0], p[1], -p[2])}.get((space.get("up"), space.get("handedness")))
            if back and not skinned:
                turned = space.get("handedness") == "left"
                from_glb = []
                for o in reader.glb(stem + ".glb"):
                    for t in o.triangles:
                        pts = [back(o.positions[i]) for i in t]
                        from_glb.append(tuple([pts[0], pts[2], pts[1]] if turned else pts))
                said = same(from_glb, from_json, size)
                if said:
                    faults.append("%s: GLB against JSON: %s" % (path, said))
            compared += 1
        report = validator_report(project, glbs)
    for name, text in (report or {}).items():
        faults.append("gltf-validator: %s: %s" % (name, text))
    print("%d files converted to four formats; triangles compared by a second reader: %s; judged by gltf-validator: %s" %
          (converted, compared if reader else "not here", len(glbs) if report is not None else "not installed"))
    for fault in faults[:60]:
        print(fault)
    if len(faults) > 60:
        print("and %d more" % (len(faults) - 60))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
