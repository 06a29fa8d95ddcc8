#error "cudasim: thrust/transform_scan.h is not simulated; see common/cudasim/README.md"
