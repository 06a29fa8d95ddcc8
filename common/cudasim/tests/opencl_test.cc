// OpenCL C in raw string literals.
#include "common/cudasim/rewriter/opencl.h"

#include <gtest/gtest.h>

#include <string>

#include "common/cudasim/rewriter/lexer.h"
#include "common/cudasim/tests/rewriting.h"

namespace cudasim::rewriter {
namespace {

std::string Translated(const std::string& text) {
  Unit unit = Lex("# 1 \"lab.cxx\"\n" + PreprocessOpenCl(text, "lab.cxx", 1));
  RewriteOpenCl(unit);
  return Print(unit);
}

std::string RefusalOf(const std::string& text) {
  try {
    Translated(text);
  } catch (const RewriteError& e) {
    return std::to_string(e.line()) + ": " + e.what();
  }
  return "no error";
}

TEST(OpenClRewriterTest, TurnsQualifiersIntoTheSimulators) {
  EXPECT_TRUE(Has(Translated("__kernel void f(__global int* a, __local float* t) {}"),
                  "__global__ void f(int* a, ::opencl_c::Local<float> t) {}"));
  EXPECT_TRUE(Has(Translated("void f(local float* t) { local int a[4], b; local int* p = a; }"),
                  "__device__ void f(float* t) { __shared__ int a[4], b; int* p = a; }"));
  EXPECT_TRUE(Has(Translated("constant int k = 3; void f(constant int* p) {}"),
                  "__constant__ int k = 3; __device__ void f(const int* p) {}"));
}

TEST(OpenClRewriterTest, TurnsLiteralsOfVectorsIntoConstructors) {
  EXPECT_TRUE(Has(Translated("float4 k() { return (float4)(1, 2, 3, 4) * (float4)(2); }"),
                  "return float4(1, 2, 3, 4) * float4(2);"));
  EXPECT_TRUE(Has(Translated("float k(float4 v) { return (float)(v.x); }"), "(float)(v.x)"));
}

TEST(OpenClRewriterTest, AppliesMacrosAndKeepsLines) {
  EXPECT_EQ(PreprocessOpenCl("#define N 2\n/* a\nb */ int a[N * NN]; // N\n", "f", 1),
            "\n    \n     int a[2 * NN];     \n");
  EXPECT_EQ(PreprocessOpenCl("#define A 1\n#define B (A + 1)\nB", "f", 1), "\n\n(1 + 1)");
  EXPECT_EQ(PreprocessOpenCl("int N;\n#define N 2\nN", "f", 1), "int N;\n\n2");
}

TEST(OpenClRewriterTest, RefusesWhatIsNotOpenClC) {
  EXPECT_EQ(RefusalOf("\ntemplate <class T> void f();"), "2: OpenCL C has no 'template'");
  EXPECT_EQ(RefusalOf("__kernel void f() { int i = threadIdx.x; }"),
            "1: OpenCL C has no 'threadIdx'");
  EXPECT_EQ(RefusalOf("void f() { __tsan_read1(0); }"), "1: OpenCL C has no '__tsan_read1'");
  EXPECT_EQ(RefusalOf("#define M(x) x\n"),
            "1: a kernel's text may have only '#define NAME value' and '#pragma'");
  EXPECT_EQ(RefusalOf("\n#include <x.h>\n"),
            "2: a kernel's text may have only '#define NAME value' and '#pragma'");
  EXPECT_EQ(RefusalOf("__kernel void f(__local int n) {}"),
            "1: a kernel's parameter in local memory is a pointer");
  EXPECT_EQ(RefusalOf("void f() { double x = 1; }"), "1: the device has no 'double'");
  EXPECT_EQ(RefusalOf("void f() { dim3 x; }"), "1: OpenCL C has no 'dim3'");
  EXPECT_EQ(RefusalOf("#define N 1\n#define N 2\n"), "2: 'N' is defined twice");
}

TEST(OpenClRewriterTest, RefusesAnAttributeWithoutItsBrackets) {
  EXPECT_EQ(RefusalOf("\nvoid h(uint n) __attribute__ global ((no_sanitize_thread));"),
            "2: __attribute__ is not followed by '(('");
}

TEST(OpenClRewriterTest, LeavesASpaceForAWordThatItRemoves) {
  for (const std::string word : {"global", "private", "kernel", "__attribute__((x))"}) {
    EXPECT_EQ(Translated("int a[[gnu:" + word + ":x]];").find("::"), std::string::npos) << word;
  }
  EXPECT_EQ(Translated("int a = b /local* c;").find("/*"), std::string::npos);
  EXPECT_EQ(Translated("int a = b(float4)(c);").find("bfloat4"), std::string::npos);
}

TEST(OpenClRewriterTest, RefusesLiteralsWhichCouldHideText) {
  EXPECT_EQ(RefusalOf("\nint z = 1'0 /* \" */; asm /* \" */;"),
            "2: a kernel's text may not have ' here");
  EXPECT_EQ(RefusalOf("#define Q \"\n"), "1: a kernel's text may not have \" here");
  EXPECT_EQ(RefusalOf("int a;\\\n"), "1: a kernel's text may not have \\ here");
  EXPECT_EQ(RefusalOf("// \"don't\"\nint a; /* '\\' */"), "no error");
}

TEST(OpenClRewriterTest, RefusesCommentsAndDigraphsMadeOfMacros) {
  EXPECT_EQ(RefusalOf("#define S /\nS* asm *S"), "2: '/' stands directly before '*'");
  EXPECT_EQ(RefusalOf("#define S /\nS/ x"), "2: '/' stands directly before '/'");
  EXPECT_EQ(RefusalOf("#define P %\nP:pragma weak a=b"), "2: '%' stands directly before ':'");
  EXPECT_EQ(RefusalOf("int a = b / *c;"), "no error");
}

TEST(OpenClRewriterTest, RefusesDirectivesMadeOfMacros) {
  EXPECT_EQ(RefusalOf("\n#define H #pragma weak a=b\nH\n"),
            "2: a kernel's text may not have # here");
  EXPECT_EQ(RefusalOf("#define E\nE#pragma weak a=b\n"), "2: a kernel's text may not have # here");
}

TEST(OpenClRewriterTest, PlacesKernelsBehindHeadersAtTheirLines) {
  const std::string text =
      "# 1 \"lab.cxx\"\n# 1 \"cudasim/opencl_c.h\" 1 3\nint h;\n# 2 \"lab.cxx\" 2\n"
      "int before;\nconst char* t = R\"(\n__kernel void Add(__global int* a) {})\";\n";
  const std::string placed = PlaceOpenClKernels(text);
  EXPECT_TRUE(Has(placed,
                  "namespace opencl_c::program_1 {\n# 3 \"lab.cxx\"\n\n"
                  "__global__ void Add(int* a) {}\n}"));
  EXPECT_TRUE(Has(placed, "KernelOf(\"Add\", &::opencl_c::program_1::Add)"));
  EXPECT_LT(placed.find("program_1"), placed.find("int before;"));
  EXPECT_NE(placed.find("R\"(\n__kernel void Add(__global int* a) {})\""), std::string::npos);
}

}  // namespace
}  // namespace cudasim::rewriter
