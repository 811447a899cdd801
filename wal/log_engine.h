#ifndef SHALE_WAL_LOG_ENGINE_H_
#define SHALE_WAL_LOG_ENGINE_H_

#include <functional>
#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "shale/base/cxx_standard.h"

namespace shale {

class LogState;

// Carries records from the log's buffer to segments and makes them durable: the
// part of a log in which the engines differ. It finds its work in LogState
// (records to be taken, positions wanted) and reports what it has done there.
//
// Thread-safe. The destructor stops it: nothing is written or synced any more,
// but calls of the file system under way are waited for.
class LogEngine {
 public:
  using RollDone = absl::AnyInvocable<void(absl::Status)>;

  virtual ~LogEngine() = default;

  // There are new records or wants. Must not block on I/O, as it is called
  // within Wal::Append.
  virtual void Wake() = 0;

  // As Wal::Roll.
  virtual void Roll(RollDone done) = 0;

  // Whether it waits for space when there is none. Otherwise, as at first, that
  // poisons the log like any other error.
  virtual void SetPatient(bool patient) = 0;

  // The log was poisoned: write and sync nothing any more.
  virtual void Abort() = 0;

  // Stops, and closes the last segment. REQUIRES: all records are durable.
  virtual void Finish() = 0;
};

// Makes an engine for a log, which outlives it.
using LogEngineFactory =
    std::function<std::unique_ptr<LogEngine>(LogState& log)>;

}  // namespace shale

#endif  // SHALE_WAL_LOG_ENGINE_H_
