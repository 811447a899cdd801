#!/bin/bash
# bazelw against a machine of files: a copy of the script that looks for
# packages under a folder of ours, and an apt-get that makes the files.
set -u
bazelw=$PWD/$1
failures=0

fail() {
  echo "FAILED: $test: $*"
  sed 's/^/    stderr: /' "$machine/stderr"
  failures=$((failures + 1))
}

# A fresh Debian with no package installed, run by root, with a network.
new_machine() {
  test=$1
  machine=$(mktemp -d -p "$TEST_TMPDIR")
  mkdir -p "$machine/bin" "$machine/etc" "$machine/usr" "$machine/home"
  touch "$machine/etc/debian_version"
  sed "s,\([ \"]\)/\(usr\|etc\)/,\1$machine/\2/,g" "$bazelw" >"$machine/bazelw"
  chmod +x "$machine/bazelw"
  # What each package brings, as bazelw itself lists it.
  sed -n 's/^ *\(need\|want\) \([a-z0-9+.-]*\) \(.*\)/\2 \3/p' \
    "$machine/bazelw" >"$machine/files"
  sed -i '/"/d; s,/\*/,/1/,; s,\*,x,' "$machine/files"
  : >"$machine/unavailable"
  : >"$machine/apt"
  : >"$machine/bazel"
  fake id 'echo 0'
  fake sudo 'exit 1'
  fake apt-get '
echo "$*" >>'"$machine"'/apt
case " $* " in *" update "*) exit 0 ;; esac
packages=${*##*--no-install-recommends}
for package in $packages; do
  if grep -qx -e "$package" -e network '"$machine"'/unavailable; then
    echo "E: Unable to locate package $package"
    exit 100
  fi
done
for package in $packages; do
  grep "^$package " '"$machine"'/files | while read -r _ file; do
    mkdir -p "${file%/*}"
    touch "$file"
  done
done'
  fake bazel "echo \"\$*\" >>$machine/bazel"
}

fake() {
  printf '#!/bin/sh\n%s\n' "$2" >"$machine/bin/$1"
  chmod +x "$machine/bin/$1"
}

run() {
  env -u CI -u XDG_CACHE_HOME -u BAZEL_REAL HOME="$machine/home" \
    PATH="$machine/bin:/usr/bin:/bin" "${environment[@]}" \
    "$machine/bazelw" "$@" 2>"$machine/stderr" </dev/null
  status=$?
}
environment=()

says() { grep -qF -- "$1" "$machine/stderr" || fail "doesn't say: $1"; }
exits() { [ "$status" = "$1" ] || fail "exit status $status, want $1"; }
lines() {
  local got
  got=$(wc -l <"$machine/$1")
  [ "$got" = "$2" ] || fail "$got lines in $1, want $2: $(cat "$machine/$1")"
}

new_machine "a bare machine gets all packages in one transaction, told in one line"
run test //...
exits 0
says "bazelw: installing 13 packages: bazel-bootstrap"
lines stderr 1
[ "$(grep -c install "$machine/apt")" = 1 ] || fail "$(cat "$machine/apt")"
lines bazel 1
grep -qx 'test //...' "$machine/bazel" || fail "bazel got $(cat "$machine/bazel")"

test="a complete machine is left alone"
: >"$machine/apt"
run info
exits 0
lines stderr 0
lines apt 0

test="a complete machine waits for less than 100 ms: the median of ten runs"
times=()
for _ in {1..10}; do
  begin=$(date +%s%N)
  run info
  times+=($((($(date +%s%N) - begin) / 1000)))
done
median=$(printf '%s\n' "${times[@]}" | sort -n | sed -n 5p)
[ "$median" -lt 100000 ] || fail "takes $median us, of all: ${times[*]}"

test="--config=clang asks for clang as well"
run build --config=clang //...
exits 0
says "bazelw: installing 2 packages: clang-14 libclang-rt-14-dev"

test="CI asks for the formatter and git as well"
environment=(CI=true)
run info
environment=()
says "bazelw: installing 2 packages: clang-format-14 git"

new_machine "without root it says what to run, and runs nothing"
fake id 'echo 1000'
run info
exits 1
says "apt-get update && apt-get install -y --no-install-recommends bazel-bootstrap"
says libzstd-dev
lines apt 0
lines bazel 0

new_machine "sudo without a password does for root"
fake id 'echo 1000'
fake sudo '[ "$1" = -n ] || exit 1; shift; exec "$@"'
run info
exits 0
grep -q install "$machine/apt" || fail "nothing installed"

new_machine "without a network it says what to run, and exits with an error"
echo network >"$machine/unavailable"
run info
exits 1
says "apt-get update && apt-get install -y --no-install-recommends bazel-bootstrap"
lines bazel 0

new_machine "an optional package that can't be had costs one line, once"
echo libisal-dev >"$machine/unavailable"
run info
exits 0
says "bazelw: building without these optional packages: libzstd-dev"
lines bazel 1
: >"$machine/apt"
run info
exits 0
lines stderr 0
lines apt 0

new_machine "without root a missing optional package costs one line, once"
run info
rm "$machine/usr/include/zstd.h"
fake id 'echo 1000'
run info
exits 0
says "bazelw: building without these optional packages: libzstd-dev"
lines stderr 1
run info
lines stderr 0

new_machine "elsewhere than on Debian bazel is all it needs"
rm "$machine/etc/debian_version"
run info
exits 0
lines apt 0

[ "$failures" = 0 ] && echo "all passed"
exit $((failures > 0))
