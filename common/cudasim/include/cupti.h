#error "cudasim: cupti is not simulated; see common/cudasim/README.md"
