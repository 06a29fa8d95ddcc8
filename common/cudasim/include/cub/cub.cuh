#error "cudasim: cub is not simulated; see common/cudasim/README.md"
