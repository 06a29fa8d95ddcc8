#error "cudasim: thrust/random.h is not simulated; see common/cudasim/README.md"
