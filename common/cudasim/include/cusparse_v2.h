#error "cudasim: cusparse is not simulated; see common/cudasim/README.md"
