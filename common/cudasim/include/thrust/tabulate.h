#error "cudasim: thrust/tabulate.h is not simulated; see common/cudasim/README.md"
