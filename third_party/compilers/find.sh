#!/usr/bin/env bash
# The compilers that this workspace uses, and the oldest versions that will do. ./setup sources this
# file; repository.bzl runs it and reads the lines it prints:
#   gxx PATH
#   clang FOLDER    with bin/clang++, its sanitizers and OpenMP; no such line: there is no clang
#   archer PATH     of the same version: what tells ThreadSanitizer about OpenMP's threads
#   fuzzer PATH     of the same version: libFuzzer; no such line: it has none
# shellcheck disable=SC2034  # ./setup reads it
readonly gxx=/usr/bin/g++ oldest_gxx=12 oldest_clang=14

# check_gxx VERSION: fails, with the reason on stderr, if that g++ is too old.
check_gxx() {
  [ "${1%%.*}" -lt "$oldest_gxx" ] || return 0
  echo "error: g++ ${1%%.*} is too old: $oldest_gxx or newer is needed: $gxx" >&2
  echo "  next: use Debian 12, Ubuntu 24.04 or newer, or make $gxx a newer one" >&2
  return 1
}

# The Archer tool of the clang in a folder; fails if it has none.
archer_of() { # FOLDER
  local archer
  for archer in "$1"/lib{,64}/libarcher.so; do
    if [ -e "$archer" ]; then
      echo "$archer"
      return
    fi
  done
  return 1
}

# The archives of one of clang's runtimes, such as tsan, one a line.
runtimes_of() { # FOLDER NAME
  local runtime
  for runtime in "$1"/lib{,64}/clang/*/lib/*/libclang_rt."$2"{-"$HOSTTYPE",}.a; do
    if [ -e "$runtime" ]; then echo "$runtime"; fi
  done
}

# is_complete_clang FOLDER: it has a clang++ of a sufficient version, Archer, ThreadSanitizer and
# the symbolizer.
is_complete_clang() {
  local folder=$1 runtime version
  [ -x "$folder/bin/clang++" ] && [ -x "$folder/bin/llvm-symbolizer" ] || return 1
  archer_of "$folder" >/dev/null || return 1
  for runtime in $(runtimes_of "$folder" tsan); do
    version=${runtime#*/clang/}
    version=${version%%[./]*}
    if [ "$version" -ge "$oldest_clang" ]; then return 0; fi
  done
  return 1
}

# Prints the folder of the newest complete clang, or nothing. Debian and Ubuntu have a folder for
# each version; other distributions have one clang, in /usr.
find_clang() {
  local folder
  for folder in $(printf '%s\n' /usr/lib/llvm-[0-9]* | sort -t - -k 2 -n -r) /usr; do
    if is_complete_clang "$folder"; then
      echo "$folder"
      return
    fi
  done
}

print_compilers() {
  local version clang
  if ! version=$("$gxx" -dumpversion 2>/dev/null); then
    printf 'error: g++ is missing: %s\n  next: run ./setup\n' "$gxx" >&2
    return 1
  fi
  check_gxx "$version" || return 1
  echo "gxx $gxx"
  clang=$(find_clang)
  [ -n "$clang" ] || return 0
  echo "clang $clang"
  echo "archer $(archer_of "$clang")"
  runtimes_of "$clang" fuzzer | sed 's/^/fuzzer /'
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then print_compilers; fi
