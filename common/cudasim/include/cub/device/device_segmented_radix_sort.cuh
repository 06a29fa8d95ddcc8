#error \
    "cudasim: cub/device/device_segmented_radix_sort.cuh is not simulated; see common/cudasim/README.md"
