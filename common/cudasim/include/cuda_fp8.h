#error "cudasim: floating point of 8 bits is not simulated; see common/cudasim/README.md"
