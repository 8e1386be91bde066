#include "observe/privacy/collector.h"

#include <algorithm>

#include "base/strings.h"
#include "observe/privacy/characters.h"
#include "observe/privacy/field_finders.h"
#include "observe/privacy/interface_name.h"
#include "observe/privacy/vocabulary.h"

namespace railgauge::observe::privacy {
namespace {

// Names that are found outside their field too must be told from ordinary words.
bool distinctive(std::string_view name, std::size_t least) {
  const bool marked =
      std::any_of(name.begin(), name.end(), [](char c) { return is_digit(c) || !in_segment(c); });
  return name.size() >= least && marked;
}

bool found_everywhere(std::string_view name, NameKind kind) {
  switch (kind) {
    case NameKind::domain:  // not "com", "lan"
      if (name.find('.') == std::string_view::npos && name.size() < 5) return false;
      [[fallthrough]];
    case NameKind::host:
    case NameKind::user: return !reads_as_word(name) && name != "root";
    case NameKind::netdev:
    case NameKind::rdma_device: return !reads_as_word(name);
    case NameKind::serial: {
      const bool digits = all_of_kind(name, digit_character);
      return name.size() >= (digits ? 6u : 5u);
    }
    case NameKind::process: return distinctive(name, 5) && !reads_as_word(name);
    case NameKind::path: return distinctive(name, 5) && !reads_as_word(name);
  }
  return false;
}

std::string upper(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

class Collector {
 public:
  Collector(Collected& out, AddressWriter& writer) : out_(out), writer_(writer) {}

  void name(std::string_view name, NameKind kind) {
    if (kind == NameKind::host) return host(name);
    if (kind == NameKind::path) name.remove_suffix(known_extension(name).size());
    if (!found_everywhere(name, kind)) return;
    out_.words.add(name, kind);
    if (kind == NameKind::domain) out_.words.add(upper(name), kind);
  }

  // In full and short. Names with digits are also known in other case: DNS does not tell them
  // apart.
  void host(std::string_view full) {
    full = trim(full);
    if (!is_host(full)) return;
    const auto dot = full.find('.');
    const std::string_view host = full.substr(0, dot);
    if (dot != std::string_view::npos) {
      domains(full.substr(dot + 1));
      in_all_cases(full);
    }
    if (found_everywhere(host, NameKind::host)) in_all_cases(host);
  }

  void addresses(std::string_view path, std::string_view text) {
    AddressForms forms(text);
    const auto next = [text](std::size_t at) {
      return next_of(text, at, text.size(), segment_character);
    };
    for (std::size_t i = next(0); i < text.size();) {
      const std::size_t end = segment_end(text, i);
      const auto form = forms.at(i, end);
      if (form)
        writer_.learn(*form,
                      is_bare(*form) ? speaks_of(form->kind, path, text, i) : Speaks::nothing);
      i = next(form ? i + form->length : end);
    }
  }

  Fields text(std::string_view path, std::string_view text) {
    Fields fields = find_fields(path, text);
    for (const Field& field : fields) name(text.substr(field.offset, field.length), field.kind);
    addresses(path, text);
    return fields;
  }

  // Every machine of a domain that is known by now: "node08.site.example" makes "node08" known.
  void neighbours(std::string_view text) {
    const auto in_name = [](char c) { return in_segment(c) || c == '-' || c == '.' || c == '_'; };
    for (auto dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
      if (!in_segment(at_or_zero(text, dot + 1))) continue;
      const std::size_t first = dot + 1;
      const KnownWord* word = out_.words.longest(text, first, segment_end(text, first));
      if (word == nullptr || word->kind != NameKind::domain) continue;
      std::size_t start = dot;
      while (start > 0 && dot - start < longest_field && in_name(text[start - 1])) --start;
      while (start < dot && !in_segment(text[start])) ++start;
      start = behind_escape(text, start);
      const std::size_t end = first + word->text.size();
      if (!in_name(at_or_zero(text, end)) || !in_segment(at_or_zero(text, end + 1)))
        host(text.substr(start, end - start));
    }
  }

  // sys/class/net/NAME, also below samples/1/ and below a device's own directory.
  void interfaces(std::string_view path) {
    const auto parts = split(path, '/');
    const std::size_t root = parts[0] == "samples" ? 2 : 0;
    if (root >= parts.size() || parts[root] != "sys") return;
    for (std::size_t i = root + 1; i + 1 < parts.size(); ++i) {
      const std::string_view next = parts[i + 1];
      if (parts[i] == "net" && !is_systematic_netdev(next)) {
        const auto dot = next.rfind('.');
        name(next, NameKind::netdev);
        if (dot != std::string_view::npos && dot > 0) name(next.substr(0, dot), NameKind::netdev);
      }
      if (parts[i] == "infiniband" && !is_systematic_rdma_device(next))
        name(next, NameKind::rdma_device);
    }
  }

 private:
  // The domain, and those it lies in while they still have a dot: "rack1.site.example",
  // "site.example".
  void domains(std::string_view domain) {
    name(domain, NameKind::domain);
    for (auto dot = domain.find('.'); dot != std::string_view::npos; dot = domain.find('.')) {
      domain.remove_prefix(dot + 1);
      if (contains(domain, ".")) name(domain, NameKind::domain);
    }
  }

  void in_all_cases(std::string_view name) {
    out_.words.add(name, NameKind::host);
    if (!distinctive(name, 4)) return;
    out_.words.add(lower(name), NameKind::host);
    out_.words.add(upper(name), NameKind::host);
  }

  Collected& out_;
  AddressWriter& writer_;
};

}  // namespace

std::string path_text(std::string_view path) { return "/" + std::string(path); }

bool is_text(const Entry& entry) { return entry.bytes.find('\0') == std::string::npos; }

Collected collect(const Recording& recording, const KnownIdentities& known, AddressWriter& writer) {
  Collected out;
  Collector collector(out, writer);
  for (const auto& name : known.hostnames) collector.host(name);
  collector.host(recording.manifest.hostname);
  for (const auto& name : known.user_names)
    if (is_user(name)) collector.name(name, NameKind::user);
  for (const auto& [path, entry] : recording.entries) {
    collector.interfaces(path);
    collector.text({}, path_text(path));
    if (!is_text(entry)) continue;
    const bool file = entry.kind == Entry::Kind::file;
    Fields fields = collector.text(file ? std::string_view(path) : std::string_view{}, entry.bytes);
    if (!fields.empty()) out.fields.emplace(path, std::move(fields));
  }
  for (const auto& [path, entry] : recording.entries) {
    collector.neighbours(path);
    if (is_text(entry)) collector.neighbours(entry.bytes);
  }
  return out;
}

}  // namespace railgauge::observe::privacy
