#error "cudasim: thrust/adjacent_difference.h is not simulated; see common/cudasim/README.md"
