# railgauge_embed(target NAMESPACE name FILES data/a.yaml …) compiles files into the room:
#   std::span<const railgauge::EmbeddedFile> railgauge::NAME::embedded_files();   (base/embedded.h)
function(railgauge_embed target)
  cmake_parse_arguments(arg "" "NAMESPACE" "FILES" ${ARGN})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_${arg_NAMESPACE}.cpp)
  set(inputs)
  foreach(file ${arg_FILES})
    list(APPEND inputs ${PROJECT_SOURCE_DIR}/${file})
  endforeach()
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAMESPACE=${arg_NAMESPACE} "-DFILES=${arg_FILES}"
      -DROOT=${PROJECT_SOURCE_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${inputs} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake VERBATIM)
  target_sources(railgauge_${target} PRIVATE ${output})
endfunction()
