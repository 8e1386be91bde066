#include "model/counter.h"

namespace railgauge::model {

Reading<std::uint64_t> Counter::growth() const {
  if (!value) return Reading<std::uint64_t>::not_reported("the counter was not read");
  if (later.empty())
    return Reading<std::uint64_t>::not_reported("read once: a rate needs two samples");
  if (later.back().value < *value)
    return Reading<std::uint64_t>::failed("the counter went back between two samples");
  return later.back().value - *value;
}

Reading<double> Counter::per_second() const {
  const auto grown = growth();
  if (!grown)
    return grown.is_failed() ? Reading<double>::failed(grown.why())
                             : Reading<double>::not_reported(grown.why());
  if (!(later.back().after_seconds > 0))
    return Reading<double>::failed("no time passed between two samples");
  return static_cast<double>(*grown) / later.back().after_seconds;
}

}  // namespace railgauge::model
