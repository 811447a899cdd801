#!/bin/bash
# The main job from start to end: loads the Unicode Character Database into a
# durable region, counts and reads it, and checks every byte. Each step is a
# process of its own, so all that it finds was found again after a restart.
#
# usage: tour SHALE DIRECTORY
set -eu
shale=$PWD/$1
directory=${2:-}
if [ -z "$directory" ]; then
  echo "usage: ./bazelw run //tools:tour -- DIRECTORY" >&2
  exit 2
fi
data=/usr/share/unicode/UnicodeData.txt
columns=ROW_KEY,ucd:name,ucd:category,ucd:combining,ucd:bidi,ucd:decomposition
columns+=,ucd:decimal,ucd:digit,ucd:numeric,ucd:mirrored,ucd:unicode_1_name
columns+=,ucd:comment,ucd:upper,ucd:lower,ucd:title

# Shows a command as one would type it, and runs it.
step() {
  printf '\n$ shale'
  for word in "$@"; do
    case $word in
    *[\;\ ]*) printf " '%s'" "$word" ;;
    *) printf ' %s' "$word" ;;
    esac
  done
  printf '\n'
  "$shale" "$@"
}

step import "$data" --dir="$directory" --region=ucd '--separator=;' \
  --columns="$columns"
step count --dir="$directory"
step get 0041 --dir="$directory"
step scan --dir="$directory" --start=1F600 --stop=1F605 --columns=ucd:name
step verify --dir="$directory"
step stat --dir="$directory"
