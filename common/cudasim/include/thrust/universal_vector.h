#error "cudasim: thrust/universal_vector.h is not simulated; see common/cudasim/README.md"
