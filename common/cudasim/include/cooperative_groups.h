#error "cudasim: cooperative groups are not simulated; see common/cudasim/README.md"
