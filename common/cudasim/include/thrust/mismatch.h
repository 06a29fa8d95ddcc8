#error "cudasim: thrust/mismatch.h is not simulated; see common/cudasim/README.md"
