# cmake --install and CPack (TGZ, DEB). Programs go to bin, their data to share/counterpart with the same
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

set(CPACK_PACKAGE_NAME counterpart)
set(CPACK_PACKAGE_VENDOR "Counterpart")
set(CPACK_PACKAGE_CONTACT "The Counterpart maintainers <counterpart@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# dpkg-shlibdeps finds the shared libraries; the font of the invoices is data, so it is named here.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS fonts-dejavu-core)
include(CPack)
