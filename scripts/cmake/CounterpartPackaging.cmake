# cmake --install; scripts/package.sh makes packages of what it installs. Programs go to bin, their data to share/counterpart with the same
# relative paths as in the source tree.
set(data_folder ${CMAKE_INSTALL_DATADIR}/counterpart)

foreach(program mock_server contract_tests)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME)
  endif()
endforeach()

file(GLOB contracts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/spec/*.openapi.yaml)
install(FILES ${contracts} DESTINATION ${data_folder}/spec)
foreach(folder spec/schemas fixtures contract_tests/cases contract_tests/rules)
  install(DIRECTORY ${folder}/ DESTINATION ${data_folder}/${folder} OPTIONAL
          FILES_MATCHING PATTERN "*.yaml" PATTERN "*.json" PATTERN "*.pdf" PATTERN "README.md")
endforeach()
install(FILES contract_tests/report/run.schema.json contract_tests/report/comparison.schema.json
        DESTINATION ${data_folder}/contract_tests/report)
install(DIRECTORY scripts/ci/ DESTINATION ${data_folder}/scripts/ci USE_SOURCE_PERMISSIONS
        PATTERN tests EXCLUDE)
install(FILES contract_tests/contract_tests.example.toml DESTINATION ${data_folder}/contract_tests)
install(FILES mock_server/mock_server.example.toml DESTINATION ${data_folder}/mock_server)
file(GLOB documents CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/*.md)
install(FILES LICENSE ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR})
