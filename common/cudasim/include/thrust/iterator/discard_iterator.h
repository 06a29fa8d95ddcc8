#error "cudasim: thrust/iterator/discard_iterator.h is not simulated; see common/cudasim/README.md"
