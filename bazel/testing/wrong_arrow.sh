#!/bin/bash
# A dependency that design forbids doesn't build: builds packages that exist in
# a folder beside the workspace only, one for each kind of wrong arrow, and
# wants Bazel's refusal. Too slow for a test (it runs Bazel): part of CI.
set -u
cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. tools/results.sh

# package that depends, its source's #include, its dependency; flags follow
build() {
  local folder=$scratch/$1/wrong_arrow
  mkdir -p "$folder"
  printf '#include "%s"\n' "$2" >"$folder/arrow.cc"
  cat >"$folder/BUILD.bazel" <<END
load("//bazel:shale_cc.bzl", "shale_cc_library")

shale_cc_library(name = "wrong_arrow", srcs = ["arrow.cc"], deps = ["$3"])
END
  ./bazelw build --package_path="%workspace%:$scratch" "${@:4}" \
    "//$1/wrong_arrow" >"$scratch/log" 2>&1
}

# what it says; the error to find; then as for build
refuses() {
  ! build "${@:3}" && grep -q -- "$2" "$scratch/log"
  result "$1" $?
}

build cell shale/base/status_macros.h //base:status_macros
result "an arrow down builds" $?

refuses "no arrow up to a public target" "arrows only point down" \
  base shale/region/region.h //region

refuses "no arrow within a row" "arrows only point down" \
  mvcc shale/wal/wal.h //wal

private=$(./bazelw query 'kind("cc_library rule", attr(visibility,
  "//visibility:private", //base/...))' 2>"$scratch/log" | head -n 1)
refuses "no arrow to another package's private target (${private:-none found})" \
  "is not visible from" region shale/region/region.h "$private"

refuses "no #include without a direct dependency" \
  "does not depend on a module exporting 'absl/" \
  cell absl/status/status.h //base:status_macros --config=clang

conclude
