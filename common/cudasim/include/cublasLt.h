#error "cudasim: cublas is not simulated; see common/cudasim/README.md"
