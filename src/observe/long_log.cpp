#include "observe/long_log.h"

#include <algorithm>

namespace railgauge::observe {
namespace {

constexpr std::size_t part_bytes = 1u << 20;  // of the start and of the end that are kept

}  // namespace

bool LongLog::wants(std::string_view start) {
  if (!looks_like_nccl_log(start)) return false;
  reader_.emplace(name_);
  return true;
}

void LongLog::take(std::string_view piece) {
  reader_->take(piece);
  if (head_.size() < part_bytes) {
    const std::size_t more = std::min(part_bytes - head_.size(), piece.size());
    head_.append(piece.substr(0, more));
    piece.remove_prefix(more);
  }
  tail_.append(piece);
  if (tail_.size() > 4 * part_bytes) {
    tail_.erase(0, tail_.size() - part_bytes);
    tail_cut_ = true;
  }
}

// By every reader but the one that read it all.
void LongLog::read_others(const Input& part, std::vector<model::Machine>& parts) const {
  for (const Reader* reader : sniff(part.bytes)) {
    if (reader->kind == InputKind::nccl_log) continue;
    auto read = reader->read(part);
    if (read) {
      read->name = name_;
      parts.push_back(std::move(*read));
      continue;
    }
    const auto here = parts.front().sources.add(part.name, model::Trust::tool);
    parts.front().remark(model::RemarkLevel::error, read.error().text(), here);
  }
}

Result<std::vector<model::Machine>> LongLog::finish() {
  std::vector<model::Machine> parts;
  auto machine = reader_->finish();
  if (!machine) return tl::unexpected(std::move(machine.error()));
  machine->name = name_;
  parts.push_back(std::move(*machine));
  // Whole lines only.
  if (!tail_.empty()) head_.resize(head_.rfind('\n') + 1);
  read_others({name_, std::move(head_)}, parts);
  if (tail_.size() > part_bytes) {
    tail_.erase(0, tail_.size() - part_bytes);
    tail_cut_ = true;
  }
  if (!tail_.empty()) tail_.erase(0, std::min(tail_.find('\n'), tail_.size() - 1) + 1);
  if (tail_.empty()) return parts;
  if (tail_cut_)
    parts.front().remark(model::RemarkLevel::note,
                         "a long log: all of NCCL's lines are read; what else is in it only in its "
                         "first and last MiB",
                         parts.front().nccl_runs.front().source);
  read_others({name_ + " (its end)", std::move(tail_)}, parts);
  return parts;
}

}  // namespace railgauge::observe
