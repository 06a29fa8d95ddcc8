#error "cudasim: thrust/equal.h is not simulated; see common/cudasim/README.md"
