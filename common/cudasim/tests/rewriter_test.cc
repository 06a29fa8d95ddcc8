// The rewriter's output for CUDA syntax.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/cudasim/rewriter/rewrite.h"
#include "common/cudasim/tests/rewriting.h"

namespace cudasim::rewriter {
namespace {

TEST(RewriterTest, LeavesPlainCppUntouched) {
  const std::string text = InFile("int main() { auto x = 1 << 2 >> 1; return x; }\n");
  EXPECT_EQ(Rewrite(text), text);
}

TEST(RewriterTest, TurnsALaunchIntoConfigurationAndCall) {
  EXPECT_EQ(RewriteText("void f() { k<<<g, b>>>(x, y); }"),
            InFile("void f() { (::cudasim::Configure(\"lab.cu\", 1, g, b), k (x, y)); }"));
}

TEST(RewriterTest, TakesLaunchesAsSomeEditorsFormatThem) {
  EXPECT_TRUE(Has(RewriteText("k << <1, n >> 2 >> > (x);"), "1, n >> 2), k (x))"));
  EXPECT_TRUE(
      Has(RewriteText("k<A<B<C<int>> >> << <1, 2 >> >(x);"), "1, 2), k<A<B<C<int>> >>(x))"));
  const std::string shift = "template <class T> T& operator<< <T>(T&, F<G<H<T>> >(3));";
  EXPECT_EQ(RewriteText(shift), InFile(shift));
}

TEST(RewriterTest, KeepsLinesWhenALaunchSpansSeveral) {
  const std::string text = RewriteText("k<<<grid,\n     block\n>>>(a,\n b);\nint last;");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_TRUE(Has(text, "\nint last;"));
}

TEST(RewriterTest, UsesFileAndLineOfTheMarkers) {
  EXPECT_TRUE(Has(Rewrite("# 7 \"sub/a \\\"b\\\".cu\" 2\n\nk<<<1, 2>>>();"),
                  "Configure(\"sub/a \\\"b\\\".cu\", 8, 1, 2)"));
}

TEST(RewriterTest, LeavesSystemHeadersUntouched) {
  const std::string text = "# 1 \"/usr/include/x.h\" 1 3\nint a <<< b; __shared__ ( {\n";
  EXPECT_EQ(Rewrite(text), text);
}

TEST(RewriterTest, LeavesStringsAndCharactersUntouched) {
  const std::string text = InFile(
      "const char* a = \"k<<<1,2>>>() __shared__\"; char b = '<';\n"
      "auto c = R\"x(\n__global__ \" <<< )x\"; int d = 1'000;\n");
  EXPECT_EQ(Rewrite(text), text);
}

TEST(RewriterTest, FindsALaunchBehindAStringThatFollowsASuffixOfTheUsers) {
  EXPECT_TRUE(Has(RewriteText("auto a = \"a\"R\"(\"; k<<<1, 2>>>(); //)\""), "1, 2), k())"));
  EXPECT_TRUE(Has(RewriteText("auto a = 'a'_R\"(\"; k<<<1, 2>>>(); //)\""), "1, 2), k())"));
}

TEST(RewriterTest, PassesReferencesAndClassesAsNvccDoes) {
  const std::string text =
      RewriteText("__global__ void k(const S& a, T b, int c, T* d) { d[c] = b; }");
  EXPECT_TRUE(Has(text, "[=, &a, cudasim_b = ::cudasim::Argument<decltype(b)>(b)]() mutable"));
  EXPECT_TRUE(Has(text, "[[maybe_unused]] auto& b = cudasim_b.value();"));
  EXPECT_FALSE(Has(RewriteText("__global__ void k(T b) { decltype(b) c = b; }"), "cudasim_b"));
}

TEST(RewriterTest, ListsIndicesThatRunOverAllRows) {
  EXPECT_TRUE(Has(RewriteText("void f() { a[0][i] = 1; }"), "FlatIndex cudasim_flat_places[]"));
  EXPECT_FALSE(Has(RewriteText("void f() { a[0][1] = a[j][i]; }"), "FlatIndex"));
}

TEST(RewriterTest, MarksAtomicAddsAndExchangesWhoseResultIsNotUsed) {
  const auto marked = [](const std::string& text) {
    return RewriteText(text).find("ResultUnused()") != std::string::npos;
  };
  EXPECT_TRUE(marked("{ atomicAdd(&a[f(i)], 1); }"));
  EXPECT_TRUE(marked("{ if (c) ::atomicAdd(p, 1); }"));
  EXPECT_TRUE(marked("{ if (c) f(); else atomicAdd_block(p, 1); }"));
  EXPECT_TRUE(marked("{ atomicExch(p, 0); }"));
  EXPECT_FALSE(marked("{ x = atomicAdd(p, 1); }"));
  EXPECT_FALSE(marked("{ f(atomicAdd(p, 1)); }"));
  EXPECT_FALSE(marked("{ x = (int)atomicAdd(p, 1); }"));
  EXPECT_FALSE(marked("int atomicAdd(int* p, int v);"));
}

// It would put what follows on other lines.
TEST(RewriterTest, RepeatsNoParameterWithALineEndInside) {
  const std::string text = RewriteText("__global__ void k(decltype(R\"(\n)\"[0]) p) {}");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);  // the line marker's and its own
}

TEST(RewriterTest, PassesOnTheClusterOfTheKernelOrItsDeclaration) {
  for (const char* const source :
       {"__global__ void __cluster_dims__(2, N, 1) k() {}",
        "template <int N> __cluster_dims__(2, N, 1) __global__ void k() {}",
        "__global__ void __cluster_dims__(2, N, 1) k(); __global__ void k() {}"}) {
    const std::string text = RewriteText(source);
    EXPECT_TRUE(Has(text, "cudasim_kernel{\"k\", \"lab.cu\", 1, 1, {2, N, 1}}")) << text;
    EXPECT_FALSE(Has(text, "__cluster_dims__")) << text;
  }
  const std::string two =
      RewriteText("__global__ void __cluster_dims__(2) j() {} __global__ void k() {}");
  EXPECT_TRUE(Has(two, "cudasim_kernel{\"k\", \"lab.cu\", 1, 1}")) << two;
}

TEST(RewriterTest, MarksAssignmentsToVolatileElementsInPlainMode) {
  const std::string headers =
      "# 1 \"x/cuda_runtime.h\" 1 3\nauto InLockstep();\n# 1 \"lab.cu\" 2\n";
  const auto rewritten = [&](const std::string& body) {
    return Rewrite(headers + "__device__ void F(volatile int* v, int* p) { " + body + " }");
  };
  const auto update = [](const std::string& element) {
    return "::cudasim::InLockstep<true>(" + element + ")";
  };
  EXPECT_TRUE(Has(rewritten("v[i] += 1;"), "{ " + update("v[i]") + " += 1;"));
  EXPECT_TRUE(Has(rewritten("if (i < 2) v[i] <<= 1;"), ") " + update("v[i]") + " <<= 1;"));
  EXPECT_TRUE(Has(rewritten("s.v[i] = x + s.v[i + 1];"), update("s.v[i]") + " = x"));
  EXPECT_TRUE(Has(rewritten("*(v + i) = *(v + 2);"), update("*(v + i)") + " = *(v + 2);"));
  EXPECT_TRUE(
      Has(rewritten("((volatile int*)q)[i] -= 1;"), update("((volatile int*)q)[i]") + " -= 1;"));
  EXPECT_TRUE(Has(rewritten("v[i] = x;"), "::cudasim::InLockstep<false>(v[i]) = x;"));
  for (const char* const other :
       {"q[i] += 1;", "v[i] == 1;", "x = v[i];", "auto [v] = a;", "int v[2] = {};", "v* w[2] = {};",
        "asm volatile(\"\"); q[i] = 1;"}) {
    EXPECT_FALSE(Has(rewritten(other), "InLockstep<")) << other;
  }
  EXPECT_FALSE(Has(RewriteText("__device__ void F(volatile int* v) { v[i] += 1; }"), "InLockstep"));
}

std::string NotesOf(const std::string& text) {
  std::vector<std::string> notes;
  Rewrite(InFile(text), Linkage::kAcrossFiles, &notes);
  std::string all;
  for (const std::string& note : notes) all += note.substr(0, note.find(':', 16)) + ";";
  return all;
}

TEST(RewriterTest, NotesThatArraysOfOneFunctionShareAnAddress) {
  constexpr char kNote[] = "lab.cu:3: note: 'b' begins at the same address as 'a' (line 2);";
  EXPECT_EQ(NotesOf("__global__ void K() {\nextern __shared__ float a[];\n"
                    "extern __shared__ int b[];\na[0] = b[0]; }"),
            kNote);
  EXPECT_EQ(NotesOf("\nextern __shared__ alignas(16) float a[];\nextern int __shared__ b[][4];\n"
                    "__device__ void Get() { a[0] = 1; if (true) { b[0][1] = 2; } }"),
            kNote);
  EXPECT_EQ(NotesOf("\nextern __shared__ float a[];\ntemplate <class T> __global__ void K() { "
                    "extern __shared__ T b[]; b[0] = a[1]; }"),
            kNote);
}

TEST(RewriterTest, NotesNothingWhereNoFunctionUsesTwoArrays) {
  EXPECT_EQ(NotesOf("__global__ void K() { extern __shared__ float a[]; a[0] = 1; }\n"
                    "__global__ void L() { extern __shared__ int b[]; b[0] = 1; }"),
            "");
  EXPECT_EQ(NotesOf("extern __shared__ float a[];\nextern __shared__ int b[];\n"
                    "__global__ void K() { a[0] = 1; }\n__global__ void L() { b[0] = 1; }"),
            "");
  EXPECT_EQ(NotesOf("__global__ void K(bool x) { if (x) { extern __shared__ int a[]; a[0] = 1; } "
                    "else { extern __shared__ float b[]; b[0] = 1; } }"),
            "");
  EXPECT_EQ(NotesOf("__global__ void K() { extern __shared__ char a[]; __shared__ int b[4]; "
                    "int* c = (int*)a + 4; b[0] = c[0]; }"),
            "");
}

TEST(RewriterTest, PutsNoFunctionsAndConstantsIntoSectionsOfDeviceVariables) {
  EXPECT_FALSE(Has(RewriteText("__device__ __managed__ int x;"), "cudasim_device"));
  EXPECT_FALSE(Has(RewriteText("__device__ int f(int x) { return x; }"), "section"));
  EXPECT_FALSE(
      Has(RewriteText("struct S { __device__ int operator[](int i) const; };"), "section"));
  EXPECT_FALSE(Has(RewriteText("auto f = [=] __device__ (int i) { return i; };"), "section"));
  EXPECT_FALSE(Has(RewriteText("__constant__ const int two = 2;"), "section"));
}

TEST(RewriterTest, SetsVariablesBehindAnyAttributeApart) {
  const std::string section = "used, section(\"cudasim_device\")";
  EXPECT_TRUE(Has(RewriteText("__attribute__((aligned(16))) __device__ int x[4];"), section));
  EXPECT_TRUE(Has(RewriteText("__device__ int (*f)(int) = g;"), section));
  EXPECT_TRUE(Has(RewriteText("__device__ Box<(1 > 2)> x;"), section));
  EXPECT_FALSE(Has(RewriteText("__device__ int (*f(int))(int);"), section));
  EXPECT_FALSE(Has(RewriteText("auto f = [=](int i) __device__ -> int { return i; };"), section));
  EXPECT_FALSE(Has(RewriteText("auto f = [=] __host__ __device__ { return 1; };"), section));
}

TEST(RewriterTest, BlanksPragmasOfDeviceCompilers) {
  EXPECT_EQ(RewriteText("#pragma unroll 4\nint a;\n#pragma GCC ivdep\n"),
            InFile("\nint a;\n#pragma GCC ivdep\n"));
}

TEST(RewriterTest, KeepsDeviceCodeInItsFileIfAsked) {
  const auto one_file = [](const std::string& text) {
    return Rewrite(InFile(text), Linkage::kOneFile);
  };
  EXPECT_TRUE(Has(one_file("__device__ int f();"), "static __attribute__((unused)) int f();"));
  EXPECT_TRUE(Has(one_file("__constant__ float t[4];"), "static __attribute__((unused))"));
  for (const std::string text :
       {"extern __device__ int x;", "__device__ __host__ int f();",
        "struct S { __device__ void f(); };", "__device__ int S::f() {}",
        "template <class T> __device__ T f();", "inline __device__ int f();",
        "__global__ void k();", "extern \"C\" __device__ int f();",
        "__device__ S::operator int() {}"}) {
    EXPECT_FALSE(Has(one_file(text), "static")) << text;
  }
  EXPECT_FALSE(Has(RewriteText("__device__ int f();"), "static"));
}

TEST(RewriterTest, MarksCallsWhoseResultIsThrownAway) {
  const auto marks = [](const std::string& statement) {
    return RewriteText("void f() { " + statement + " }").find("BeginDiscard") != std::string::npos;
  };
  EXPECT_TRUE(Has(RewriteText("void f() { cudaFree(p); }"),
                  "(::cudasim::BeginDiscard(\"cudaFree\", \"lab.cu\", 1), cudaFree(p), "
                  "::cudasim::EndDiscard());"));
  EXPECT_TRUE(marks("if (p) cudaFree(p);"));
  EXPECT_TRUE(marks("::cudaFree(p);"));
  EXPECT_FALSE(marks("(void)cudaFree(p);"));
  EXPECT_FALSE(marks("return cudaFree(p);"));
  EXPECT_FALSE(marks("auto e = cudaFree(p);"));
  EXPECT_FALSE(marks("cudaCheck(cudaFree(p));"));
  EXPECT_FALSE(marks("cudasimNameArgument(p, n);"));
}

TEST(RewriterTest, TurnsNoinlineIntoAnAttributeUnlessItIsOne) {
  EXPECT_TRUE(Has(RewriteText("__noinline__ void f();"), "__attribute__((noinline)) void f();"));
  const std::string attribute = InFile("__attribute__((__noinline__)) void f();");
  EXPECT_EQ(Rewrite(attribute), attribute);
}

TEST(RewriterTest, EndsAStringAtItsLine) {
  // The compiler reports the string; what follows is still rewritten.
  const std::string text = RewriteText("const char* s = \"k<<<1,2>>>(;\n__global__ void k() {}");
  EXPECT_TRUE(Has(text, "\"k<<<1,2>>>(;\n"));
  EXPECT_TRUE(Has(text, "KernelSource cudasim_kernel{\"k\", \"lab.cu\", 2, 2}"));
}

TEST(RewriterTest, ListsTheLinesOfClassesAndDefaultedMembers) {
  const std::string text = RewriteText(
      "struct A {};\n"
      "template <class T, class U = int>\nstruct __attribute__((aligned(8))) B<T*, U> final : A {\n"
      "  B(const B&) noexcept = default;\n"
      "  B& operator=(\n    const B&) = default;\n};");
  EXPECT_TRUE(Has(text, "{\"lab.cu\", 1, \"A\"}"));
  EXPECT_TRUE(Has(text, "{\"lab.cu\", 3, \"B\"}"));
  EXPECT_TRUE(Has(text, "{\"lab.cu\", 4, \"B\"}"));
  EXPECT_TRUE(Has(text, "{\"lab.cu\", 5, \"operator\"}"));
  EXPECT_FALSE(Has(text, "{\"lab.cu\", 2, "));
  EXPECT_FALSE(Has(text, "{\"lab.cu\", 6, "));
  EXPECT_TRUE(Has(text, "const ::cudasim::ClassPlaces cudasim_classes(cudasim_class_places);"));
}

TEST(RewriterTest, DeclaresBehindTheHeadersThatAFileBeginsWith) {
  const auto declared_behind = [](const std::string& header, const std::string& words) {
    const std::string text =
        RewriteText("# 1 \"own.h\" 1\n" + header +
                    "\n# 2 \"lab.cu\" 2\nstruct S {};\nvoid f() { __shared__ int a; }\n");
    const auto classes = text.find("ClassPlaces cudasim_classes");
    const auto places = text.find("SharedPlace<Tag>::offset(::cudasim::VariableOf<Tag>())");
    const auto at = text.find(words);
    return classes != text.npos && places != text.npos && at < classes && at < places;
  };
  EXPECT_TRUE(declared_behind("int in_header();", "in_header"));
  EXPECT_TRUE(declared_behind("namespace n { int in_header; }", "in_header"));
  EXPECT_FALSE(declared_behind("namespace n { int in_header;", "in_header"));
  EXPECT_FALSE(declared_behind("static inline", "static"));
}

TEST(RewriterTest, ListsNoClassWhereNoneIsDefined) {
  for (const char* const text :
       {"template <class T> void f(struct S* s) {}", "struct S;", "enum { a = 1 };",
        "struct S* p = nullptr; struct S g(struct S s);", "int union_of(int class_of);"}) {
    EXPECT_FALSE(Has(RewriteText(text), "ClassPlace")) << text;
  }
}

}  // namespace
}  // namespace cudasim::rewriter
