#error "cudasim: thrust/uninitialized_fill.h is not simulated; see common/cudasim/README.md"
