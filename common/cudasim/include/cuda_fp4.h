#error "cudasim: floating point of 4 bits is not simulated; see common/cudasim/README.md"
