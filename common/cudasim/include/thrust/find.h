#error "cudasim: thrust/find.h is not simulated; see common/cudasim/README.md"
