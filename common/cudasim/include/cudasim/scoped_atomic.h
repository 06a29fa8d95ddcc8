// The types of <cuda/atomic>: the operations of C++'s std::atomic, with a scope.
#pragma once

namespace cuda {

enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 3
};

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

}  // namespace cuda

namespace cudasim {

constexpr unsigned OrderOf(::std::memory_order order, ::cuda::thread_scope scope) {
  using enum ::std::memory_order;
  const bool both = order == acq_rel || order == seq_cst;
  return (both || order == acquire || order == consume ? kAcquires : 0) |
         (both || order == release ? kReleases : 0) |
         (scope >= ::cuda::thread_scope_block ? kBlockScope : 0);
}

// The members that atomic and atomic_ref share; Derived has address().
template <class Derived, class T, ::cuda::thread_scope Scope>
class ScopedAtomic {
 public:
  using value_type = T;
  using Order = ::std::memory_order;
  static constexpr Order kStrict = ::std::memory_order_seq_cst;
  static constexpr bool is_always_lock_free = sizeof(T) <= 8;

  CUDASIM_INLINE bool is_lock_free() const { return is_always_lock_free; }
  CUDASIM_INLINE T load(Order order = kStrict) const {
    return AtomicLoad(address(), OrderOf(order, Scope));
  }
  CUDASIM_INLINE void store(T value, Order order = kStrict) const {
    AtomicStore(address(), value, OrderOf(order, Scope));
  }
  CUDASIM_INLINE operator T() const { return load(); }
  CUDASIM_INLINE T exchange(T value, Order order = kStrict) const {
    return Update<AtomicExchOp>(value, order);
  }
  CUDASIM_INLINE bool compare_exchange_strong(T& expected, T desired, Order order = kStrict) const {
    return OrderedCompareExchange(address(), expected, desired, OrderOf(order, Scope));
  }
  CUDASIM_INLINE bool compare_exchange_strong(T& expected, T desired, Order order, Order) const {
    return compare_exchange_strong(expected, desired, order);
  }
  CUDASIM_INLINE bool compare_exchange_weak(T& expected, T desired, Order order = kStrict) const {
    return compare_exchange_strong(expected, desired, order);
  }
  CUDASIM_INLINE bool compare_exchange_weak(T& expected, T desired, Order order, Order) const {
    return compare_exchange_strong(expected, desired, order);
  }

  CUDASIM_INLINE T fetch_add(T value, Order order = kStrict) const {
    return Update<AtomicAddOp>(value, order);
  }
  CUDASIM_INLINE T fetch_sub(T value, Order order = kStrict) const {
    return Update<AtomicSubOp>(value, order);
  }
  CUDASIM_INLINE T fetch_and(T value, Order order = kStrict) const {
    return Update<AtomicAndOp>(value, order);
  }
  CUDASIM_INLINE T fetch_or(T value, Order order = kStrict) const {
    return Update<AtomicOrOp>(value, order);
  }
  CUDASIM_INLINE T fetch_xor(T value, Order order = kStrict) const {
    return Update<AtomicXorOp>(value, order);
  }
  CUDASIM_INLINE T fetch_min(T value, Order order = kStrict) const {
    return Update<AtomicMinOp>(value, order);
  }
  CUDASIM_INLINE T fetch_max(T value, Order order = kStrict) const {
    return Update<AtomicMaxOp>(value, order);
  }
  CUDASIM_INLINE T operator++() const { return fetch_add(T{1}) + T{1}; }
  CUDASIM_INLINE T operator++(int) const { return fetch_add(T{1}); }
  CUDASIM_INLINE T operator--() const { return fetch_sub(T{1}) - T{1}; }
  CUDASIM_INLINE T operator--(int) const { return fetch_sub(T{1}); }
  CUDASIM_INLINE T operator+=(T value) const { return fetch_add(value) + value; }
  CUDASIM_INLINE T operator-=(T value) const { return fetch_sub(value) - value; }
  CUDASIM_INLINE T operator&=(T value) const { return fetch_and(value) & value; }
  CUDASIM_INLINE T operator|=(T value) const { return fetch_or(value) | value; }
  CUDASIM_INLINE T operator^=(T value) const { return fetch_xor(value) ^ value; }

  CUDASIM_INLINE void wait(T old, Order order = kStrict) const {
    while (load(order) == old) __nanosleep(20);
  }
  CUDASIM_INLINE void notify_one() const {}
  CUDASIM_INLINE void notify_all() const {}

 private:
  CUDASIM_INLINE T* address() const { return static_cast<const Derived*>(this)->Address(); }
  template <class Op>
  CUDASIM_INLINE T Update(T value, Order order) const {
    return OrderedUpdate<Op>(address(), value, OrderOf(order, Scope));
  }
};

}  // namespace cudasim

namespace cuda {

template <class T, thread_scope Scope = thread_scope_system>
class atomic : public ::cudasim::ScopedAtomic<atomic<T, Scope>, T, Scope> {
 public:
  atomic() = default;
  CUDASIM_INLINE constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  CUDASIM_INLINE T operator=(T value) {
    this->store(value);
    return value;
  }

  CUDASIM_INLINE T* Address() const { return &value_; }

 private:
  mutable T value_;
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public ::cudasim::ScopedAtomic<atomic_ref<T, Scope>, T, Scope> {
 public:
  static constexpr ::std::size_t required_alignment = sizeof(T);

  CUDASIM_INLINE explicit atomic_ref(T& value) : value_(&value) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  CUDASIM_INLINE T operator=(T value) const {
    this->store(value);
    return value;
  }

  CUDASIM_INLINE T* Address() const { return value_; }

 private:
  T* value_;
};

CUDASIM_INLINE void atomic_thread_fence(memory_order order,
                                        thread_scope scope = thread_scope_system) {
  if (order == memory_order_relaxed || scope == thread_scope_thread) return;
  ::cudasim_fence(scope == thread_scope_block);
}

namespace std {

template <class T>
using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
using ::cuda::memory_order;
using ::cuda::memory_order_acq_rel;
using ::cuda::memory_order_acquire;
using ::cuda::memory_order_consume;
using ::cuda::memory_order_relaxed;
using ::cuda::memory_order_release;
using ::cuda::memory_order_seq_cst;

}  // namespace std
}  // namespace cuda
