// Hostile: races in a function of the C++ run-time library that prepares an exception where its
// caller says; only headers may call it.
#include <exception>
#include <typeinfo>

alignas(16) char shared[256];  // changed by all threads at the same time

void Count() {
  auto& type = const_cast<std::type_info&>(typeid(int));
  __cxxabiv1::__cxa_init_primary_exception(shared + 128, &type, nullptr);
}
