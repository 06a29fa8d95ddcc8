#error "cudasim: cusolver is not simulated; see common/cudasim/README.md"
