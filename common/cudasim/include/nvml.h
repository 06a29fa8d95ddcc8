#error "cudasim: NVML is not simulated; see common/cudasim/README.md"
