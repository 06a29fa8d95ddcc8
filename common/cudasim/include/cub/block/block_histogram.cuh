#error "cudasim: cub/block/block_histogram.cuh is not simulated; see common/cudasim/README.md"
