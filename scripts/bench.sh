#!/usr/bin/env bash
# Builds the benchmarks in Release and prints what they measured; ratios of one run are what counts.
#   bench.sh [FILTER]        Google Benchmark on made inputs
#   bench.sh --peers JOBS    side by side with public programs, through ../shared/perf (JOBS: "obj2glb@1M,glb2obj")
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh
missing=$(dpkg-query -W -f='${Status}' libbenchmark-dev 2>/dev/null || true)
if [ "$missing" != "install ok installed" ]; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get install -y -q --no-install-recommends libbenchmark-dev >/dev/null
fi
cmake -S . -B build-bench -G Ninja -DCMAKE_BUILD_TYPE=Release -DGEOMCONV_BUILD_BENCHMARKS=ON >/dev/null
cmake --build build-bench

if [ "${1:-}" = --peers ]; then
  perf=../shared/perf/run.sh
  [ -e "$perf" ] || { echo "bench.sh: $perf is not there: the side by side needs it" >&2; exit 1; }
  NO_LIMITS=1 sh "$perf" --geomconv "$PWD/build-bench/app/geomconv" --jobs "${2:-obj2glb,glb2obj,obj2obj,glb2glb,startup}"
  exit
fi
for bench in build-bench/tests/bench/bench_*; do
  [ -x "$bench" ] && [ -f "$bench" ] || continue
  echo "== $(basename "$bench")"
  "$bench" --benchmark_filter="${1:-.}" --benchmark_counters_tabular=true 2>/dev/null
done
