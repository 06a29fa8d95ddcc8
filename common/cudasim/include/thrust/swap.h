#error "cudasim: thrust/swap.h is not simulated; see common/cudasim/README.md"
