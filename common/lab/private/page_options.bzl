"""How a command of a lab that draws a page reads its options."""

_HEAD = """set -u
out=
filter='%{filter}'
for argument in "$@"; do
  case "$argument" in
    --out=*) out="${argument#--out=}" ;;
    --filter=*) filter="${argument#--filter=}" ;;
    *)
      echo "error: unknown option: $argument" >&2
      echo "  next: use --out=FILE.html or --filter=SUITE.TEST, where * stands for any name" >&2
      exit 2
      ;;
  esac
done
type -P python3 >/dev/null || {
  echo "error: python3 is missing, which draws the picture" >&2
  echo "  next: install Python 3.11 or newer" >&2
  exit 1
}
# Paths are those of the shell that started bazel run; without one the page lies beside the lab.
case "$out" in
  '') out="${BUILD_WORKSPACE_DIRECTORY:-.}/%{folder}/%{page}" ;;
  /*) ;;
  *) out="${BUILD_WORKING_DIRECTORY:-$PWD}/$out" ;;
esac
"""

def page_options(page, filter):
    """The lines of a shell script that set $out and $filter, or end it.

    Args:
      page: the file that is written where --out names no other, in the lab's folder: %{folder}.
      filter: which tests run where --filter names no others.

    Returns:
      The text.
    """
    return _HEAD.replace("%{page}", page).replace("%{filter}", filter)
