#error "cudasim: cuComplex is not simulated; see common/cudasim/README.md"
