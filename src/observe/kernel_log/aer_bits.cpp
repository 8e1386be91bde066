#include "observe/kernel_log/aer_bits.h"

#include <array>

namespace railgauge::observe {
namespace {

// Bit, short name (kernel 4.20 and later) and long name (before). Source: Linux
// drivers/pci/pcie/aer.c, PCI Express Base Specification, Advanced Error Reporting.
struct Row {
  bool corrected;
  int bit;
  std::string_view name;
  std::string_view long_name;
};
constexpr std::array<Row, 34> rows{{
    {true, 0, "RxErr", "Receiver Error"},
    {true, 6, "BadTLP", "Bad TLP"},
    {true, 7, "BadDLLP", "Bad DLLP"},
    {true, 8, "Rollover", "RELAY_NUM Rollover"},
    {true, 12, "Timeout", "Replay Timer Timeout"},
    {true, 13, "NonFatalErr", "Advisory Non-Fatal"},
    {true, 14, "CorrIntErr", "Corrected Internal Error"},
    {true, 15, "HeaderOF", "Header Log Overflow"},
    {false, 0, "Undefined", ""},
    {false, 4, "DLP", "Data Link Protocol"},
    {false, 5, "SDES", "Surprise Down Error"},
    {false, 12, "TLP", "Poisoned TLP"},
    {false, 13, "FCP", "Flow Control Protocol"},
    {false, 14, "CmpltTO", "Completion Timeout"},
    {false, 15, "CmpltAbrt", "Completer Abort"},
    {false, 16, "UnxCmplt", "Unexpected Completion"},
    {false, 17, "RxOF", "Receiver Overflow"},
    {false, 18, "MalfTLP", "Malformed TLP"},
    {false, 19, "ECRC", "ECRC"},
    {false, 20, "UnsupReq", "Unsupported Request"},
    {false, 21, "ACSViol", "ACS Violation"},
    {false, 22, "UncorrIntErr", "Uncorrectable Internal Error"},
    {false, 23, "BlockedTLP", "MC Blocked TLP"},
    {false, 24, "AtomicOpBlocked", "AtomicOp Egress Blocked"},
    {false, 25, "TLPBlockedErr", "TLP Prefix Blocked Error"},
    {false, 26, "PoisonTLPBlocked", "Poison TLP Blocked"},
    {false, 27, "DMWrReqBlocked", ""},
    {false, 28, "IDECheck", ""},
    {false, 29, "MisIDETLP", ""},
    {false, 30, "PCRC_CHECK", ""},
    {false, 31, "TLPXlatBlocked", ""},
    {true, 8, "Rollover", "REPLAY_NUM Rollover"},
    {true, 13, "NonFatalErr", "Advisory Non-Fatal Error"},
    {false, 5, "SDES", "Surprise Down"},
}};

}  // namespace

std::string_view aer_bit_name(bool corrected, int bit) {
  for (const Row& row : rows)
    if (row.corrected == corrected && row.bit == bit) return row.name;
  return {};
}

AerBit aer_bit(std::string_view words) {
  for (const Row& row : rows)
    if (words == row.name || (!row.long_name.empty() && words == row.long_name))
      return {row.name, true, row.corrected};
  return {words, false, false};
}

std::vector<std::string> aer_bits(bool corrected, std::uint64_t status) {
  std::vector<std::string> out;
  for (int bit = 0; bit < 32; ++bit) {
    if ((status >> bit & 1) == 0) continue;
    const std::string_view name = aer_bit_name(corrected, bit);
    out.push_back(name.empty() ? "bit " + std::to_string(bit) : std::string(name));
  }
  return out;
}

}  // namespace railgauge::observe
