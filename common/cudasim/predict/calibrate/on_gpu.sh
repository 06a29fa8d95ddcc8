#!/bin/bash
# Calibrates the model: OUT=FOLDER bash common/cudasim/predict/calibrate/on_gpu.sh
#
# From the repository's root, where a GPU, nvcc and ncu are. Writes to FOLDER: h100.csv, the
# micro-benchmarks; textbook.csv, the times of the textbook kernels; textbook_ncu.csv and
# textbook_sol.csv, what ncu counts for them. Takes two minutes.
set -u
out=${OUT:?set OUT to a folder}
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
export PATH=$PATH:/usr/local/cuda/bin
source common/cudasim/predict/measure/nvcc_options.sh
nvcc "${OPTIONS[@]}" -o "$made/calibrate" common/cudasim/predict/calibrate/calibrate.cu &
nvcc "${OPTIONS[@]}" "${WRAPPED[@]}" -o "$made/textbook" \
  common/cudasim/predict/calibrate/textbook.cu common/cudasim/predict/measure/timed_launches.cu &
wait
nvidia-smi -q -d CLOCK >"$out/clocks.txt" 2>&1
time "$made/calibrate" >"$out/h100.csv"
time "$made/textbook" 14 18 22 24 >"$out/textbook.csv"
ncu --version >"$out/ncu_version.txt" 2>&1
export PREDICT_REPETITIONS=1
time timeout 100 ncu --clock-control none --cache-control none --csv --page raw \
  --kernel-name-base function --metrics "$NCU_METRICS" \
  "$made/textbook" 18 22 24 >"$out/textbook_ncu.csv" 2>"$out/textbook_ncu.err"
time timeout 60 ncu --clock-control none --cache-control none --csv --page details \
  --kernel-name-base function --section SpeedOfLight --section Occupancy \
  "$made/textbook" 22 >"$out/textbook_sol.csv" 2>"$out/textbook_sol.err"
wc "$out"/*
tail -n 3 "$out"/*.err "$out/textbook.csv"
