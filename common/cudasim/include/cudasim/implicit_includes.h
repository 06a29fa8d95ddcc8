// What programs use without an include, because nvcc's own headers bring it.
#pragma once

#include <assert.h>
#include <ctype.h>
#include <malloc.h>
#include <sys/time.h>

#include <limits>
#include <new>

#if __has_include(<bits/chrono.h>)
#include <bits/chrono.h>  // <chrono> without its calendars, which take 0.2 s to compile
#else
#include <chrono>
#endif
