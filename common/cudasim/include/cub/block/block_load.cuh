#error "cudasim: cub/block/block_load.cuh is not simulated; see common/cudasim/README.md"
