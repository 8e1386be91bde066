# Decides whether kernels are built. A compiler is enough: no GPU and no driver are looked for.
#   RAILGAUGE_CUDA=AUTO   when nvcc is found     ON   or stop     OFF   never
# Sets RAILGAUGE_HAS_CUDA. nvcc is sought on the PATH and where NVIDIA's packages put it.
set(RAILGAUGE_HAS_CUDA FALSE)
set_property(CACHE RAILGAUGE_CUDA PROPERTY STRINGS AUTO ON OFF)
string(TOUPPER "${RAILGAUGE_CUDA}" RAILGAUGE_CUDA_WANTED)

if(RAILGAUGE_CUDA_WANTED STREQUAL "AUTO" AND (RAILGAUGE_SANITIZE OR RAILGAUGE_FUZZ))
  # Sanitizers reserve the address ranges that the CUDA runtime maps, and nvcc does not take their flags.
  set(RAILGAUGE_CUDA_WANTED "OFF")
endif()

if(NOT RAILGAUGE_CUDA_WANTED STREQUAL "OFF")
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(RAILGAUGE_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_HOME
      PATHS /usr/local/cuda/bin /opt/cuda/bin PATH_SUFFIXES bin)
    if(RAILGAUGE_NVCC)
      set(CMAKE_CUDA_COMPILER ${RAILGAUGE_NVCC})
    endif()
  endif()
  if(CMAKE_CUDA_COMPILER)
    # A100 machine code; H100 and H200 machine code, and PTX that later GPUs compile for themselves.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES "80-real;90" CACHE STRING "GPU architectures kernels are built for")
    endif()
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    enable_language(CUDA)
    # CMake before 3.26 does not know that nvcc has C++20 since CUDA 12, so it is told.
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(RAILGAUGE_HAS_CUDA TRUE)
  elseif(RAILGAUGE_CUDA_WANTED STREQUAL "ON")
    message(FATAL_ERROR "RAILGAUGE_CUDA=ON, but nvcc was not found on the PATH or in /usr/local/cuda/bin. "
      "Install the CUDA toolkit, name the compiler with -DCMAKE_CUDA_COMPILER=/path/to/nvcc, "
      "or configure with -DRAILGAUGE_CUDA=OFF.")
  endif()
endif()
message(STATUS "GPU kernels: ${RAILGAUGE_HAS_CUDA} (RAILGAUGE_CUDA=${RAILGAUGE_CUDA})")
