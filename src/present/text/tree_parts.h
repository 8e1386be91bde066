// The parts of the text tree, each in its own file; tree.cpp puts them together.
#pragma once

#include "model/machine.h"
#include "present/fabric.h"
#include "present/outline.h"
#include "present/text/footnotes.h"
#include "present/text/page.h"

namespace railgauge::present {

struct TreeContext {
  const model::Machine& machine;
  const Fabric& net;
  Page& page;
  Footnotes& notes;
  bool any_inferred = false;
  std::string common_why;  // of every edge, said once instead of on each
};

void write_header(TreeContext& tree);
void write_rows(TreeContext& tree, const Outline& outline);
void write_nvlink(TreeContext& tree);
void write_rails(TreeContext& tree);
void write_p2p(TreeContext& tree);
void write_nccl(TreeContext& tree);
void write_sockets(TreeContext& tree);
void write_details(TreeContext& tree);
void write_counters(TreeContext& tree);
void write_events(TreeContext& tree);
void write_system(TreeContext& tree);
void write_remarks(TreeContext& tree);

// The edge in one span: red when degraded, dim when unknown, long reasons as footnotes.
Span edge_span(const EdgeWords& edge, Footnotes& notes);

}  // namespace railgauge::present
