#error "cudasim: thrust/set_operations.h is not simulated; see common/cudasim/README.md"
