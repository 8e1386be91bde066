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
  # The room's target may live in a folder above: it needs the order and the word that the file is made.
  add_custom_target(railgauge_embedded_${arg_NAMESPACE} DEPENDS ${output})
  add_dependencies(railgauge_${target} railgauge_embedded_${arg_NAMESPACE})
  set_source_files_properties(${output} TARGET_DIRECTORY railgauge_${target} PROPERTIES GENERATED TRUE)
  target_sources(railgauge_${target} PRIVATE ${output})
endfunction()
