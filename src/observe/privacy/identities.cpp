#include "observe/privacy/identities.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "observe/privacy/collector.h"
#include "observe/privacy/config_serial.h"
#include "observe/privacy/field_finders.h"
#include "observe/privacy/keyed.h"
#include "observe/privacy/rewriter.h"

namespace railgauge::observe {
namespace {

using namespace privacy;

class Replacer {
 public:
  Replacer(const Recording& recording, const IdentityKey& key, const KnownIdentities& known)
      : recording_(recording),
        keyed_(key.bytes),
        writer_(keyed_),
        pseudonyms_(keyed_),
        collected_(collect(recording, known, writer_)),
        rewriter_(collected_.words, writer_, pseudonyms_) {
    // Which of two names gets the next word when both have the same must not depend on the order in
    // which texts mention them.
    for (const auto& word : collected_.words.sorted()) pseudonyms_.of(word.kind, word.text);
  }

  Recording replaced() {
    Recording out;
    out.name = loose_host(recording_.name);
    out.manifest = recording_.manifest;
    out.manifest.hostname = loose_host(recording_.manifest.hostname);
    for (const auto& [path, entry] : recording_.entries) {
      std::string bytes;
      if (is_text(entry))
        bytes = contents(path, entry);
      else if (path.ends_with("/config"))
        bytes = without_device_serial(std::string(entry.bytes));
      else
        bytes = entry.bytes;
      out.entries.set(free_path(out, new_path(path)), entry.kind, std::move(bytes));
    }
    return out;
  }

 private:
  // A host's name, also one that reads as a word ("gpu1"), or some other text ("node07.tar.zst").
  std::string loose_host(const std::string& name) {
    const bool own = !name.empty() && name == trim(recording_.manifest.hostname);
    return own && is_own_host(name) ? pseudonyms_.of(NameKind::host, name) : plain(name);
  }

  std::string plain(std::string_view text) {
    return rewriter_.text({}, text, find_fields({}, text));
  }

  std::string contents(std::string_view path, const Entry& entry) {
    const auto fields = collected_.fields.find(path);
    const bool file = entry.kind == Entry::Kind::file;
    return rewriter_.text(file ? path : std::string_view{}, entry.bytes,
                          fields == collected_.fields.end() ? Fields{} : fields->second);
  }

  std::string new_path(std::string_view path) {
    const std::string text = path_text(path);
    return rewriter_.text({}, text, find_fields({}, text)).substr(1);
  }

  // Two paths do not become one: only names that differ in case alone could do so.
  static std::string free_path(const Recording& out, std::string path) {
    if (!out.entries.contains(path)) return path;
    for (int number = 2;; ++number)
      if (std::string other = fmt::format("{}-{}", path, number); !out.entries.contains(other))
        return other;
  }

  const Recording& recording_;
  Keyed keyed_;
  AddressWriter writer_;
  Pseudonyms pseudonyms_;
  Collected collected_;
  Rewriter rewriter_;
};

}  // namespace

IdentityKey identity_key(std::string_view secret) {
  const auto digest = privacy::Keyed(secret).digest("railgauge identities", "1");
  return {std::string(digest.begin(), digest.end())};
}

std::string key_name(const IdentityKey& key) {
  return fmt::format("{:08x}", privacy::Keyed(key.bytes).number("key name", "", 32));
}

Recording replace_identities(const Recording& recording, const IdentityKey& key,
                             const KnownIdentities& known) {
  return Replacer(recording, key, known).replaced();
}

}  // namespace railgauge::observe
