// What is part of each submission: functions that clang calls for OpenMP.
#include "common/lab/atomic_objects.h"
#include "common/lab/openmp_locks.h"
#include "common/lab/task_dependences.h"
#include "common/lab/task_memory.h"
#include "common/lab/task_reductions.h"
#include "common/lab/task_stealing.h"
