#error "cudasim: cuda_occupancy.h is not simulated; see common/cudasim/README.md"
