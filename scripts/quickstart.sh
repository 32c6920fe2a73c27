#!/usr/bin/env bash
# Installs what is missing, builds geomconv and converts everything in samples/ to out/ (GLB, OBJ, JSON).
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh program
echo "building (about two minutes on two cores the first time)"
cmake -S . -B build-release -G Ninja -DCMAKE_BUILD_TYPE=Release -DGEOMCONV_BUILD_TESTS=OFF >/dev/null
cmake --build build-release
geomconv=build-release/app/geomconv

for format in glb obj json; do
  "$geomconv" -q batch samples --glob '*.sur' --glob '*.ccs' --glob '*.bin' --glob '*.wad' -o out --to "$format"
done

echo
echo "Written to out/:"
(cd out && find . -type f | LC_ALL=C sort | sed 's|^\./|  |')
cat <<END

Try next:
  $geomconv info samples/patrol_ship.sur
  $geomconv validate samples/*.sur
  $geomconv convert samples/patrol_ship.sur -o ship.glb     # open it in Blender or any glTF viewer
  $geomconv --help
END
