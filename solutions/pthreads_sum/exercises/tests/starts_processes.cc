// Hostile: by a process of its own, and by the address of the table of functions.

#include <gtest/gtest.h>
#include <unistd.h>

extern "C" const void* LabExports();

TEST(SumPartialTest, Forks) { EXPECT_EQ(fork(), 0) << LabExports(); }
