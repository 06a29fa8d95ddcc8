#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "grader/sandbox/jail/descriptor.h"

namespace grader {

// The contents of a small file, such as the kernel's; nullopt when it cannot be read.
std::optional<std::string> ReadFile(const std::string& path);

// Writes a value to an existing file in one write(2), as control files demand.
bool WriteControlFile(const std::string& path, std::string_view value);

// As ReadFile, from the start of an open file: each call reads a control file's current value.
std::optional<std::string> ReadOpenFile(int fd);

// The number after `key` and a space in a text of "key number" lines, or fallback.
long long NumberAfter(std::string_view text, std::string_view key, long long fallback);

// Both ends of a pipe, closed on exec: {read, write}. Throws JailError.
std::pair<Descriptor, Descriptor> MakePipe();

// An anonymous file with these contents, at offset 0 and close-on-exec. Throws JailError.
Descriptor MakeMemoryFile(const char* name, std::string_view contents);

}  // namespace grader
