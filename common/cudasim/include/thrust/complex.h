#error "cudasim: thrust/complex.h is not simulated; see common/cudasim/README.md"
