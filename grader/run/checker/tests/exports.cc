#include "common/lab/exports.h"

#include "grader/run/checker/tests/roots.h"

LAB_EXPORTS(LAB_EXPORT(Roots), LAB_EXPORT(TeamRoots), LAB_EXPORT(Total));
