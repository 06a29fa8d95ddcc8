#error "cudasim: cub/block/block_store.cuh is not simulated; see common/cudasim/README.md"
