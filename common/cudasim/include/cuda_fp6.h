#error "cudasim: floating point of 6 bits is not simulated; see common/cudasim/README.md"
