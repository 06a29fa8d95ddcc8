#error "cudasim: npp is not simulated; see common/cudasim/README.md"
