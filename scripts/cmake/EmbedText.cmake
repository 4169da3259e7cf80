# cmake -D SOURCE=text -D TARGET=file.cpp -D HEADER=a.hpp -D FUNCTION=space::text -P EmbedText.cmake
# Writes the definition of a function, declared in HEADER, that returns the text as a string_view.
include("${CMAKE_CURRENT_LIST_DIR}/TextLiteral.cmake")
file(READ "${SOURCE}" text)
text_literal("${text}" "    " literal)
file(WRITE "${TARGET}"
     "#include \"${HEADER}\"\n\nstd::string_view ${FUNCTION}() {\n  return ${literal};\n}\n")
