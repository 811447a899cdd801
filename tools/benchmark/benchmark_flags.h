// The gflags that benchmark tools have in common.
#ifndef SHALE_TOOLS_BENCHMARK_BENCHMARK_FLAGS_H_
#define SHALE_TOOLS_BENCHMARK_BENCHMARK_FLAGS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gflags/gflags_declare.h"
#include "shale/tools/benchmark/device.h"
#include "shale/tools/console/console.h"

DECLARE_int32(repetitions);
DECLARE_bool(check);
DECLARE_string(device);
DECLARE_int64(sync_micros);
DECLARE_int32(syncs_in_flight);

namespace shale {

// --device, --sync_micros and --syncs_in_flight. INVALID_ARGUMENT.
absl::StatusOr<DeviceSpec> DeviceFromFlags();

// `device` with its directory as the user of `console` means it.
DeviceSpec ResolvedDevice(DeviceSpec device, const Console& console);

// INVALID_ARGUMENT if --repetitions is out of its range.
absl::Status CheckRepetitions();

}  // namespace shale

#endif  // SHALE_TOOLS_BENCHMARK_BENCHMARK_FLAGS_H_
