#!/bin/bash
# Builds and runs this workspace with Shale as a folder and as a release, and
# tries what it must refuse. Closes with "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
shale=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d)
. "$shale/tools/results.sh"

# Bazel in the workspace at hand.
bazel() { (cd "$workspace" && "$shale/bazelw" "$@") >"$scratch/log" 2>&1; }

# what it says; a line that the program must print; then what to run
prints() {
  bazel "${@:3}" && grep -qx -- "$2" "$scratch/log"
  result "$1" $?
}

refuses() {
  ! bazel "${@:3}" && grep -q -- "$2" "$scratch/log"
  result "$1" $?
}

all_programs() {
  prints "$1: the program in the README does as it says" "1815" \
    run //:readme_example -- "$(mktemp -d -p "$scratch")"
  prints "$1: the region keeps what was written" "ada from London" \
    run //:region_example -- "$(mktemp -d -p "$scratch")"
  prints "$1: the region has the variant that .bazelrc asks for" \
    "completion: prefix" run //:region_example -- "$(mktemp -d -p "$scratch")"
  prints "$1: the log alone gives back what was synced" "#2 second" \
    run //:wal_example -- "$(mktemp -d -p "$scratch")"
}

finish() {
  bazel clean --expunge
  rm -rf "$scratch"
}
trap finish EXIT

workspace=$here
all_programs "folder"
refuses "an unknown value of a flag names the known ones" \
  "Allowed values are" build --nobuild --completion=sometimes //...
refuses "an older standard gets one clear error" \
  "Shale needs C++20: add to .bazelrc" \
  build --cxxopt=-std=c++17 --compile_one_dependency region_example.cc
[ "$(grep -c 'error:' "$scratch/log")" = 2 ]  # With the end of compilation.
result "an older standard gets no other error" $?
bazel clean --expunge

workspace=$scratch/consumer
mkdir "$workspace"
cp "$here"/{.bazelrc,BUILD.bazel,*.cc} "$workspace"
read -r archive sha256 < <("$shale/tools/make_release.sh" "$scratch")
name=$(basename "$archive" .tar.gz)
sed "s,{archive},$archive,; s,{sha256},$sha256,; s,{name},$name," \
  "$here/WORKSPACE.archive" >"$workspace/WORKSPACE"
all_programs "release"

conclude
