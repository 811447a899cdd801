// Doubly linked lists through links inside their elements: an element leaves a
// list in constant time and can be in several, one for each tag.
#ifndef SHALE_CACHE_INTRUSIVE_LIST_H_
#define SHALE_CACHE_INTRUSIVE_LIST_H_

#include "shale/base/check.h"

namespace shale {

// What an element inherits, once for each list that it can be in.
template <typename Tag>
struct ListLink {
  ListLink() = default;
  ListLink(const ListLink&) = delete;
  ListLink& operator=(const ListLink&) = delete;

  bool linked() const { return next != this; }

  void Unlink() {
    prev->next = next;
    next->prev = prev;
    prev = next = this;
  }

  ListLink* prev = this;
  ListLink* next = this;
};

// Doesn't own its elements, which must leave it before they die. Not
// thread-safe.
template <typename T, typename Tag>
class IntrusiveList {
 public:
  bool empty() const { return !head_.linked(); }

  // REQUIRES: not empty.
  T& front() { return *static_cast<T*>(head_.next); }
  T& back() { return *static_cast<T*>(head_.prev); }

  // REQUIRES: in no list of this tag.
  void PushFront(T& element) {
    ListLink<Tag>& link = element;
    SHALE_CHECK(!link.linked());
    link.prev = &head_;
    link.next = head_.next;
    head_.next->prev = &link;
    head_.next = &link;
  }

  // REQUIRES: in a list of this tag.
  static void Remove(T& element) {
    static_cast<ListLink<Tag>&>(element).Unlink();
  }

 private:
  ListLink<Tag> head_;
};

}  // namespace shale

#endif  // SHALE_CACHE_INTRUSIVE_LIST_H_
