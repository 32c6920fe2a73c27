#!/usr/bin/env bash
# Installs what is missing from Debian packages; sudo only when not root; no network when nothing is missing.
#   setup.sh            what the program and its tests need
#   setup.sh program    what the program alone needs
set -eu

program=(g++ cmake ninja-build libcli11-dev libspdlog-dev libfmt-dev nlohmann-json3-dev libtinyobjloader-dev
         libtinygltf-dev libglm-dev zlib1g-dev libspng-dev)
tests=(libgtest-dev libgmock-dev librapidcheck-dev libqhull-dev python3 nodejs)

wanted=("${program[@]}")
[ "${1:-all}" = program ] || wanted+=("${tests[@]}")

missing=()
for package in "${wanted[@]}"; do
  [ "$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null)" = "install ok installed" ] && continue
  # A compiler, cmake or node that did not come as a package serves as well.
  case $package in
    g++) command -v g++ >/dev/null && continue ;;
    cmake) command -v cmake >/dev/null && continue ;;
    ninja-build) command -v ninja >/dev/null && continue ;;
    python3) command -v python3 >/dev/null && continue ;;
    nodejs) command -v node >/dev/null && continue ;;
  esac
  missing+=("$package")
done

if [ ${#missing[@]} -gt 0 ]; then
  if ! command -v apt-get >/dev/null; then
    echo "no apt-get here; install what these Debian packages hold: ${missing[*]}" >&2
    exit 1
  fi
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  echo "installing: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  "${as_root[@]}" apt-get update -q >/dev/null || true
  "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null
fi
