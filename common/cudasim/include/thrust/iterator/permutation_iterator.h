#error \
    "cudasim: thrust/iterator/permutation_iterator.h is not simulated; see common/cudasim/README.md"
