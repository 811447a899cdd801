#!/bin/bash
# The tool as a process: exit codes, where relative paths start, output that
# can't be written, warnings, a directory in use; what the README has one type,
# and its tour, twice in the same directory.
#
# usage: binary_test.sh SHALE TOUR README
set -u
shale=$PWD/$1
tour=$PWD/$2
readme=$PWD/$3
work=$(mktemp -d "$TEST_TMPDIR/binary.XXXXXX")
# As `bazel run` tells where it was typed.
export BUILD_WORKING_DIRECTORY=$work
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# expect CODE TEXT COMMAND...: the exit code, and a part of what is printed.
expect() {
  local code=$1 text=$2 output status
  shift 2
  output=$("$@" 2>&1)
  status=$?
  [ $status = "$code" ] || fail "$* gave exit code $status, want $code: $output"
  [[ $output == *"$text"* ]] || fail "$* printed no '$text' but: $output"
}

# Names and checksums of all files under a directory.
snapshot() { find "$1" -type d -print -o -type f -exec sha256sum {} + | sort; }

expect 2 "Usage: shale COMMAND" "$shale"
expect 0 "Usage: shale get ROW" "$shale" help get
expect 2 "shale: no command gte; see: shale help" "$shale" gte
expect 1 "$work/store" "$shale" count --dir=store
expect 0 "created region r in store" "$shale" create f --dir=store --region=r
[ -d "$work/store" ] || fail "--dir=store is not in BUILD_WORKING_DIRECTORY"
expect 0 "row  f:q" "$shale" put --dir=store -- row f:q -5
expect 0 " -5" "$shale" get row --dir=store
expect 0 "1 row, 1 cell" "$shale" count --dir=store
expect 1 "can't write the output" sh -c "'$shale' scan --dir=store >/dev/full"

# What the host has to say goes to stderr, and spoils no result.
rm -rf "$work/store/host/reserve"
touch "$work/store/host/reserve"
"$shale" put row f:q value --dir=store >"$work/put.out" 2>"$work/put.err" ||
  fail "put failed where no space could be set aside"
[[ $(<"$work/put.err") == *" warning reserve: no space is set aside"* ]] ||
  fail "no warning but: $(<"$work/put.err")"
grep -q warning "$work/put.out" && fail "a warning among the results"
rm "$work/store/host/reserve"

# A process that was killed leaves nothing that blocks the next one.
"$shale" import /dev/stdin --dir=store --region=r --columns=ROW_KEY,f:q \
  < <(yes $'row\tvalue') >"$work/import.out" 2>&1 &
victim=$!
until [ "$(find "$work/store" -name '*.wal' -size +64k | wc -l)" != 0 ] ||
  ! kill -0 $victim 2>/dev/null; do sleep 0.1; done
# Nothing of the store changes while its owner stands still.
kill -STOP $victim
snapshot "$work/store" >"$work/before"
for refused in "put row f:q value" "delete row" flush compact \
  "create f --region=s"; do
  expect 1 "shale import, pid" "$shale" $refused --dir=store
done
snapshot "$work/store" | cmp - "$work/before" || fail "a refused command wrote"
kill -9 $victim
wait $victim 2>/dev/null
expect 0 "1 row, 1 cell" "$shale" count --dir=store
expect 0 "all good" "$shale" verify --dir=store
expect 0 "row" "$shale" put row f:q value --dir=store

# A damaged block is met by a compaction before it writes, and never by a put.
block=$(find "$work/store" -name '*.store' | head -1)
printf '\xff' | dd of="$block" bs=1 seek=30 conv=notrunc status=none
snapshot "$work/store" >"$work/before"
expect 1 "${block##*/}: " "$shale" compact --dir=store
snapshot "$work/store" | cmp - "$work/before" || fail "compact wrote"
expect 0 "row" "$shale" put row f:q other --dir=store

# The README's block, typed line for line, where `shale` is what it builds.
sed -n '/^## The command line/,/^## [^T]/ { /^```sh/,/^```/ { /^```/d; p } }' \
  "$readme" >"$work/block"
read -r build <"$work/block"
[[ $build == *"//tools:shale && alias shale=\$PWD/bazel-bin/$1" ]] ||
  fail "the README begins with $build"
{
  echo "set -e; shale() { '$shale' \"\$@\" && count=\$((count + 1)); }"
  echo 'cd "$BUILD_WORKING_DIRECTORY"; count=0'
  sed 1d "$work/block"
  echo 'echo "$count commands"'
} >"$work/typed"
expect 0 "$(grep -c '^shale ' "$work/block") commands" bash "$work/typed"
expect 0 "34,924 rows" "$shale" count --dir=ucd2

for run in first second; do
  expect 0 "imported 34," "$tour" "$1" ucd
done
expect 0 "34,924 rows" "$shale" count --dir=ucd
[ $failures = 0 ]
