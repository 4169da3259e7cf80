# cmake --install and CPack: programs in bin, contract, fixtures and cases in share/counterpart.
set(CPACK_PACKAGE_CONTACT "The Counterpart maintainers")
set(CPACK_GENERATOR TGZ DEB)
include(CPack)
