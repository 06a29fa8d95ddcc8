#error "cudasim: thrust/zip_function.h is not simulated; see common/cudasim/README.md"
