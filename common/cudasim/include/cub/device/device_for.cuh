#error "cudasim: cub/device/device_for.cuh is not simulated; see common/cudasim/README.md"
