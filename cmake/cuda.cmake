# Decides whether kernels are built. A compiler is enough: no GPU and no driver are looked for.
set(RAILGAUGE_HAS_CUDA FALSE)
