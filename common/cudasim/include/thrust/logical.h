#error "cudasim: thrust/logical.h is not simulated; see common/cudasim/README.md"
