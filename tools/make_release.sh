#!/bin/bash
# Packs the commit that is checked out, as a consumer takes it in by
# http_archive, and prints the archive's path and its sha256.
#
# usage: tools/make_release.sh FOLDER
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/.."
version=$(sed -n 's/^ *version = "\(.*\)",$/\1/p' MODULE.bazel | head -n 1)
archive=$folder/shale-$version.tar.gz
git -c safe.directory='*' archive --prefix="shale-$version/" HEAD |
  gzip -n >"$archive"
echo "$archive $(sha256sum "$archive" | cut -d ' ' -f 1)"
