# Libraries from the distribution. Each becomes one interface target railgauge_dep_NAME that a room links privately.
# With RAILGAUGE_STATIC the archives (.a) are taken, together with what they need.
find_package(PkgConfig REQUIRED)
if(BUILD_TESTING)
  find_package(GTest REQUIRED)
endif()

#   railgauge_dependency(NAME PKG-CONFIG-NAME [ARCHIVES lib…])   ARCHIVES in link order, for the static build
function(railgauge_dependency name package)
  cmake_parse_arguments(arg "" "" "ARCHIVES" ${ARGN})
  add_library(railgauge_dep_${name} INTERFACE)
  pkg_check_modules(${name} REQUIRED ${package})
  target_include_directories(railgauge_dep_${name} SYSTEM INTERFACE ${${name}_INCLUDE_DIRS})
  if(NOT RAILGAUGE_STATIC)
    target_link_directories(railgauge_dep_${name} INTERFACE ${${name}_LIBRARY_DIRS})
    target_link_libraries(railgauge_dep_${name} INTERFACE ${${name}_LIBRARIES})
    return()
  endif()
  foreach(archive ${arg_ARCHIVES})
    find_library(RAILGAUGE_ARCHIVE_${archive} NAMES lib${archive}.a HINTS ${${name}_LIBRARY_DIRS})
    if(NOT RAILGAUGE_ARCHIVE_${archive})
      message(FATAL_ERROR "The portable build needs lib${archive}.a; run: tools/setup.sh portable")
    endif()
    target_link_libraries(railgauge_dep_${name} INTERFACE ${RAILGAUGE_ARCHIVE_${archive}})
  endforeach()
endfunction()

railgauge_dependency(hwloc hwloc ARCHIVES hwloc)
railgauge_dependency(libarchive libarchive ARCHIVES archive nettle acl lzma zstd lz4 bz2 z)
railgauge_dependency(zstd libzstd ARCHIVES zstd)
railgauge_dependency(yaml yaml-cpp ARCHIVES yaml-cpp)
railgauge_dependency(pugixml pugixml ARCHIVES pugixml)
railgauge_dependency(nettle nettle ARCHIVES nettle)
if(RAILGAUGE_STATIC)
  add_link_options(-static-libstdc++ -static-libgcc)
endif()

# fmt's own library; the portable build compiles its body in src/base/fmt_library.cpp instead.
add_library(railgauge_dep_fmt INTERFACE)
if(NOT RAILGAUGE_STATIC)
  target_link_libraries(railgauge_dep_fmt INTERFACE fmt)
endif()

# Header-only.
add_library(railgauge_dep_json INTERFACE)
add_library(railgauge_dep_cli11 INTERFACE)
