#!/usr/bin/env bash
# Installs what is missing, builds with warnings as errors and runs all tests.
#   test.sh            the ordinary run
#   test.sh asan       the same under the address and undefined behaviour sanitizers
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh
# The glTF validator of Khronos, from npm: from its cache when there is no network. Tests that use it say when it is
# not there.
if command -v npm >/dev/null && [ ! -d scripts/gltf-validator/node_modules/gltf-validator ]; then
  (cd scripts/gltf-validator && npm ci --prefer-offline --no-audit --no-fund --loglevel=error) ||
    echo "gltf-validator could not be installed; the tests that need it will say so"
fi

preset=${1:-dev}
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake --preset "$preset" "${launcher[@]}" >/dev/null
cmake --build "build-$preset"
ctest --test-dir "build-$preset" --output-on-failure -j "$(nproc)"
