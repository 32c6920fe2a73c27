#!/usr/bin/env python3
"""Takes what geomconv writes through Blender and back, by hand:

    blender_roundtrip.py GEOMCONV FILE...

Each FILE goes out as OBJ and as GLB, into Blender, out of Blender as OBJ and as GLB, and back into geomconv. The triangles
must be the same, at the same place and with the same winding. A .sur then is built anew from what came back (`hitbox`)
and takes it as edits (`import`): parts and hulls must have the ids that they had. Only a GLB that Blender writes as OBJ is
left out there: an OBJ has no tree, so the hulls no longer say whose they are. FILE_names.txt beside FILE.sur is its --names.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

# Run inside Blender: pairs of an input and the path of its outputs without their ending.
IN_BLENDER = """
import sys
import bpy
import numpy
numpy.bool = bool  # the glTF importer of 3.4 uses a name that numpy 1.24 took away
jobs = sys.argv[sys.argv.index("--") + 1:]
for source, target in zip(jobs[::2], jobs[1::2]):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if source.endswith(".obj"):
        bpy.ops.wm.obj_import(filepath=source)
    else:
        bpy.ops.import_scene.gltf(filepath=source)
    bpy.ops.wm.obj_export(filepath=target + ".obj", export_triangulated_mesh=True)
    bpy.ops.export_scene.gltf(filepath=target + ".glb", export_format="GLB")
"""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def blender(folder, jobs):
    script = os.path.join(folder, "in_blender.py")
    with open(script, "w", encoding="utf-8") as out:
        out.write(IN_BLENDER)
    # Debian's Blender takes its Python from /usr/bin; another one first on the PATH would break its add-ons.
    environment = dict(os.environ, PATH="/usr/bin:/bin")
    command = ["blender", "-b", "--factory-startup", "--python-exit-code", "1", "-P", script, "--", *jobs]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise RuntimeError("blender: " + (done.stdout + done.stderr)[-2000:])


def product(a, b):
    """a * b of 4 x 4 matrices, rows of columns as in a[row][column]."""
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def local_matrix(node):
    if "matrix" in node:
        m = node["matrix"]
        return [[m[4 * column + row] for column in range(4)] for row in range(4)]
    x, y, z, w = node.get("rotation", [0, 0, 0, 1])
    sx, sy, sz = node.get("scale", [1, 1, 1])
    tx, ty, tz = node.get("translation", [0, 0, 0])
    return [
        [(1 - 2 * (y * y + z * z)) * sx, 2 * (x * y - z * w) * sy, 2 * (x * z + y * w) * sz, tx],
        [2 * (x * y + z * w) * sx, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z - x * w) * sz, ty],
        [2 * (x * z - y * w) * sx, 2 * (y * z + x * w) * sy, (1 - 2 * (x * x + y * y)) * sz, tz],
        [0, 0, 0, 1],
    ]


def triangles_of(path):
    """All triangles of a scene JSON at their place in the world."""
    with open(path, encoding="utf-8") as text:
        scene = json.load(text)
    nodes = scene["nodes"]
    world = {}

    def place(i):
        if i not in world:
            parent = nodes[i].get("parent")
            own = local_matrix(nodes[i])
            world[i] = own if parent is None else product(place(parent), own)
        return world[i]

    out = []
    for i, node in enumerate(nodes):
        m = place(i)
        shapes = []
        if node.get("mesh") is not None:
            for p in scene["meshes"][node["mesh"]]["primitives"]:
                if p.get("topology", "triangles") == "triangles":
                    shapes.append((p["positions"], p.get("indices") or list(range(len(p["positions"]) // 3))))
        for h in node.get("hulls", []):
            shapes.append((scene["hulls"][h]["points"], scene["hulls"][h]["triangles"]))
        for flat, indices in shapes:
            points = []
            for k in range(0, len(flat), 3):
                v = (*flat[k : k + 3], 1)
                points.append(tuple(sum(m[r][c] * v[c] for c in range(4)) for r in range(3)))
            out += without_twins(tuple(points[j] for j in indices[k : k + 3]) for k in range(0, len(indices), 3))
    return out


def height(t):
    """The least extent of a triangle in its plane."""
    u = [t[1][k] - t[0][k] for k in range(3)]
    v = [t[2][k] - t[0][k] for k in range(3)]
    cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    longest = max(math.dist(t[a], t[b]) for a, b in ((0, 1), (1, 2), (2, 0)))
    return math.hypot(*cross) / longest if longest > 0 else 0.0


def without_twins(triangles):
    """Blender keeps one of several faces of an object over the same corners."""
    seen = {}
    for t in triangles:
        seen.setdefault(tuple(sorted(t)), t)
    return list(seen.values())


def close(a, b, tolerance):
    return all(abs(p[k] - q[k]) <= tolerance for p, q in zip(a, b) for k in range(3))


def missing(wanted, found, tolerance):
    """How many triangles of `wanted` have no partner in `found`: each partner serves once, winding counts. One thinner than
    the tolerance may be gone: six decimals of an OBJ leave nothing of it."""
    cell = 4 * tolerance
    cells = defaultdict(list)

    def cell_of(t):
        return [math.floor(sum(p[k] for p in t) / 3 / cell) for k in range(3)]

    for t in found:
        cells[tuple(cell_of(t))].append(t)
    lost = 0
    around = [(x, y, z) for x in (0, -1, 1) for y in (0, -1, 1) for z in (0, -1, 1)]
    for t in wanted:
        if height(t) <= tolerance:
            continue
        at = cell_of(t)
        turns = [t, t[1:] + t[:1], t[2:] + t[:2]]
        for step in around:
            there = cells.get(tuple(at[k] + step[k] for k in range(3)), [])
            partner = next((f for f in there if any(close(f, turn, tolerance) for turn in turns)), None)
            if partner is not None:
                there.remove(partner)
                break
        else:
            lost += 1
    return lost


def compare(label, before, after):
    reach = max((abs(x) for t in before for p in t for x in p), default=1.0)
    tolerance = 1e-5 * max(1.0, reach)
    lost = missing(before, after, tolerance)
    extra = missing(after, before, tolerance)
    print(f"  {label}: {len(before)} triangles, {lost} lost, {extra} new")
    return lost == 0 and extra == 0


def library_ids(geomconv, path):
    """Part ids, each with its hulls' ids."""
    document = json.loads(run(geomconv, "dump", path))
    return {
        part["id"]: Counter(h["id"] for h in part["surface"]["hulls"] if h.get("type") != 5)
        for part in document["parts"]
        if part.get("surface")
    }


def same_library(geomconv, label, base, made):
    wanted, got = library_ids(geomconv, base), library_ids(geomconv, made)
    print(f"  {label}: {'the same parts and hulls' if wanted == got else f'{wanted} became {got}'}")
    return wanted == got


def sur_options(path):
    if not path.endswith(".sur"):
        return []
    names = path[:-4] + "_names.txt"
    return ["--duplicates", "keep", *(["--names", names] if os.path.exists(names) else [])]


def main(geomconv, files):
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        jobs = []
        for n, path in enumerate(files):
            for ending in ("obj", "glb"):
                ours = os.path.join(folder, f"{n}.{ending}")
                run(geomconv, "-q", "convert", path, "-o", ours, *sur_options(path))
                jobs += [ours, os.path.join(folder, f"{n}_from_{ending}")]
        blender(folder, jobs)
        for n, path in enumerate(files):
            print(path)
            for ending in ("obj", "glb"):
                ours = os.path.join(folder, f"{n}.{ending}")
                run(geomconv, "-q", "convert", ours, "-o", ours + ".json")
                before = triangles_of(ours + ".json")
                for back in ("obj", "glb"):
                    theirs = os.path.join(folder, f"{n}_from_{ending}.{back}")
                    run(geomconv, "-q", "convert", theirs, "-o", theirs + ".json")
                    label = f"{ending} -> Blender -> {back}"
                    faults += not compare(label, before, triangles_of(theirs + ".json"))
                    if not path.endswith(".sur") or (ending, back) == ("glb", "obj"):
                        continue
                    built, patched = theirs + ".sur", theirs + ".patched.sur"
                    run(geomconv, "-q", "hitbox", theirs, "-o", built)
                    faults += not same_library(geomconv, label + " -> hitbox", path, built)
                    try:
                        said = run(geomconv, "import", path, theirs, "-o", patched).strip().splitlines()
                    except RuntimeError as refused:
                        print(f"  {label} -> import: {refused}")
                        faults += 1
                        continue
                    faults += not same_library(geomconv, label + " -> import", path, patched)
                    print("    " + said[-1].split("; ")[0].split(": ")[-1])
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
