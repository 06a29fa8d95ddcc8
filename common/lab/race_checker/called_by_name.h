#pragma once

// Begins the definition, in a header, of a function that compiled code calls by its name: it is
// kept where nothing is seen to call it.
#define LAB_CALLED_BY_NAME extern "C" inline __attribute__((used, visibility("default")))
