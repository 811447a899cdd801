#ifndef SHALE_MVCC_READ_PIN_H_
#define SHALE_MVCC_READ_PIN_H_

#include <utility>

#include "shale/base/cxx_standard.h"
#include "shale/cell/write_number.h"

namespace shale {

// Where a ReadPin goes back to. Implemented by each Mvcc.
class ReadPinOwner {
 public:
  virtual void Unpin(WriteNumber read_point) = 0;

 protected:
  ~ReadPinOwner() = default;
};

// Keeps one read point readable: no flush or compaction drops what a reader at
// it sees. Movable; gives itself back when it goes. Not thread-safe itself.
class ReadPin {
 public:
  ReadPin() = default;
  ReadPin(ReadPinOwner* owner, WriteNumber read_point)
      : owner_(owner), read_point_(read_point) {}
  ReadPin(ReadPin&& other) noexcept
      : owner_(std::exchange(other.owner_, nullptr)),
        read_point_(other.read_point_) {}
  ReadPin& operator=(ReadPin&& other) noexcept {
    if (this != &other) {
      Reset();
      owner_ = std::exchange(other.owner_, nullptr);
      read_point_ = other.read_point_;
    }
    return *this;
  }
  ~ReadPin() { Reset(); }

  WriteNumber read_point() const { return read_point_; }
  void Reset() {
    if (owner_ != nullptr) std::exchange(owner_, nullptr)->Unpin(read_point_);
  }

 private:
  ReadPinOwner* owner_ = nullptr;
  WriteNumber read_point_;
};

}  // namespace shale

#endif  // SHALE_MVCC_READ_PIN_H_
