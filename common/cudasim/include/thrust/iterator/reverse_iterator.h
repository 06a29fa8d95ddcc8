#error "cudasim: thrust/iterator/reverse_iterator.h is not simulated; see common/cudasim/README.md"
