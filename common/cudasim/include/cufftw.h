#error "cudasim: cufft is not simulated; see common/cudasim/README.md"
