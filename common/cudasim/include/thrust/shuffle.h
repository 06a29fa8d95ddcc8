#error "cudasim: thrust/shuffle.h is not simulated; see common/cudasim/README.md"
