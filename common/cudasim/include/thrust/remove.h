#error "cudasim: thrust/remove.h is not simulated; see common/cudasim/README.md"
