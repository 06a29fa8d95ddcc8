// What the C++ library does outside its headers when a list or map changes or is searched, when
// text is hashed, and to threads and pools of memory that the program names, so that
// ThreadSanitizer sees it: else a program that looks into a list or map while another thread
// changes it would race unseen.
//
// Linked as race_checker_text.cc is. Not used without ThreadSanitizer.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory_resource>
#include <thread>
#include <unordered_map>
#include <utility>

#include "common/lab/race_checker/access.h"

namespace {

using ListNode = std::__detail::_List_node_base;

LAB_NO_FRAME void Join(ListNode* left, ListNode* right) {
  left->_M_next = right;
  right->_M_prev = left;
}

}  // namespace

namespace std {

void ListNode::_M_hook(ListNode* const position) noexcept {
  Join(position->_M_prev, this);
  Join(this, position);
}

void ListNode::_M_unhook() noexcept { Join(_M_prev, _M_next); }

void ListNode::_M_transfer(ListNode* const first, ListNode* const end) noexcept {
  if (this == end || first == end) return;
  ListNode* const last = end->_M_prev;
  Join(first->_M_prev, end);
  Join(_M_prev, first);
  Join(last, this);
}

void ListNode::_M_reverse() noexcept {
  ListNode* node = this;
  do {
    std::swap(node->_M_next, node->_M_prev);
    node = node->_M_prev;
  } while (node != this);
}

void ListNode::swap(ListNode& left, ListNode& right) noexcept {
  ListNode* const first = left._M_next;
  first->_M_transfer(right._M_next, &right);
  right._M_transfer(first, &left);
}

// A change writes the node and the head, at least; every search reads the head.
void _Rb_tree_insert_and_rebalance(const bool is_left, _Rb_tree_node_base* node,
                                   _Rb_tree_node_base* parent, _Rb_tree_node_base& head) noexcept {
  __tsan_write_range(node, sizeof *node);
  __tsan_write_range(parent, sizeof *parent);
  __tsan_write_range(&head, sizeof head);
  lab::Next<"_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_", void>(
      is_left, node, parent, &head);
}

_Rb_tree_node_base* _Rb_tree_rebalance_for_erase(_Rb_tree_node_base* const node,
                                                 _Rb_tree_node_base& head) noexcept {
  __tsan_write_range(node, sizeof *node);
  __tsan_write_range(&head, sizeof head);
  return lab::Next<"_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
                   _Rb_tree_node_base*>(node, &head);
}

#define LAB_NEIGHBOUR(name, constness, mangled)                                     \
  constness _Rb_tree_node_base* name(constness _Rb_tree_node_base* node) noexcept { \
    return lab::Use<mangled, constness _Rb_tree_node_base*>(node);                  \
  }

LAB_NEIGHBOUR(_Rb_tree_increment, , "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base")
LAB_NEIGHBOUR(_Rb_tree_increment, const, "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base")
LAB_NEIGHBOUR(_Rb_tree_decrement, , "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base")
LAB_NEIGHBOUR(_Rb_tree_decrement, const, "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base")

size_t __detail::_Prime_rehash_policy::_M_next_bkt(size_t least) const {
  __tsan_write_range(&_M_next_resize, sizeof _M_next_resize);
  return lab::Next<"_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm", size_t>(this, least);
}

pair<bool, size_t> __detail::_Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements,
                                                                  size_t added) const {
  __tsan_write_range(&_M_next_resize, sizeof _M_next_resize);
  return lab::Next<"_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm", pair<bool, size_t>>(
      this, buckets, elements, added);
}

size_t _Hash_bytes(const void* begin, size_t bytes, size_t seed) {
  __tsan_read_range(begin, bytes);
  return lab::Next<"_ZSt11_Hash_bytesPKvmm", size_t>(begin, bytes, seed);
}

void thread::join() { lab::Change<"_ZNSt6thread4joinEv", void>(this); }
void thread::detach() { lab::Change<"_ZNSt6thread6detachEv", void>(this); }

void* pmr::unsynchronized_pool_resource::do_allocate(size_t bytes, size_t alignment) {
  return lab::Change<"_ZNSt3pmr28unsynchronized_pool_resource11do_allocateEmm", void*>(this, bytes,
                                                                                       alignment);
}

void pmr::unsynchronized_pool_resource::do_deallocate(void* memory, size_t bytes,
                                                      size_t alignment) {
  lab::Change<"_ZNSt3pmr28unsynchronized_pool_resource13do_deallocateEPvmm", void>(
      this, memory, bytes, alignment);
}

}  // namespace std
#endif
#endif
