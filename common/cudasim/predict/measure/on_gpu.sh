#!/bin/bash
# Times kernels that the model is fitted to, and those that it is judged by:
#   [SETS="NAME..."] [SIZES="SIZE..."] [LIMIT_S=S] OUT=FOLDER bash .../predict/measure/on_gpu.sh
#
# From the repository's root, where a GPU and nvcc are. NAME is dependent (calibrate/dependent.h),
# blind (blind/blind.h), coursework (coursework/coursework.h) or exercises (exercises/exercises.h);
# without SETS the first two. Writes to FOLDER for each: NAME.csv, its times, and NAME.err, what
# failed; where ncu is, NAME_ncu.csv, what it sees of each kernel's first launch in the middle size,
# and NAME_ncu.err. With SIZES "middle first last" also NAME_ncu_first.csv and NAME_ncu_last.csv,
# the same of the smallest and the largest size. versions.txt and build.txt are of all. After
# LIMIT_S seconds (500) nothing is begun any more, what was may take 60 more. Two sets take about
# six minutes.
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
read -ra sets <<<"${SETS:-dependent blind}"
read -ra sizes <<<"${SIZES:-middle}"
limit_s=${LIMIT_S:-500}
dependent=($predict/calibrate/{dependent,chains,searches,walks,gathers}.cu)
blind=($predict/measure/blind/*.cu)
coursework=($predict/measure/coursework/*.cu)
exercises=($predict/measure/exercises/*.cu)
common=($predict/measure/{workload,compared_versions}.cc $predict/measure/timed_launches.cu)
for name in "${sets[@]}" common; do
  declare -n files=$name
  for file in "${files[@]}"; do object "$file" & done
done
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
for name in "${sets[@]}"; do
  declare -n files=$name
  program $name "${files[@]}"
done

# The problems of a program: functions, or what stands before the dot.
problems() { "$made/$1" | sed 's/[._].*//' | uniq; }
# labels NAME PROBLEM: of all its functions and sizes.
labels() { "$made/$1" | grep "^$2[._]"; }
for name in "${sets[@]}"; do
  sed -n 's/.*"\(label,.*\)\\n";/\1/p' $predict/measure/timed_launches.h >"$out/$name.csv"
  : >"$out/$name.err"
  # Each by itself, so that one that fails costs no other.
  for problem in $(problems $name); do
    [ $SECONDS -lt $limit_s ] || break
    timeout 60 "$made/$name" $(labels $name "$problem") >>"$out/$name.csv" 2>>"$out/$name.err" ||
      echo "$problem failed: $?" >>"$out/$name.err"
  done
  wc -l "$out/$name.csv" "$out/$name.err"
  echo "$SECONDS s"
done

# Programs of compared_versions.h can compare what their kernels compute.
for name in "${sets[@]}"; do
  [[ " coursework exercises " == *" $name "* ]] || continue
  for size in 0 1 2; do
    timeout 60 "$made/$name" --check $size 2>&1 | tee -a "$out/build.txt"
  done
done

# of_size first|middle|last: of each function one size; the middle one is what compare.py takes.
of_size() {
  awk -v which="$1" '{ name = $1; sub(/_[0-9]*$/, "", name); size[name, n[name]++] = $1 }
    END {
      for (name in n)
        print size[name, which == "first" ? 0 : which == "last" ? n[name] - 1 : int(n[name] / 2)]
    }'
}
type -P ncu >/dev/null || exit 0
export PREDICT_REPETITIONS=1
only=(--kernel-id :::1) # the first launch of each kernel
# lights NAME PROBLEM SIZE CSV: what ncu sees of the kernels in one size.
lights() {
  [ $SECONDS -lt $limit_s ] || return
  timeout 40 ncu --clock-control none --cache-control none --csv --page raw \
    --kernel-name-base function "${only[@]}" --metrics "$NCU_METRICS" \
    "$made/$1" $(labels $1 "$2" | of_size "$3") >>"$4" 2>>"$out/$1_ncu.err" ||
    echo "$2 failed: $?" >>"$out/$1_ncu.err"
  # Where this ncu does not take that option.
  grep -q '^"' "$4" || only=(--launch-count 60)
}
for size in "${sizes[@]}"; do
  for name in "${sets[@]}"; do
    csv=$out/${name}_ncu.csv
    [ "$size" = middle ] || csv=$out/${name}_ncu_$size.csv
    for problem in $(problems $name); do lights $name "$problem" "$size" "$csv"; done
    wc -l "$csv" "$out/${name}_ncu.err"
    echo "$SECONDS s"
  done
done
tail -n 5 "$out"/*.err
