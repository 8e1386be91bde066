// The words of pasted matrices: device labels, cells, affinities; and words that lost the blank
// between them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::observe {

// Terminal codes out, no-break spaces and table bars to blanks: what every text reader starts from.
std::string plain_text(std::string_view bytes);

enum class LabelKind { gpu, nic_number, nic_name, pci_address };

// "GPU3", "NIC12", "mlx5_0" (any RDMA-like name: letters first, at least one digit),
// "0000:0c:00.0". A cell is never a label.
struct Label {
  LabelKind kind = LabelKind::gpu;
  std::string text;
  int number = -1;  // of GPUn and NICn
};
std::optional<Label> parse_label(std::string_view word);

// "NIC28NIC29" is {"NIC28", "NIC29"}; one label or anything else is empty.
std::vector<std::string> split_merged_labels(std::string_view word);

// Cells of nvidia-smi (PIX, NV12, SOC …), of its P2P form (OK, GNS …) or of rocm-smi (XGMI, True).
bool is_path_cell(std::string_view word);
bool is_p2p_cell(std::string_view word);
bool is_rocm_cell(std::string_view word);

// "0-47,96-143", "0", "N/A": what stands after the cells.
bool is_affinity(std::string_view word);

// "SYSSYS" is {"SYS", "SYS"}, "SYS0-47" is {"SYS", "0-47"}. Empty when the word is one cell, when
// it is not made of cells, or when it can be cut in two ways ("NV120-47").
std::vector<std::string> split_merged_cells(std::string_view word);

}  // namespace railgauge::observe
