#error "cudasim: OpenGL is not simulated; see common/cudasim/README.md"
