// Hostile: defines its own table of functions for the worker; the object must not define it.
// Or: compile_error
extern "C" void* LabExports() { return nullptr; }
