#error "cudasim: VDPAU is not simulated; see common/cudasim/README.md"
