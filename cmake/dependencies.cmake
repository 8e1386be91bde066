# Libraries from the distribution. Each becomes one interface target railgauge_dep_NAME that a room links privately.
# With RAILGAUGE_STATIC the archives (.a) are taken, and what they need.
find_package(PkgConfig REQUIRED)
if(BUILD_TESTING)
  find_package(GTest REQUIRED)
endif()

function(railgauge_dependency name)
  add_library(railgauge_dep_${name} INTERFACE)
  pkg_check_modules(${name} REQUIRED ${ARGN})
  target_include_directories(railgauge_dep_${name} SYSTEM INTERFACE ${${name}_INCLUDE_DIRS})
  if(RAILGAUGE_STATIC)
    target_link_directories(railgauge_dep_${name} INTERFACE ${${name}_STATIC_LIBRARY_DIRS})
    target_link_libraries(railgauge_dep_${name} INTERFACE ${${name}_STATIC_LIBRARIES})
  else()
    target_link_directories(railgauge_dep_${name} INTERFACE ${${name}_LIBRARY_DIRS})
    target_link_libraries(railgauge_dep_${name} INTERFACE ${${name}_LIBRARIES})
  endif()
endfunction()

railgauge_dependency(hwloc hwloc)
railgauge_dependency(libarchive libarchive)
railgauge_dependency(yaml yaml-cpp)
railgauge_dependency(pugixml pugixml)

# Header-only.
add_library(railgauge_dep_fmt INTERFACE)
target_link_libraries(railgauge_dep_fmt INTERFACE fmt)
add_library(railgauge_dep_json INTERFACE)
add_library(railgauge_dep_cli11 INTERFACE)
