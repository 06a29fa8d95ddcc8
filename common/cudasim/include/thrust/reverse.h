#error "cudasim: thrust/reverse.h is not simulated; see common/cudasim/README.md"
