// The rewriter's errors for malformed text and for features that are not simulated.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/cudasim/rewriter/rewrite.h"
#include "common/cudasim/tests/rewriting.h"

namespace cudasim::rewriter {
namespace {

TEST(RewriterErrorsTest, NamesTheArgumentsThatAreNamed) {
  const auto named = [](const std::string& parameters) {
    const std::string text = RewriteText("__global__ void k(" + parameters + ") {}");
    const std::size_t begin = text.find("NameArguments(");
    return begin == std::string::npos ? ""
                                      : text.substr(begin + 14, text.find(')', begin) - begin - 14);
  };
  EXPECT_EQ(named(""), "");
  EXPECT_EQ(named("const float* __restrict__ in, M<int, 2> m, int n = 4"), "\"in,m,n\", in, m, n");
  EXPECT_EQ(named("float*, unsigned long, const T, T... rest, int (&a)[4], void (*f)(int)"), "");
}

TEST(RewriterErrorsTest, NamesTheLineOfAnUnbalancedLaunch) {
  EXPECT_EQ(ErrorOf("\n\nvoid f() {\n  k<<<1, 2>>(x);\n}"),
            "lab.cu:4: '<<<' has no matching '>>>'");
  EXPECT_EQ(ErrorOf("void f() { k<<<1, 2"), "lab.cu:1: '<<<' has no matching '>>>'");
  EXPECT_EQ(ErrorOf("void f() { k<<<(1, 2>>>(x); }"), "lab.cu:1: this '(' has no matching ')'");
}

TEST(RewriterErrorsTest, NamesTheLargestLineWhereAMarkerSaysMore) {
  EXPECT_EQ(ErrorOf("# 99999999999999999999 \"a.cu\"\n\nk<<<1, 2>>(x);"),
            "a.cu:2147483647: '<<<' has no matching '>>>'");
}

TEST(RewriterErrorsTest, RefusesMalformedLaunches) {
  EXPECT_EQ(ErrorOf("<<<1, 2>>>(x);"), "lab.cu:1: '<<<' needs a kernel's name in front of it");
  EXPECT_EQ(ErrorOf("[3]<<<1, 2>>>(x);"), "lab.cu:1: '<<<' needs a kernel's name in front of it");
  EXPECT_EQ(ErrorOf("f() + <<<1, 2>>>(x);"),
            "lab.cu:1: '<<<' needs a kernel's name in front of it");
  EXPECT_EQ(ErrorOf("k<<<1>>>(x);"), "lab.cu:1: a launch needs a grid and a block");
  EXPECT_EQ(ErrorOf("k<<<>>>(x);"), "lab.cu:1: a launch needs a grid and a block");
  EXPECT_EQ(ErrorOf("k<<<1, 2>>>;"), "lab.cu:1: '>>>' needs the kernel's arguments after it");
  EXPECT_EQ(ErrorOf("k<<<1, 2>>>(x;"), "lab.cu:1: this '(' has no matching ')'");
}

TEST(RewriterErrorsTest, RefusesLaunchesOfFunctionsThatAreNoKernels) {
  EXPECT_EQ(ErrorOf("void k(int* p) {}\nvoid f() {\n  k<<<1, 2>>>(p);\n}"),
            "lab.cu:3: 'k' is launched, but is no kernel");
  EXPECT_EQ(ErrorOf("template <class T> __device__ void k(T p) {} void f() { k<<<1, 2>>>(p); }"),
            "lab.cu:1: 'k' is launched, but is no kernel");
  for (const char* const right :
       {"__global__ void k() {} void f() { k<<<1, 2>>>(); }",
        "template <int n> __global__ __launch_bounds__(n) void k() {} void f() { k<<<1, 2>>>(); }",
        "__global__ void k(); void k() {} void f() { k<<<1, 2>>>(); }",
        "void k(float) {} __global__ void __launch_bounds__(9) k(int) {} void f() { k<<<1, "
        "2>>>(1); }",
        "void f(void k(int)) { k<<<1, 2>>>(1); }",
        "struct S { void k() {} }; void f(void (*k)()) { k<<<1, 2>>>(); }",
        "void k() {} void f(S s) { s.k<<<1, 2>>>(); n::k<<<1, 2>>>(); }"}) {
    EXPECT_EQ(ErrorOf(right), "no error") << right;
  }
}

TEST(RewriterErrorsTest, RefusesMalformedKernels) {
  EXPECT_EQ(ErrorOf("__global__ int k() { return 1; }"), "lab.cu:1: kernel 'k' must return void");
  EXPECT_EQ(ErrorOf("__global__ int x;"), "lab.cu:1: __global__ is not followed by a function");
  EXPECT_EQ(ErrorOf("__global__ void k() {\n"), "lab.cu:1: this '{' has no matching '}'");
}

TEST(RewriterErrorsTest, RefusesWhatIsNotSimulated) {
  EXPECT_EQ(ErrorOf("__global__ void k() {\n cudaDeviceSynchronize(); }"),
            "lab.cu:2: cudaDeviceSynchronize is not in CUDA's device code");
  EXPECT_EQ(ErrorOf("__global__ void k() {\n cudaStreamCreate(&s); }"),
            "lab.cu:2: cudaStreamCreate is not in CUDA's device code");
  EXPECT_EQ(ErrorOf("__global__ void k() {\n cudaMemsetAsync(p, 0, 4); }"),
            "lab.cu:2: cudaMemsetAsync is not simulated in device code");
  EXPECT_EQ(ErrorOf("__global__ void k() {\n graph.cudaMalloc(); }"), "no error");
  EXPECT_EQ(ErrorOf("void f() { cudaDeviceSynchronize(); }"), "no error");
  EXPECT_EQ(ErrorOf("__shared__ int x;"),
            "lab.cu:1: a __shared__ variable outside a function is not simulated");
}

TEST(RewriterErrorsTest, RefusesCallsOfHostFunctionsInKernels) {
  const std::string half = "int Half(int x) { return x / 2; }\n";
  const std::string error =
      "lab.cu:2: calling the __host__ function 'Half' from a __global__ or __device__ function is "
      "not allowed";
  for (const std::string& wrong :
       {half + "__global__ void k(int* a) { a[0] = Half(2); }",
        half + "__device__ int f(int x) { return Half(x); }",
        half + "template <class T> __global__ void k(T* a) { a[0] = 3 * Half(2); }",
        std::string("struct S { int Half() const { return 1; } };\n") +
            "__global__ void k(S s, int* a) { a[0] = s.Half(); }"}) {
    EXPECT_EQ(ErrorOf(wrong), error) << wrong;
  }
}

TEST(RewriterErrorsTest, TakesCallsThatDeviceCodeMayMake) {
  const std::string half = "int Half(int x) { return x / 2; }\n";
  for (const std::string& right :
       {std::string("constexpr int Half(int x) { return x / 2; }\n") +
            "__global__ void k(int* a) { a[0] = Half(2); }",
        half + "__device__ float Half(float x) { return x / 2; }\n" +
            "__global__ void k(float* a) { a[0] = Half(a[1]); }",
        "__device__ int Half(int x);\n" + half + "__global__ void k(int* a) { a[0] = Half(2); }",
        half + "__global__ void k(int* a) { auto Half = [](int x) { return x; }; *a = Half(2); }",
        half + "template <class F> __global__ void k(F Half, int* a) { a[0] = Half(2); }",
        half + "__global__ void k(int* a) { a[0] = sizeof(Half(2)); }",
        half + "__host__ __device__ int f(int x) { return Half(x); }",
        half + "void f(int* a) { k<<<1, 2>>>(Half(2)); }",
        std::string("struct Half { int x; Half(int y) : x(y) {} };\n") +
            "__global__ void k(int* a) { a[0] = Half(2).x; }"}) {
    EXPECT_EQ(ErrorOf(right), "no error") << right;
  }
}

TEST(RewriterErrorsTest, RefusesPtxButNoLaunchesOfTheDevice) {
  EXPECT_EQ(ErrorOf("__device__ void f() {\n asm volatile(\"lop3.b32 %0, %1;\" : \"=r\"(x)); }"),
            "lab.cu:2: inline PTX is not simulated: lop3.b32 %0, %1");
  EXPECT_EQ(ErrorOf("__global__ void k() { asm volatile(\"\" ::: \"memory\"); }"), "no error");
  EXPECT_EQ(ErrorOf("void f() { asm(\"nop\"); }"), "no error");
  EXPECT_EQ(ErrorOf("__device__ void f() { k<<<1, 2>>>(); }"), "no error");
  EXPECT_EQ(ErrorOf("__host__ __device__ void f() { k<<<1, 2>>>(); }"), "no error");
  EXPECT_EQ(ErrorOf("__global__ void __cluster_dims__() k() {}"),
            "lab.cu:1: __cluster_dims__ needs the cluster's extent in blocks");
  EXPECT_EQ(ErrorOf("__global__ void __cluster_dims__(R\"(\n)\") k() {}"),
            "lab.cu:1: __cluster_dims__ needs the cluster's extent in blocks");
}

TEST(RewriterErrorsTest, RefusesMalformedSharedVariables) {
  EXPECT_EQ(ErrorOf("void f() { __shared__ int x = 1; }"),
            "lab.cu:1: a __shared__ variable cannot have an initialiser");
  EXPECT_EQ(ErrorOf("void f() { __shared__ float s[]; }"),
            "lab.cu:1: a __shared__ array without a size needs 'extern'");
  EXPECT_EQ(ErrorOf("void f() { __shared__ int x }"),
            "lab.cu:1: the __shared__ declaration has no ';'");
}

TEST(RewriterErrorsTest, PassesThroughTextThatIsNotCpp) {
  for (const std::string text :
       {"", "\n", "<", "<<", "\"", "'", "R\"(", "\x80\xff\x01", "<<\n<", "# "}) {
    EXPECT_EQ(Rewrite(text), text);
  }
}

TEST(RewriterErrorsTest, EndsOnAnyDamagedProgram) {
  const std::vector<std::string> tokens = {
      "template",   "<",          "class",  "T", ">",      "__global__", "void", "k",   "(",   "T",
      "*",          "p",          ")",      "{", "extern", "__shared__", "int",  "s",   "[",   "]",
      ";",          "__shared__", "struct", "{", "int",    "a",          ";",    "}",   "t",   ",",
      "u",          ";",          "p",      "[", "0",      "]",          "=",    "1",   ";",   "}",
      "__device__", "int",        "(",      "*", "f",      ")",          "(",    "int", ")",   ";",
      "void",       "g",          "(",      ")", "{",      "k",          "<",    "A",   "<",   "B",
      ">",          ">",          "<<<",    "1", ",",      "2",          ">>>",  "(",   "p",   ")",
      ";",          "o",          ".",      "k", "<<<",    "1",          ",",    "2",   ">>>", "(",
      ")",          ";",          "}"};
  const auto text_of = [](const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += word + " ";
    return text;
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    for (std::size_t j = i % 3; j <= tokens.size(); j += 3) {
      std::vector<std::string> damaged = tokens;
      const std::string moved = damaged[i];
      if (j != i) damaged.insert(damaged.begin() + static_cast<std::ptrdiff_t>(j), moved);
      if (j % 2 == 0) damaged.erase(damaged.begin() + static_cast<std::ptrdiff_t>(i));
      const std::string error = ErrorOf(text_of(damaged));
      EXPECT_TRUE(error == "no error" || error.starts_with("lab.cu:1: ")) << error;
    }
  }
}

TEST(RewriterErrorsTest, RewritesLongFiles) {
  std::string text;
  for (int i = 0; i < 5'000; ++i) {
    text +=
        "__global__ void k(int* p) { __shared__ int s[4]; s[0] = *p; }\nvoid f() { k<<<1, 2>>>(0); "
        "}\n";
  }
  const std::string rewritten = RewriteText(text);
  EXPECT_EQ(std::count(rewritten.begin(), rewritten.end(), '\n'),
            10'004);  // with three of a declaration
}

}  // namespace
}  // namespace cudasim::rewriter
