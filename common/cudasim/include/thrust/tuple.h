#error "cudasim: thrust/tuple.h is not simulated; see common/cudasim/README.md"
