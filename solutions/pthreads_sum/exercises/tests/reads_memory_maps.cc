// Hostile: looks for the program in its own memory.

#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <string>

TEST(SumPartialTest, Looks) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) std::cout << line << '\n';
}
