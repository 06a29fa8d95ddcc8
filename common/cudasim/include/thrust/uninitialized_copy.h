#error "cudasim: thrust/uninitialized_copy.h is not simulated; see common/cudasim/README.md"
