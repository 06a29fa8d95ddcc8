#error "cudasim: the driver API is not simulated; see common/cudasim/README.md"
