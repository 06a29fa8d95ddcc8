#error "cudasim: EGL is not simulated; see common/cudasim/README.md"
