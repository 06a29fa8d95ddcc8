#error \
    "cudasim: cub/device/device_run_length_encode.cuh is not simulated; see common/cudasim/README.md"
