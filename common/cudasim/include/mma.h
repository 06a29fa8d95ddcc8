#error "cudasim: matrix multiply-accumulate (wmma) is not simulated; see common/cudasim/README.md"
