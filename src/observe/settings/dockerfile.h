// Dockerfiles: what ENV leaves in the image of the last stage. ARG is known only while the image is
// built; its default fills in "$X". What RUN exports is gone when its layer is done.
#pragma once

#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_dockerfile(std::string_view bytes);
Result<model::Machine> read_dockerfile(const Input& input);

}  // namespace railgauge::observe
