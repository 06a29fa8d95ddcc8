#!/bin/bash
# Times kernels that the model is fitted to, and those that it is judged by:
#   OUT=FOLDER bash common/cudasim/predict/measure/on_gpu.sh
#
# From the repository's root, where a GPU and nvcc are. Writes to FOLDER: dependent.csv and blind.csv,
# the times of calibrate/dependent.h and measure/blind/blind.h; where ncu is, too, blind_ncu.csv and
# dependent_ncu.csv, what it sees of each kernel's first launch in the middle size; versions.txt and
# build.txt. Takes about six minutes, nine at most.
set -u
out=${OUT:?set OUT to a folder}
mkdir -p "$out"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
export PATH=$PATH:/usr/local/cuda/bin
predict=common/cudasim/predict
source $predict/measure/nvcc_options.sh

nvcc --version >"$out/versions.txt" 2>&1
nvidia-smi >>"$out/versions.txt" 2>&1
ncu --version >>"$out/versions.txt" 2>&1

# object FILE: compiles it.
object() {
  nvcc "${OPTIONS[@]}" -Xptxas -v -x cu -c -o "$made/$(basename "$1").o" "$1" \
    >"$made/$(basename "$1").txt" 2>&1
}
dependent=($predict/calibrate/{dependent,chains,searches,walks,gathers}.cu)
blind=($predict/measure/blind/*.cu)
common=($predict/measure/workload.cc $predict/measure/timed_launches.cu)
for file in "${dependent[@]}" "${blind[@]}" "${common[@]}"; do object "$file" & done
wait
cat "$made"/*.txt >"$out/build.txt"

# program NAME FILE...: links it.
program() {
  local name=$1
  shift
  local objects=()
  for file in "$@" "${common[@]}"; do objects+=("$made/$(basename "$file").o"); done
  nvcc "${OPTIONS[@]}" "${WRAPPED[@]}" -o "$made/$name" "${objects[@]}" 2>&1 |
    tee -a "$out/build.txt"
}
program dependent "${dependent[@]}"
program blind "${blind[@]}"

# The problems of a program: functions, or what stands before the dot.
problems() { "$made/$1" | sed 's/[._].*//' | uniq; }
# labels NAME PROBLEM: of all its functions and sizes.
labels() { "$made/$1" | grep "^$2[._]"; }
for name in dependent blind; do
  sed -n 's/.*"\(label,.*\)\\n";/\1/p' $predict/measure/timed_launches.h >"$out/$name.csv"
  : >"$out/$name.err"
  # Each by itself, so that one that fails costs no other.
  for problem in $(problems $name); do
    timeout 60 "$made/$name" $(labels $name "$problem") >>"$out/$name.csv" 2>>"$out/$name.err" ||
      echo "$problem failed: $?" >>"$out/$name.err"
  done
  wc -l "$out/$name.csv" "$out/$name.err"
  echo "$SECONDS s"
done

# Of each function the size that compare.py takes for the middle one.
middle() {
  awk '{ name = $1; sub(/_[0-9]*$/, "", name); size[name, n[name]++] = $1 }
    END { for (name in n) print size[name, int(n[name] / 2)] }'
}
type -P ncu >/dev/null || exit 0
export PREDICT_REPETITIONS=1
only=(--kernel-id :::1) # the first launch of each kernel
for name in blind dependent; do
  for problem in $(problems $name); do
    [ $SECONDS -lt 500 ] || break 2
    timeout 40 ncu --clock-control none --cache-control none --csv --page raw \
      --kernel-name-base function "${only[@]}" --metrics "$NCU_METRICS" \
      "$made/$name" $(labels $name "$problem" | middle) \
      >>"$out/${name}_ncu.csv" 2>>"$out/${name}_ncu.err" ||
      echo "$problem failed: $?" >>"$out/${name}_ncu.err"
    # Where this ncu does not take that option.
    grep -q '^"' "$out/${name}_ncu.csv" || only=(--launch-count 60)
  done
  wc -l "$out/${name}_ncu.csv" "$out/${name}_ncu.err"
  echo "$SECONDS s"
done
tail -n 5 "$out"/*.err
