#error "cudasim: cub/device/device_merge_sort.cuh is not simulated; see common/cudasim/README.md"
