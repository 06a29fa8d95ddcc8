#error "cudasim: cudnn is not simulated; see common/cudasim/README.md"
