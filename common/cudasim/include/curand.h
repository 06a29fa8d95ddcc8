#error "cudasim: curand is not simulated; see common/cudasim/README.md"
