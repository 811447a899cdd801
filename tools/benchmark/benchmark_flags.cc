#include "shale/tools/benchmark/benchmark_flags.h"

#include "absl/time/time.h"
#include "gflags/gflags.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/tools/benchmark/list_flag.h"

DEFINE_int32(repetitions, 5,
             "how often each variant runs under each setting, in turn with the "
             "others; fewer than 5 give no verdict");
DEFINE_bool(check, false,
            "exit code 1 unless every gate that could be evaluated passes");
DEFINE_string(device, "modelled",
              "what the files lie on: modelled (over memory), "
              "modelled:DIRECTORY, real (in the working directory), "
              "real:DIRECTORY or memory");
DEFINE_int64(sync_micros, 350, "how long the modelled device is at one sync");
DEFINE_int32(syncs_in_flight, 4, "syncs that the modelled device does at once");

namespace shale {

absl::StatusOr<DeviceSpec> DeviceFromFlags() {
  absl::StatusOr<DeviceSpec> device = DeviceSpec::Parse(FLAGS_device);
  if (!device.ok()) return Annotate(device.status(), "--device");
  SHALE_RETURN_IF_ERROR(
      CheckRange("sync_micros", FLAGS_sync_micros, 0, 60000000));
  SHALE_RETURN_IF_ERROR(
      CheckRange("syncs_in_flight", FLAGS_syncs_in_flight, 1, 1024));
  device->model.sync_latency = absl::Microseconds(FLAGS_sync_micros);
  device->model.max_syncs_in_flight = FLAGS_syncs_in_flight;
  return device;
}

DeviceSpec ResolvedDevice(DeviceSpec device, const Console& console) {
  if (device.kind == DeviceSpec::Kind::kReal || !device.directory.empty()) {
    device.directory = ResolvePath(device.directory, console);
  }
  return device;
}

absl::Status CheckRepetitions() {
  return CheckRange("repetitions", FLAGS_repetitions, 1, 1000);
}

}  // namespace shale
