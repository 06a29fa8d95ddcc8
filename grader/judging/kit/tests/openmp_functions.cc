// What is part of each submission: functions that clang calls for OpenMP.
#include "common/lab/exports/atomic_objects.h"
#include "common/lab/race_checker/atomics.h"
#include "common/lab/race_checker/openmp_locks.h"
#include "common/lab/race_checker/openmp_loops.h"
#include "common/lab/race_checker/task_dependences.h"
#include "common/lab/race_checker/task_memory.h"
#include "common/lab/race_checker/task_reductions.h"
#include "common/lab/race_checker/task_stealing.h"
