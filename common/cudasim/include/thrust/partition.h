#error "cudasim: thrust/partition.h is not simulated; see common/cudasim/README.md"
