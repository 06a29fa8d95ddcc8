// Reports the profile as JSON and as a table.
#pragma once

#include <string>

namespace cudasim {

// Arranges for a report at the end of the process.  Called at each launch.
void ReportAtExit();

// common/cudasim/README.md describes both.
std::string ProfileAsJson();
std::string ProfileAsTable();

}  // namespace cudasim
