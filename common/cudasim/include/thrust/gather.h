#error "cudasim: thrust/gather.h is not simulated; see common/cudasim/README.md"
