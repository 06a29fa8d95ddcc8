#!/usr/bin/env bash
# Gradescope runs this once, when it builds the container's image: as root, with a network.
set -euo pipefail
readonly root=${AUTOGRADER:-/autograder}
readonly source=$root/source
export DEBIAN_FRONTEND=noninteractive

install() { # PACKAGE...
  apt-get -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends install "$@"
}

is_known() { # PACKAGE
  [ -n "$(apt-cache policy "$1" | sed -n 's/^  Candidate: \([^(].*\)/\1/p')" ]
}

# The compilers of the kit, in their versions.
install_compilers() {
  local package
  while read -r package; do
    # Some releases have no package of that name and its files in another one of the list.
    if is_known "$package"; then install "$package"; fi
  done <"$source/packages.txt"
  local major
  major=$(cat "$source/gxx_version.txt")
  if [ "$(g++ -dumpversion 2>/dev/null | cut -d . -f 1)" != "$major" ]; then
    if ! is_known "g++-$major"; then
      echo "error: this release has no g++ $major, with which the kit was built"
      echo "  next: choose a base image that has it; see grader/docs/exports.md"
      exit 1
    fi
    install "g++-$major"
    ln -sf "g++-$major" /usr/bin/g++
  fi
}

is_new_enough() { # PYTHON
  "$1" -c 'import ensurepip, sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null
}

find_python() {
  local name
  for name in python3 python3.14 python3.13 python3.12 python3.11; do
    if is_new_enough "$name"; then
      echo "$name"
      return
    fi
  done
}

install_python() {
  if [ -z "$(find_python)" ]; then install python3-venv; fi
  if [ -z "$(find_python)" ] && is_known python3.11-venv; then install python3.11-venv; fi
  local python
  python=$(find_python)
  if [ -z "$python" ]; then
    echo "error: this release has no Python 3.11 or newer"
    echo "  next: choose a newer base image"
    exit 1
  fi
  "$python" -m venv --clear "$root/venv"
  "$root/venv/bin/python3" -m pip install --quiet --no-input --disable-pip-version-check \
    --require-hashes --only-binary :all: -r "$source/requirements.txt"
}

apt-get -qq update
install bubblewrap
install_compilers
install_python
chmod -R u=rwX,go=rX "$source"
find "$source/kit" -type f -exec chmod 755 {} +
PYTHONPATH=$source/program PYTHONDONTWRITEBYTECODE=1 \
  "$root/venv/bin/python3" -m grader.people.autograder.run --check
