#include "shale/region/catalog.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/coding.h"
#include "shale/base/status_macros.h"
#include "shale/base/uuid_coding.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/outcome.h"
#include "shale/region/envelope.h"

namespace shale {
namespace {

constexpr uint64_t kCatalogMagic = 0x544143454c414853;  // "SHALECAT"
constexpr uint32_t kCatalogVersion = 1;

std::string CatalogName(absl::string_view directory) {
  return absl::StrCat(directory, "/catalog");
}

}  // namespace

absl::StatusOr<Catalog> Catalog::Open(FileSystem& files,
                                      absl::string_view directory) {
  Catalog catalog;
  catalog.name_ = CatalogName(directory);
  SHALE_ASSIGN_OR_RETURN(const MetaObject object,
                         ReadMeta(files, catalog.name_));
  SHALE_ASSIGN_OR_RETURN(catalog.entries_, Decode(object));
  catalog.version_ = object.version;
  return catalog;
}

absl::StatusOr<Catalog> Catalog::Create(FileSystem& files,
                                        const OwnerToken& token,
                                        absl::string_view directory) {
  Catalog catalog;
  catalog.name_ = CatalogName(directory);
  absl::StatusOr<MetaVersion> committed =
      CommitMeta(files, catalog.name_, Encode({}), MetaVersion{}, token);
  if (OutcomeOf(committed.status()) == FileOutcome::kConflict) {
    return absl::AlreadyExistsError(
        absl::StrCat(catalog.name_, ": exists already"));
  }
  SHALE_RETURN_IF_ERROR(committed.status());
  catalog.version_ = *committed;
  return catalog;
}

const Catalog::Entry* Catalog::Find(absl::string_view name) const {
  for (const Entry& entry : entries_) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

absl::Status Catalog::Add(FileSystem& files, const OwnerToken& token,
                          const Entry& entry) {
  if (Find(entry.name) != nullptr) {
    return absl::AlreadyExistsError(
        absl::StrCat("region ", entry.name, " exists already"));
  }
  std::vector<Entry> next = entries_;
  next.push_back(entry);
  const absl::StatusOr<MetaVersion> committed =
      CommitMeta(files, name_, Encode(next), version_, token);
  if (OutcomeOf(committed.status()) == FileOutcome::kConflict) {
    return absl::AbortedError(
        absl::StrCat(name_, ": another owner has replaced it"));
  }
  SHALE_RETURN_IF_ERROR(committed.status());
  entries_ = std::move(next);
  version_ = *committed;
  return absl::OkStatus();
}

std::string Catalog::Encode(const std::vector<Entry>& entries) {
  std::string body;
  PutVarint64(&body, entries.size());
  for (const Entry& entry : entries) {
    PutLengthPrefixed(&body, entry.name);
    PutUuid(&body, entry.incarnation);
  }
  return Seal(kCatalogMagic, kCatalogVersion, body);
}

absl::StatusOr<std::vector<Catalog::Entry>> Catalog::Decode(
    const MetaObject& object) {
  SHALE_ASSIGN_OR_RETURN(const Sealed sealed,
                         Unseal(object, kCatalogMagic, kCatalogVersion));
  Decoder in(sealed.body);
  std::vector<Entry> entries;
  uint64_t count = 0;
  bool ok = in.ReadVarint64(&count);
  for (uint64_t i = 0; ok && i < count; ++i) {
    absl::string_view region;
    Entry entry;
    ok = in.ReadLengthPrefixed(&region) && ReadUuid(in, &entry.incarnation);
    if (!ok) break;
    entry.name = std::string(region);
    entries.push_back(std::move(entry));
  }
  if (!ok || in.remaining() != 0) {
    return absl::DataLossError(absl::StrCat(object.file,
                                            ": bad catalog body at offset ",
                                            FileOffset(object, in.offset())));
  }
  return entries;
}

}  // namespace shale
