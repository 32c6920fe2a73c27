#!/usr/bin/env python3
"""Collision libraries through the program and back, judged by ../shared/tools/collisionset_check.py, which shares no code with it.

  collisionset_outputs.py GEOMCONV PROJECT

For every good and warn vector: the meshes of OBJ, glTF and GLB are those of the library, bit for bit and in order; their
import changes no byte; JSON, dump and the other byte order come back as they were. One record is replaced, alone and inside a
pack. Passes without the reader, saying so.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

FAULTS = []


def fault(text):
    FAULTS.append(text)


def read(path):
    with open(path, "rb") as f:
        return f.read()


class Runner:
    def __init__(self, geomconv, checker):
        self.geomconv, self.checker, self.checks = geomconv, checker, 0

    def geom(self, *words):
        p = subprocess.run([self.geomconv, "-q", *words], capture_output=True, text=True, check=False)
        if p.returncode != 0:
            fault("%s: exit %d: %s" % (" ".join(words), p.returncode, p.stderr.strip()[:200]))
        return p.returncode == 0

    def second(self, *words):
        self.checks += 1
        p = subprocess.run([sys.executable, self.checker, *words], capture_output=True, text=True, check=False)
        if p.returncode != 0:
            fault("%s: %s" % (" ".join(words), (p.stdout + p.stderr).strip()[:300]))

    def same(self, a, b, what):
        self.checks += 1
        if read(a) != read(b):
            fault("%s: %s differs" % (what, os.path.basename(b)))


def order_of(library):
    """le when the first size word reads as a sensible number that way"""
    head = read(library)[:4]
    return "le" if int.from_bytes(head, "little") < int.from_bytes(head, "big") else "be"


def through_meshes(run, library, out, welded):
    for extension in ("obj", "gltf", "glb"):
        mesh = out + "." + extension
        if not run.geom("convert", library, "-o", mesh):
            continue
        run.second("match", library, mesh)
        back = out + "." + extension + ".bin"
        if run.geom("import", library, mesh, "-o", back):
            run.same(library, back, "import of its own " + extension)
        # A new library of the mesh holds the same meshes again; empty and duplicate names only by force.
        if extension != "obj" and not welded:
            new = out + "." + extension + ".new.bin"
            if run.geom("convert", mesh, "-o", new, "--to", "collisionset"):
                run.second("match", new, mesh)


def through_json(run, library, out):
    if run.geom("convert", library, "-o", out + ".json"):
        if run.geom("convert", out + ".json", "-o", out + ".json.bin", "--to", "collisionset"):
            run.same(library, out + ".json.bin", "scene JSON")
    dump = subprocess.run([run.geomconv, "-q", "dump", library], capture_output=True, check=False).stdout
    with open(out + ".dump.json", "wb") as f:
        f.write(dump)
    if run.geom("convert", out + ".dump.json", "-o", out + ".dump.bin", "--to", "collisionset"):
        run.same(library, out + ".dump.bin", "dump")


def through_byte_orders(run, library, out):
    here = order_of(library)
    there = "be" if here == "le" else "le"
    if run.geom("convert", library, "-o", out + ".swap.bin", "--to", "collisionset", "--byte-order", there):
        run.second("swap", library, out + ".want.bin")
        run.same(out + ".want.bin", out + ".swap.bin", "byte order " + there)
        if run.geom("import", out + ".swap.bin", "-o", out + ".swap2.bin", "--byte-order", here):
            run.same(library, out + ".swap2.bin", "byte order and back")


def replacing(run, vectors, tmp):
    before, after = (os.path.join(vectors, n) for n in ("replace_in.bin", "replace_out.bin"))
    mesh = os.path.join(vectors, "replace_mesh.obj")
    new = os.path.join(tmp, "replaced.bin")
    if run.geom("import", before, mesh, "-o", new, "--record", "rou_e106_eng"):
        run.same(after, new, "replaced record")
        run.second("replaced", before, new, "rou_e106_eng", "--mesh", mesh)


def packs(run, vectors, tmp):
    for name in ("pack_differ.pak", "pack_differ.p00"):
        shutil.copy(os.path.join(vectors, name), os.path.join(tmp, name))
        os.chmod(os.path.join(tmp, name), 0o644)
    pack = os.path.join(tmp, "pack_differ.pak")
    edited = os.path.join(tmp, "edited.glb")
    new = os.path.join(tmp, "new.pak")
    member = pack + "::CollisionSet_S02.bin"
    if not run.geom("convert", member, "-o", edited, "--exclude", "rou_e205_soup"):
        return
    if run.geom("import", member, edited, "-o", new, "--remove", "rou_e205_soup"):
        for suffix, entry in (("+CollisionSet_S01.bin", "S01"), ("+CollisionSet_S02.bin", "S02")):
            out = os.path.join(tmp, entry + ".obj")
            if run.geom("convert", new + suffix, "-o", out):
                run.second("match", new + suffix, out)
        old_part, new_part = read(os.path.join(tmp, "pack_differ.p00")), read(os.path.join(tmp, "new.p00"))
        if new_part[:len(old_part)] != old_part or len(new_part) == len(old_part):
            fault("import into a pack: the part is not the old one with a block behind it")


def main():
    geomconv, project = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    shared = os.environ.get("GEOMCONV_SHARED", os.path.join(project, "..", "shared"))
    checker = os.path.join(shared, "tools", "collisionset_check.py")
    vectors = os.path.join(project, "tests", "vectors", "collisionset")
    if not os.path.exists(checker):
        print("no second reader here")
        return
    folders = [vectors, os.path.join(shared, "vectors", "collisionset"), os.path.join(project, "samples", "collisionset")]
    libraries = {os.path.basename(p): p for d in folders for p in sorted(glob.glob(os.path.join(d, "*.bin")))
                 if not os.path.basename(p).startswith("bad_")}
    run = Runner(geomconv, checker)
    with tempfile.TemporaryDirectory() as tmp:
        for name, path in sorted(libraries.items()):
            out = os.path.join(tmp, name[:-4])
            through_meshes(run, path, out, name.startswith("warn_"))
            through_json(run, path, out)
            through_byte_orders(run, path, out)
        replacing(run, vectors, tmp)
        packs(run, vectors, tmp)
    print("%d libraries, %d comparisons" % (len(libraries), run.checks))
    for text in FAULTS[:60]:
        print(text)
    sys.exit(1 if FAULTS else 0)


if __name__ == "__main__":
    main()
