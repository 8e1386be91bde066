#include "observe/privacy/interface_name.h"

#include <algorithm>
#include <string>

#include "observe/privacy/characters.h"

namespace railgauge::observe::privacy {
namespace {

// systemd.net-naming-scheme(7) after its two letters: where it sits (o, s, p, P, b, v, c, u, a, i,
// x and a number), then more of these, functions (f), ports (d, n + the driver's port name: np0,
// nf0pf0vf1, ns1) and virtual functions (v, r).
bool is_place(std::string_view rest) {
  if (rest.size() < 2 || std::string_view("ospPbvcuaix").find(rest[0]) == std::string_view::npos)
    return false;
  std::size_t letters = 0;
  for (const char c : rest) {
    if (is_digit(c)) {
      letters = 0;
      continue;
    }
    if (std::string_view("ospPbvcuaixfdnrs_").find(c) == std::string_view::npos) return false;
    if (++letters > 3) return false;
  }
  return is_digit(rest[1]) && is_digit(rest.back());
}

bool is_number(std::string_view text) {
  return !text.empty() && all_of_kind(text, digit_character);
}

template <std::size_t N>
bool numbered(std::string_view name, const std::string_view (&prefixes)[N]) {
  return std::any_of(std::begin(prefixes), std::end(prefixes), [name](std::string_view prefix) {
    return name.starts_with(prefix) && is_number(name.substr(prefix.size()));
  });
}

template <std::size_t N>
bool placed(std::string_view name, const std::string_view (&prefixes)[N]) {
  return std::any_of(std::begin(prefixes), std::end(prefixes), [name](std::string_view prefix) {
    return name.starts_with(prefix) && is_place(name.substr(prefix.size()));
  });
}

constexpr std::string_view numbered_netdevs[] = {
    "eth",      "ens",    "eno",        "ib",      "bond",    "team",   "br",     "docker",
    "virbr",    "wlan",   "hsn",        "tunl",    "vnet",    "tap",    "tun",    "dummy",
    "ifb",      "sit",    "ip6tnl",     "gre",     "gretap",  "erspan", "ip_vti", "ip6gre",
    "vlan",     "vxlan",  "vxlan_sys_", "macvlan", "macvtap", "ipvlan", "net",    "cni",
    "wg",       "ppp",    "usb",        "wwan",    "lxcbr",   "lxdbr",  "podman", "nerdctl",
    "flannel.", "cilium", "em",         "nvl",     "imex",    "pf0hpf", "gtp",    "teql",
    "vrf",      "rmnet"};
constexpr std::string_view placed_netdevs[] = {"en", "ib", "wl", "ww", "sl", "en0"};
constexpr std::string_view hex_netdevs[] = {"veth", "br-", "cali", "lxc",
                                            "tap",  "qbr", "qvo",  "azv"};
constexpr std::string_view whole_netdevs[] = {
    "lo",           "bonding_masters", "cilium_host", "cilium_net",
    "cilium_vxlan", "lxc_health",      "kube-ipvs0",  "nodelocaldns",
    "vxlan.calico", "ovs-system",      "br-int",      "br-ex",
    "br-tun",       "virbr0-nic",      "tmfifo_net0", "oob_net0",
    "gre0",         "genev_sys_6081"};

constexpr std::string_view numbered_rdma[] = {
    "mlx4_", "mlx5_",  "mlx5_bond_", "mlx5_bond", "mlx5_ib", "mlx5_an",   "bnxt_re", "bnxt_re_bond",
    "irdma", "i40iw",  "rxe",        "siw",       "efa_",    "hfi1_",     "qib",     "qedr",
    "mana_", "hns_",   "erdma_",     "cxgb4_",    "ionic_",  "ocrdma",    "usnic_",  "vmw_pvrdma",
    "mthca", "xrdma_", "xscale_",    "rocep",     "ib",      "roce_bond", "opap"};
constexpr std::string_view placed_rdma[] = {"roce", "ib", "rdma", "iw", "opa"};

// eth0np0, eth1nf2: a numbered name with the driver's port behind.
bool with_port(std::string_view name) {
  if (!name.starts_with("eth")) return false;
  name.remove_prefix(3);
  std::size_t digits = 0;
  while (digits < name.size() && is_digit(name[digits])) ++digits;
  return digits > 0 && digits < name.size() && name[digits] == 'n' &&
         is_place("p0" + std::string(name.substr(digits)));
}

// p1p1, p3p2_0: biosdevname.
bool is_slot_and_port(std::string_view name) {
  return name.size() > 1 && name[0] == 'p' && is_place(name) &&
         name.find_first_not_of("p_0123456789") == std::string_view::npos;
}

bool matches_netdev(std::string_view name) {
  if (std::find(std::begin(whole_netdevs), std::end(whole_netdevs), name) !=
      std::end(whole_netdevs))
    return true;
  if (numbered(name, numbered_netdevs) || placed(name, placed_netdevs)) return true;
  if (with_port(name) || is_slot_and_port(name)) return true;
  if (name.size() == 15 && name[2] == 'x') return all_of_kind(name.substr(3), hex_character);
  return std::any_of(std::begin(hex_netdevs), std::end(hex_netdevs), [name](std::string_view p) {
    return name.starts_with(p) && name.size() >= p.size() + 6 &&
           all_of_kind(name.substr(p.size()), hex_character);
  });
}

}  // namespace

bool is_systematic_netdev(std::string_view name) {
  if (matches_netdev(name)) return true;
  const auto dot = name.rfind('.');  // a VLAN or an InfiniBand partition: bond0.100, ib0.8001
  return dot != std::string_view::npos && dot > 0 && name.size() - dot <= 5 &&
         all_of_kind(name.substr(dot + 1), hex_character) && matches_netdev(name.substr(0, dot));
}

bool is_systematic_rdma_device(std::string_view name) {
  return numbered(name, numbered_rdma) || placed(name, placed_rdma);
}

}  // namespace railgauge::observe::privacy
