// Tells what was counted: as JSON, and as a table.
#pragma once

#include <string>

namespace cudasim {

// Makes the end of the process report; from the first launch on.
void ReportAtExit();

// common/cudasim/README.md describes both.
std::string ProfileAsJson();
std::string ProfileAsTable();

}  // namespace cudasim
