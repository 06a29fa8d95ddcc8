#error "cudasim: cub/device/device_partition.cuh is not simulated; see common/cudasim/README.md"
