#error "cudasim: thrust/merge.h is not simulated; see common/cudasim/README.md"
