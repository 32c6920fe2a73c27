#!/usr/bin/env python3
"""Takes Groove levels out and puts them back: the floors stay where they were.

    groove_outputs.py GEOMCONV PROJECT

Every level of tests/vectors/groove (and of ../shared/vectors/groove where it exists) goes out with its own collision and
comes back by `import`; `floortest` is asked at 2,800 places of all levels, before and after. A floor that differs by more
than 15 mm is counted; lvl_records, whose records are odd on purpose, is allowed some. Where ../shared exists level.obj and
collision.obj are compared with the sidecars, face by face in their order, and its import cases and its second reader
judge too.
"""
import glob
import json
import os
import random
import subprocess
import sys
import tempfile


class Obj:
    """objects: per name a list of faces, each (material, [(position, colour, uv)])."""

    def __init__(self, path):
        positions, uvs, self.objects, faces, material = [], [], {}, [], ""
        for line in open(path):
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "v":
                positions.append([float(x) for x in rest.split()])
            elif word == "vt":
                uvs.append([float(x) for x in rest.split()])
            elif word == "o":
                faces = self.objects.setdefault(rest, [])
            elif word == "usemtl":
                material = rest
            elif word == "f":
                corners = [(c.split("/") + ["", ""])[:2] for c in rest.split()]
                faces.append((material, [(positions[int(v) - 1], uvs[int(t) - 1] if t else None) for v, t in corners]))


def near(a, b, tolerance=3e-5):
    return len(a) == len(b) and all(abs(x - y) <= tolerance + 1e-5 * abs(y) for x, y in zip(a, b))


def render_faults(obj, sidecar):
    """What level.obj has otherwise than the sidecar: material, corners, uvs and colours of the faces it lists."""
    faults = []
    tiles = {int(name.split("_")[1]): faces for name, faces in obj.objects.items()}
    if sum(map(len, tiles.values())) != sidecar["stat"]["faces"]:
        faults.append("%d faces, %d expected" % (sum(map(len, tiles.values())), sidecar["stat"]["faces"]))
    for tile, face, tex, flags, xyz, uv, rgb in sidecar["render"]:
        bits = flags & 0xF7C7
        name = "tex%04d" % tex + ("_f%04x" % bits if bits else "")
        material, corners = tiles[tile][face]
        same = material == name and near([x for p, t in corners for x in p[:3]], xyz)
        same = same and near([x for p, t in corners for x in p[3:]], [min(b / 128, 1) for b in rgb])
        shown = [x for p, t in corners if t for x in (t[0], 1 - t[1])]
        if not same or not near(shown, uv or []):
            faults.append("face %d of tile %d is another" % (face, tile))
    return faults


def collision_faults(obj, sidecar):
    """Polygons of the sidecar that collision.obj does not have in their group, at any first corner."""
    faults, left = [], {}
    for name, faces in obj.objects.items():
        left[name] = [[x for p, t in corners for x in p[:3]] for material, corners in faces]
    count = sum(map(len, left.values()))
    if count != sidecar["stat"]["polys"] - sidecar["stat"]["undefined"]:
        faults.append("%d collision polygons, %d expected" % (count, sidecar["stat"]["polys"]))
    for tile, polygon, group, kind, material, corners, _ in sidecar["collision"]:
        if corners is None:
            continue
        bits = kind & ~5
        name = "mat%02d_grp%d" % (material, group) + ("_t%02x" % bits if bits else "")
        turns = [corners[k:] + corners[:k] for k in range(0, len(corners), 3)]
        found = next((f for f in left.get(name, []) if any(near(f, t) for t in turns)), None)
        if found is None:
            faults.append("polygon %d of tile %d is not in %s" % (polygon, tile, name))
        else:
            left[name].remove(found)
    return faults


def sidecar_faults(geomconv, level, folder):
    """The level's OBJ against its sidecar; a count of what was compared."""
    sidecar = json.load(open(level[:-4] + ".json"))
    out = os.path.join(folder, "all")
    run = subprocess.run([geomconv, "-q", "convert", level, "-o", out + "/level.obj", "--content", "render,collision"],
                         capture_output=True, text=True)
    if run.returncode:
        return [run.stderr.strip()[:200]], 0
    faults = render_faults(Obj(out + "/level.obj"), sidecar) + collision_faults(Obj(out + "/collision.obj"), sidecar)
    return faults, len(sidecar["render"]) + len(sidecar["collision"])


def floors(geomconv, level, points):
    run = subprocess.run([geomconv, "floortest", level, "--batch", points, "--json"], capture_output=True, text=True)
    return json.loads(run.stdout)["probes"]


def places(geomconv, level):
    """Width and depth of the level's grid."""
    run = subprocess.run([geomconv, "info", level, "--json"], capture_output=True, text=True)
    return json.loads(run.stdout)["files"][0]["map"]["grid"]


def main():
    geomconv, project = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    shared = os.environ.get("GEOMCONV_SHARED", os.path.join(project, "..", "shared"))
    vectors = os.path.join(shared, "vectors", "groove")
    levels = sorted(glob.glob(os.path.join(vectors, "lvl*.wad")) or
                    glob.glob(os.path.join(project, "tests", "vectors", "groove", "lvl*.wad")))
    faults, compared, differ, rows = [], 0, 0, 0
    random.seed(7)
    with tempfile.TemporaryDirectory() as tmp:
        for level in levels:
            name = os.path.basename(level)[:-4]
            folder = os.path.join(tmp, name)
            new = os.path.join(folder, "new.wad")
            if os.path.exists(level[:-4] + ".json"):
                wrong, count = sidecar_faults(geomconv, level, folder)
                faults += ["%s: %s" % (name, x) for x in wrong]
                rows += count
            steps = [["convert", level, "-o", folder + "/level.obj", "--content", "render,collision", "--clip-cells"],
                     ["import", level, folder + "/level.obj", "--coll-obj", folder + "/collision.obj", "-o", new]]
            for step in steps:
                run = subprocess.run([geomconv, "-q", *step], capture_output=True, text=True)
                if run.returncode:
                    faults.append("%s: %s: %s" % (name, step[0], run.stderr.strip()[:200]))
            if not os.path.exists(new):
                continue
            width, depth = places(geomconv, level)
            with open(folder + "/points", "w") as out:
                for _ in range(2800 // len(levels)):
                    out.write("%f %f %f\n" % (random.uniform(0.1, width - 0.1), random.uniform(0, 6),
                                              random.uniform(0.1, depth - 0.1)))
            before, after = (floors(geomconv, x, folder + "/points") for x in (level, new))
            pairs = [(a, b) for a, b in zip(before, after) if "floor" in (a["result"], b["result"])]
            bad = [1 for a, b in pairs if a["result"] != b["result"] or abs(a["height"] - b["height"]) > 0.015]
            compared += len(pairs)
            differ += len(bad)
            if len(bad) > (0.15 * len(pairs) if name == "lvl_records" else 0.02 * len(pairs)):
                faults.append("%s: %d of %d floors differ" % (name, len(bad), len(pairs)))
            checker = os.path.join(shared, "tools", "groove_check.py")
            if os.path.exists(checker) and subprocess.run([sys.executable, "-B", checker, "roundtrip", new],
                                                          capture_output=True).returncode:
                faults.append("%s: groove_check.py does not accept the new level" % name)
    runner = os.path.join(shared, "tools", "groove_import_run.py")
    cases = "not here"
    if os.path.exists(runner):
        command = 'b=$1 m=$2 n=$3; shift 3; exec "$GEOMCONV" import "$b" "$m" -o "$n" "$@"'
        run = subprocess.run([sys.executable, "-B", runner, os.path.join(vectors, "import"), "sh", "-c", command, "sh"],
                             capture_output=True, text=True, env=dict(os.environ, GEOMCONV=geomconv))
        lines = run.stdout.splitlines()
        cases = "%d of %d" % (sum(x.startswith("ok") for x in lines), len(lines))
        faults += [x for x in lines if not x.startswith("ok")]
    print("%d levels out and back, %d faces and polygons as in the sidecars, %d floors compared, %d differ; "
          "import cases: %s" % (len(levels), rows, compared, differ, cases))
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
