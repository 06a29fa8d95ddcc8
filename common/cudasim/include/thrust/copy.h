#error "cudasim: thrust is not simulated; see common/cudasim/README.md"
