#error "cudasim: thrust/replace.h is not simulated; see common/cudasim/README.md"
