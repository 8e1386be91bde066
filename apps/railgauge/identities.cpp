#include "apps/railgauge/identities.h"

#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "base/strings.h"
#include "observe/privacy/identities.h"

namespace railgauge::app {
namespace {

constexpr std::uint64_t longest_key_bytes = 1u << 20;
// Short secrets can be found by trying.
constexpr std::size_t shortest_key_bytes = 8;

void add(std::vector<std::string>& names, std::string_view name) {
  name = trim(name);
  if (!name.empty() && name != "root") names.emplace_back(name);
}

// The line of the effective user in /etc/passwd; NSS may ask the network, which may not answer.
std::string user_of_passwd() {
  const auto passwd = read_file("/etc/passwd", longest_key_bytes);
  if (!passwd) return {};
  const std::string uid = std::to_string(::geteuid());
  for (LineCursor lines(*passwd); lines.next();) {
    const auto fields = split(lines.line(), ':');
    if (fields.size() > 2 && fields[2] == uid) return std::string(fields[0]);
  }
  return {};
}

observe::KnownIdentities known_identities() {
  observe::KnownIdentities known;
  utsname system{};
  if (::uname(&system) == 0) add(known.hostnames, system.nodename);
  for (const char* name : {"USER", "LOGNAME", "SUDO_USER"})
    if (const char* value = std::getenv(name)) add(known.user_names, value);
  if (const char* home = std::getenv("HOME"))
    add(known.user_names, std::filesystem::path(home).filename().string());
  add(known.user_names, user_of_passwd());
  return known;
}

Result<std::string> secret_of_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    return fail(ErrorKind::usage, "--identity-key: " + railgauge::quoted(path) + " is not a file");
  auto secret = read_file(path, longest_key_bytes);
  if (!secret) return tl::unexpected(std::move(secret.error()).because("--identity-key"));
  if (secret->size() < shortest_key_bytes)
    return fail(ErrorKind::usage, "--identity-key: " + railgauge::quoted(path) +
                                      " holds fewer than 8 bytes, which can be guessed; make one "
                                      "with: head -c 32 /dev/urandom > FILE");
  return secret;
}

std::string machine_id() {
  const auto id = read_file("/etc/machine-id", 4096);
  return id && trim(*id).size() >= 32 ? std::string(trim(*id)) : std::string();
}

// A machine without an id (a container, a live image) gets a key that nobody keeps.
std::string secret_of_machine() {
  if (const auto id = machine_id(); !id.empty()) return id;
  std::array<char, 32> bytes{};
  return ::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size())
             ? std::string(bytes.data(), bytes.size())
             : std::string();
}

}  // namespace

Result<Replacer> identity_replacer(const Arguments& arguments) {
  const auto secret = arguments.has("identity-key")
                          ? secret_of_file(arguments.value("identity-key"))
                          : Result<std::string>(secret_of_machine());
  if (!secret) return tl::unexpected(secret.error());
  if (secret->empty())
    return fail(ErrorKind::device,
                "this machine has no /etc/machine-id and gives no random bytes to replace "
                "identities with; give --identity-key FILE");
  const auto key = observe::identity_key(*secret);
  return Replacer([key](const observe::Recording& recording) {
    if (recording.manifest.identities_replaced) return recording;
    observe::Recording replaced = observe::replace_identities(recording, key, known_identities());
    replaced.manifest.identities_replaced = true;
    replaced.manifest.identity_key = observe::key_name(key);
    return replaced;
  });
}

Result<observe::Recording> treat_identities(const Arguments& arguments,
                                            observe::Recording recording) {
  if (arguments.has("keep-identities")) return recording;
  const auto replacer = identity_replacer(arguments);
  if (!replacer) return tl::unexpected(replacer.error());
  return (*replacer)(recording);
}

bool key_is_for_once(const Arguments& arguments) {
  return !arguments.has("keep-identities") && !arguments.has("identity-key") &&
         machine_id().empty();
}

OptionSpec identity_key_option() {
  return {"--identity-key",
          "FILE",
          "Replace identities by the secret in FILE, the same on every machine of a fleet",
          {},
          1,
          Completes::files};
}

}  // namespace railgauge::app
