#error "cudasim: nvjpeg is not simulated; see common/cudasim/README.md"
