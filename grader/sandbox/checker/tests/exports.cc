#include "common/lab/exports/exports.h"

#include "grader/sandbox/checker/tests/roots.h"

LAB_EXPORTS(LAB_EXPORT(Roots), LAB_EXPORT(TeamRoots), LAB_EXPORT(Total));
