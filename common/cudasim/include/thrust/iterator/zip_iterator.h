#error "cudasim: thrust/iterator/zip_iterator.h is not simulated; see common/cudasim/README.md"
