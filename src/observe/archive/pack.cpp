// A recording as tar + zstd. Equal recordings give equal bytes: time 0, owner 0, sorted paths. GNU
// tar's dialect, because it takes names as they are, whatever the locale.
#include <archive.h>
#include <archive_entry.h>

#include <memory>

#include "base/strings.h"
#include "observe/archive/archive.h"
#include "observe/archive/entry_path.h"
#include "observe/archive/refused.h"

namespace railgauge::observe {
namespace {

struct FreeWriter {
  void operator()(::archive* handle) const { ::archive_write_free(handle); }
};
struct FreeEntry {
  void operator()(::archive_entry* entry) const { ::archive_entry_free(entry); }
};

la_ssize_t append(::archive*, void* sink, const void* bytes, std::size_t size) {
  static_cast<std::string*>(sink)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

bool write_entry(::archive* writer, std::string_view path, const Entry& entry) {
  const std::unique_ptr<::archive_entry, FreeEntry> header(::archive_entry_new());
  if (!header) return false;
  ::archive_entry_set_pathname(header.get(), std::string(path).c_str());
  ::archive_entry_set_mtime(header.get(), 0, 0);
  const bool is_link = entry.kind == Entry::Kind::link;
  ::archive_entry_set_filetype(header.get(), is_link ? AE_IFLNK : AE_IFREG);
  ::archive_entry_set_perm(header.get(), is_link ? 0777 : 0644);
  if (is_link)
    ::archive_entry_set_symlink(header.get(), std::string(entry.bytes).c_str());
  else
    ::archive_entry_set_size(header.get(), static_cast<la_int64_t>(entry.bytes.size()));
  if (::archive_write_header(writer, header.get()) < ARCHIVE_OK) return false;
  if (is_link || entry.bytes.empty()) return true;
  return ::archive_write_data(writer, entry.bytes.data(), entry.bytes.size()) ==
         static_cast<la_ssize_t>(entry.bytes.size());
}

Result<void> check(std::string_view path, const Entry& entry) {
  const auto because = [&](const std::string& what) {
    return fail(ErrorKind::input, "entry " + quoted(path, 120) + " " + what);
  };
  const auto clean = entry_path(path);
  if (!clean) return because(clean.error().message);
  if (*clean != path) return because("is not a plain relative path");
  if (path == "manifest.json" || path == "refused.json")
    return because("has a name that the recording itself needs");
  if (entry.kind != Entry::Kind::link) return {};
  const auto target = check_link_target(entry.bytes);
  return target ? Result<void>() : because(target.error().message);
}

}  // namespace

Result<std::string> pack(const Recording& recording) {
  RefusedPaths refused;
  for (const auto& [path, entry] : recording.entries) {
    if (auto good = check(path, entry); !good)
      return tl::unexpected(std::move(good.error()).because("packing " + recording.name));
    if (entry.kind == Entry::Kind::refused) refused.emplace(path, entry.bytes);
  }

  std::string bytes;
  const std::unique_ptr<::archive, FreeWriter> writer(::archive_write_new());
  const auto broken = [&] {
    const char* words = writer ? ::archive_error_string(writer.get()) : nullptr;
    return fail(ErrorKind::internal, "packing " + recording.name + ": " +
                                         (words == nullptr ? "libarchive gave up" : words));
  };
  if (!writer || ::archive_write_set_format_gnutar(writer.get()) < ARCHIVE_OK ||
      ::archive_write_add_filter_zstd(writer.get()) < ARCHIVE_OK ||
      ::archive_write_set_bytes_in_last_block(writer.get(), 1) < ARCHIVE_OK ||  // no padding
      ::archive_write_open(writer.get(), &bytes, nullptr, append, nullptr) < ARCHIVE_OK)
    return broken();
  const std::string manifest = manifest_json(recording.manifest);
  if (!write_entry(writer.get(), "manifest.json", {Entry::Kind::file, manifest})) return broken();
  const std::string reasons = refused_json(refused);
  if (!refused.empty() && !write_entry(writer.get(), "refused.json", {Entry::Kind::file, reasons}))
    return broken();
  for (const auto& [path, entry] : recording.entries)
    if (entry.kind != Entry::Kind::refused && !write_entry(writer.get(), path, entry))
      return broken();
  if (::archive_write_close(writer.get()) < ARCHIVE_OK) return broken();
  return bytes;
}

}  // namespace railgauge::observe
