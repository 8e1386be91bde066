#include "observe/inputs.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/strings.h"
#include "base/units.h"
#include "observe/archive/contents.h"
#include "observe/archive/packing.h"
#include "observe/archive/quick_tar.h"
#include "observe/long_log.h"

namespace railgauge::observe {
namespace {

namespace fs = std::filesystem;

bool is_recording_directory(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(path / "manifest.json", ignored)) ||
         fs::is_directory(fs::symlink_status(path / "sys", ignored));
}

constexpr std::string_view standard_input_name = "standard input";

// "node07" of "cluster/node07.tar.zst" and of "cluster/node07/": what people call the machine.
std::string machine_name(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  if (name.empty()) name = fs::path(path).parent_path().filename().string();
  for (const std::string_view ending : {".zst", ".gz", ".xz", ".tar", ".tgz", ".tzst", ".zip"})
    if (name.size() > ending.size() && name.ends_with(ending))
      name.resize(name.size() - ending.size());
  return name;
}

// In a directory below the named one only what is called like an archive is opened.
bool is_named_like_archive(std::string_view name) {
  for (const std::string_view ending :
       {".tar", ".tar.zst", ".tar.gz", ".tar.xz", ".tgz", ".tzst", ".zip"})
    if (name.size() > ending.size() && name.ends_with(ending)) return true;
  return false;
}

void move_into(Loaded& to, Loaded&& from) {
  const auto append = [](auto& a, auto& b) {
    a.insert(a.end(), std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()));
  };
  append(to.texts, from.texts);
  append(to.parts, from.parts);
  append(to.passed_over, from.passed_over);
}

class Loader {
 public:
  Loader(const InputBounds& bounds, const RecordingVisitor& visitor, UnpackRoom& room)
      : bounds_(bounds), visitor_(visitor), room_(room) {}

  Result<void> named(const std::string& name, int standard_input) {
    if (name == "-" || name == "/dev/stdin") {
      const std::string called(standard_input_name);
      LongLog log(called);
      return bytes(called, read_standard_input(standard_input, called, stream_bounds(log)), log);
    }
    std::error_code ignored;
    if (fs::is_directory(name, ignored)) return directory(name);
    return file(name);
  }

  void pass_over(std::string what) { loaded_.passed_over.push_back(std::move(what)); }
  std::size_t recordings() const { return recordings_; }
  bool over_total() const { return over_total_; }
  Loaded take() { return std::move(loaded_); }

 private:
  Result<void> file(const std::string& name) {
    LongLog log(name);
    if (bounds_.long_logs) {
      const auto unpacked = decompress_in_pieces(name, log);
      if (!unpacked) return tl::unexpected(unpacked.error());
      if (*unpacked) return long_log(log);
    }
    return bytes(name, read_named_file(name, stream_bounds(log)), log);
  }

  StreamBounds stream_bounds(LongLog& log) const {
    StreamBounds out = bounds_.stream;
    if (bounds_.long_logs) out.long_text = &log;
    return out;
  }

  Result<void> long_log(LongLog& log) {
    auto parts = log.finish();
    if (!parts) return tl::unexpected(std::move(parts.error()));
    std::move(parts->begin(), parts->end(), std::back_inserter(loaded_.parts));
    return {};
  }

  // An archive, a compressed text or a text.
  Result<void> bytes(const std::string& name, Result<std::string> read, LongLog& log) {
    if (!read) return tl::unexpected(std::move(read.error()));
    if (log.taken()) return long_log(log);
    // Most archives are recordings of ours: what is read the short way needs no closer look.
    if (auto quick = quick_tar_entries(*read, name, bounds_.archive, room_);
        quick && !quick->empty())
      return archive(name, std::move(*quick));
    if (looks_like_archive(*read)) {
      auto entries = library_entries(*read, name, bounds_.archive);
      if (!entries) return tl::unexpected(std::move(entries.error()));
      return archive(name, std::move(*entries));
    }
    if (packing_of(*read) != Packing::none)
      read = decompress(*read, name, bounds_.stream.text_bytes, stream_bounds(log).long_text);
    if (!read) return tl::unexpected(std::move(read.error()));
    if (log.taken()) return long_log(log);
    return text(name, std::move(*read));
  }

  Result<void> text(const std::string& name, std::string raw) {
    std::string plain = plain_text(std::move(raw));
    if (plain.empty()) return fail(ErrorKind::input, name + " is empty");
    if (trim(plain).empty())
      return fail(ErrorKind::input, name + " is empty: it holds only blanks");
    if (auto paid = charge(plain.size()); !paid) return paid;
    loaded_.texts.push_back({name, std::move(plain)});
    return {};
  }

  // `input` is empty where the recording has no name of its own.
  Result<void> recording(Result<Recording> read, const std::string& name,
                         const std::string& input) {
    if (!read) return tl::unexpected(std::move(read.error()));
    read->name = machine_name(name);
    ++recordings_;
    visitor_.take(std::move(*read), input);
    return {};
  }

  Result<void> archive(const std::string& name, Entries entries) {
    entries = without_common_directory(std::move(entries));
    if (is_recording(entries))
      return recording(recording_of(std::move(entries), name), name,
                       name == standard_input_name ? "" : name);
    const std::size_t before = recordings_;
    if (auto taken = recordings_one_level_down(name, entries); !taken) return taken;
    const bool many = recordings_ > before;
    std::size_t texts = 0;
    for (const auto& [path, entry] : entries) {
      const std::string inner = name + "!" + std::string(path);
      if (many) {
        pass_over(inner + " lies beside recordings and is not part of one");
      } else if (const auto taken = inner_text(inner, entry); !taken) {
        if (over_total_) return taken;
        pass_over(taken.error().text());
      } else if (++texts > bounds_.directory_texts) {
        return too_many_texts(name);
      }
    }
    return many || texts > 0 ? Result<void>() : nothing_in(name);
  }

  // Takes the recordings out of `entries`.
  Result<void> recordings_one_level_down(const std::string& name, Entries& entries) {
    for (auto it = entries.begin(); it != entries.end();) {
      const std::size_t slash = it->first.find('/');
      const std::string top(it->first.substr(0, slash));
      const auto end = slash == std::string::npos ? std::next(it) : entries.lower_bound(top + "0");
      Entries inner;
      if (slash != std::string::npos &&
          (entries.contains(top + "/manifest.json") || holds_below(entries, top + "/sys/")))
        inner = moved_up(entries, it, end, slash + 1);
      it = inner.empty() ? end : entries.erase(it, end);
      if (inner.empty()) continue;
      const std::string called = name + "!" + top;
      if (auto taken = recording(recording_of(std::move(inner), called), top, ""); !taken)
        pass_over(taken.error().text());
    }
    return {};
  }

  static bool holds_below(const Entries& entries, const std::string& prefix) {
    const auto it = entries.lower_bound(prefix);
    return it != entries.end() && it->first.starts_with(prefix);
  }

  Result<void> inner_text(const std::string& name, const Entry& entry) {
    if (entry.kind == Entry::Kind::link)
      return fail(ErrorKind::input, name + " is a link, which is not followed");
    if (packing_of(entry.bytes) != Packing::none || looks_like_archive(entry.bytes))
      return fail(ErrorKind::input, name + " is packed inside an archive; unpack it first");
    return text(name, std::string(entry.bytes));
  }

  Result<void> directory(const std::string& path) {
    if (is_recording_directory(path))
      return recording(read_directory(path, bounds_.archive),
                       fs::absolute(path).lexically_normal().string(), path);
    auto names = names_in(path);
    if (!names) return tl::unexpected(std::move(names.error()));
    Loader inside(bounds_, visitor_, room_);
    inside.used_bytes_ = used_bytes_;
    std::size_t done = 0;
    for (const std::string& name : *names) {
      if (visitor_.progress) visitor_.progress(done++, names->size());
      if (const auto taken = inside.item(path, name); taken) {
        if (inside.loaded_.texts.size() > bounds_.directory_texts) return too_many_texts(path);
      } else {
        if (inside.over_total_) return taken;
        inside.pass_over(taken.error().text());
      }
    }
    used_bytes_ = inside.used_bytes_;
    recordings_ += inside.recordings_;
    Loaded found = inside.take();
    if (inside.recordings_ > 0) {
      for (const LooseText& loose : found.texts)
        found.passed_over.push_back(loose.name + " lies beside recordings and is not part of one");
      found.texts.clear();
      found.parts.clear();
    }
    const bool nothing = inside.recordings_ == 0 && found.texts.empty() && found.parts.empty();
    move_into(loaded_, std::move(found));
    return nothing ? nothing_in(path) : Result<void>();
  }

  Result<std::vector<std::string>> names_in(const std::string& path) const {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
      if (names.size() >= bounds_.directory_names)
        return fail(ErrorKind::limit, path + " holds more than " +
                                          std::to_string(bounds_.directory_names) +
                                          " names, the most we look through");
      names.push_back(it->path().filename().string());
    }
    if (error)
      return fail(error == std::errc::permission_denied ? ErrorKind::permission : ErrorKind::input,
                  "cannot read directory " + path + ": " + error.message());
    std::sort(names.begin(), names.end());
    return names;
  }

  // A directory in the named one, such as one rack of a cluster. Only recordings count in it: the
  // loose texts of several directories are not one machine. What it holds besides is counted.
  Result<void> inner_directory(const std::string& path) {
    auto names = names_in(path);
    if (!names) return tl::unexpected(std::move(names.error()));
    const std::size_t recordings_before = recordings_;
    std::size_t files = 0;
    std::size_t directories = 0;
    for (const std::string& name : *names) {
      const std::string inner = (fs::path(path) / name).string();
      std::error_code ignored;
      const fs::file_status status = fs::symlink_status(inner, ignored);
      Result<void> taken;
      if (fs::is_directory(status) && is_recording_directory(inner))
        taken = recording(read_directory(inner, bounds_.archive), inner, inner);
      else if (fs::is_regular_file(status) && is_named_like_archive(name))
        taken = file(inner);
      else
        ++(fs::is_directory(status) ? directories : files);
      if (taken) continue;
      if (over_total_) return taken;
      pass_over(taken.error().text());
    }
    const bool none = recordings_ == recordings_before;
    const std::string rest = not_entered(path, files, directories);
    if (none) return fail(ErrorKind::input, path + " is a directory without a recording" + rest);
    if (!rest.empty()) pass_over("the rest of " + path + rest);
    return {};
  }

  static std::string not_entered(const std::string& path, std::size_t files,
                                 std::size_t directories) {
    std::string out;
    if (directories > 0)
      out += ": " + std::to_string(directories) +
             (directories == 1 ? " directory in it was" : " directories in it were") +
             " not entered; to see them name " + path + "/*";
    if (files > 0)
      out += std::string(out.empty() ? ": " : "; ") + std::to_string(files) +
             (files == 1 ? " file" : " files") + " in it not read; to see them name " + path;
    return out;
  }

  // Links, pipes and devices are named on the command line or not read at all.
  Result<void> item(const std::string& parent, const std::string& name) {
    const std::string path = (fs::path(parent) / name).string();
    std::error_code ignored;
    const fs::file_status status = fs::symlink_status(path, ignored);
    const auto no = [&](const char* why) { return fail(ErrorKind::input, path + why); };
    if (fs::is_symlink(status)) return no(" is a link, which is not followed");
    if (name.starts_with('.')) return no(" is hidden");
    if (fs::is_directory(status))
      return is_recording_directory(path)
                 ? recording(read_directory(path, bounds_.archive), path, path)
                 : inner_directory(path);
    return fs::is_regular_file(status) ? file(path) : Result<void>(no(" is not a regular file"));
  }

  Result<void> charge(std::uint64_t bytes) {
    used_bytes_ += bytes;
    over_total_ = used_bytes_ > bounds_.total_bytes;
    if (!over_total_) return {};
    return fail(ErrorKind::limit, "the inputs together are larger than " +
                                      text_of_bytes(bounds_.total_bytes) +
                                      ", the most we hold; name fewer");
  }

  tl::unexpected<Error> too_many_texts(const std::string& name) const {
    return fail(ErrorKind::limit, name + " holds more than " +
                                      std::to_string(bounds_.directory_texts) +
                                      " loose files; name the ones that matter");
  }

  tl::unexpected<Error> nothing_in(const std::string& name) const {
    std::string why = name + " holds nothing to read: no manifest.json, no sys/, no text";
    if (!loaded_.passed_over.empty()) why += "; " + loaded_.passed_over.back();
    return fail(ErrorKind::input, why);
  }

  const InputBounds& bounds_;
  const RecordingVisitor& visitor_;
  UnpackRoom& room_;
  std::size_t recordings_ = 0;
  std::uint64_t used_bytes_ = 0;
  bool over_total_ = false;
  Loaded loaded_;
};

}  // namespace

Result<Loaded> visit_inputs(const std::vector<std::string>& names, int standard_input,
                            const RecordingVisitor& visitor, const InputBounds& bounds) {
  UnpackRoom room;
  Loader loader(bounds, visitor, room);
  std::vector<Error> errors;
  std::size_t done = 0;
  for (const std::string& name : names) {
    if (visitor.progress && names.size() > 1) visitor.progress(done++, names.size());
    if (auto taken = loader.named(name, standard_input); !taken) {
      // What is not there at all is a mistake in the command, not a broken recording.
      const bool fatal =
          names.size() == 1 || loader.over_total() || taken.error().kind == ErrorKind::not_found;
      if (fatal) return tl::unexpected(std::move(taken.error()));
      errors.push_back(std::move(taken.error()));
    }
  }
  if (!errors.empty() && loader.recordings() == 0) return tl::unexpected(std::move(errors.front()));
  for (const Error& error : errors) loader.pass_over(error.text());
  return loader.take();
}

Result<Loaded> load_inputs(const std::vector<std::string>& names, int standard_input,
                           const InputBounds& bounds) {
  std::vector<Recording> recordings;
  std::uint64_t held_bytes = 0;
  const RecordingVisitor keep{[&](Recording recording, const std::string&) {
                                if (held_bytes > bounds.total_bytes) return;
                                for (const auto& [path, entry] : recording.entries)
                                  held_bytes += path.size() + entry.bytes.size();
                                recordings.push_back(std::move(recording));
                              },
                              {}};
  auto loaded = visit_inputs(names, standard_input, keep, bounds);
  if (!loaded) return loaded;
  if (held_bytes > bounds.total_bytes)
    return fail(ErrorKind::limit, "the inputs together are larger than " +
                                      text_of_bytes(bounds.total_bytes) +
                                      ", the most we hold; name fewer");
  loaded->recordings = std::move(recordings);
  return loaded;
}

}  // namespace railgauge::observe
