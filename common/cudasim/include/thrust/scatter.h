#error "cudasim: thrust/scatter.h is not simulated; see common/cudasim/README.md"
