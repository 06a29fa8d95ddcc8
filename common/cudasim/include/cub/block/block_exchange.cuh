#error "cudasim: cub/block/block_exchange.cuh is not simulated; see common/cudasim/README.md"
