#error \
    "cudasim: cub/device/device_segmented_reduce.cuh is not simulated; see common/cudasim/README.md"
