#error "cudasim: thrust/binary_search.h is not simulated; see common/cudasim/README.md"
