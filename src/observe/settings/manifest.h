// Kubernetes manifests, docker compose files and other YAML or JSON that sets variables for
// containers, whatever they are nested in:
//   - {name: NCCL_DEBUG, value: INFO}      env of a container
//   NCCL_DEBUG: INFO                       environment of a service, data of a ConfigMap
//   - NCCL_DEBUG=INFO                      environment list; also after "-x" in a command
//   command: ["bash", "-c", "NCCL_DEBUG=INFO python train.py"]
// Several documents in one file are read one after another. Events of the parser are followed, no
// tree is built: an alias is never expanded, so a bomb of aliases is a short file.
#pragma once

#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_manifest(std::string_view bytes);
Result<model::Machine> read_manifest(const Input& input);

}  // namespace railgauge::observe
