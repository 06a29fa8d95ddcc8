#error "cudasim: cub/device/device_histogram.cuh is not simulated; see common/cudasim/README.md"
