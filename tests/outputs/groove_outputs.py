#!/usr/bin/env python3
"""Takes Groove levels out and puts them back: the floors stay where they were.

    groove_outputs.py GEOMCONV PROJECT

Every level of tests/vectors/groove (and of ../shared/vectors/groove where it exists) goes out with its own collision and
comes back by `import`; `floortest` is asked at 2,800 places of all levels, before and after. A floor that differs by more
than 15 mm is counted; lvl_records, whose records are odd on purpose, is allowed some. Where ../shared exists its import
cases and its second reader judge too.
"""
import glob
import json
import os
import random
import subprocess
import sys
import tempfile


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
    faults, compared, differ = [], 0, 0
    random.seed(7)
    with tempfile.TemporaryDirectory() as tmp:
        for level in levels:
            name = os.path.basename(level)[:-4]
            folder = os.path.join(tmp, name)
            new = os.path.join(folder, "new.wad")
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
    print("%d levels out and back, %d floors compared, %d differ; import cases: %s" %
          (len(levels), compared, differ, cases))
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
