# cmake -D FOLDER=page -D FRAME=page.html -D STYLES=a.css,b.css -D SCRIPTS=a.js,b.js -D TARGET=page.cpp
#       -D HEADER=a.hpp -D FUNCTION=space::page_text -P JoinPage.cmake
# Writes the definition of a function that returns a page as one text, with the SHA-256 of its script and of
# its style for a content security policy. FRAME has the holes {{style}} and {{script}}.
include("${CMAKE_CURRENT_LIST_DIR}/TextLiteral.cmake")

function(join names result)
  string(REPLACE "," ";" names "${names}")
  set(all "\n")
  foreach(name IN LISTS names)
    file(READ "${FOLDER}/${name}" text)
    string(APPEND all "${text}")
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

join("${STYLES}" style)
join("${SCRIPTS}" script)
file(READ "${FOLDER}/${FRAME}" page)
string(SHA256 style_hash "${style}")
string(SHA256 script_hash "${script}")
string(REPLACE "{{style}}" "${style}" page "${page}")
string(REPLACE "{{script}}" "${script}" page "${page}")

text_literal("${page}" "              " literal)
file(WRITE "${TARGET}" "#include \"${HEADER}\"

${TYPE} ${FUNCTION}() {
  return {.page =${literal},
          .style_hash = \"${style_hash}\",
          .script_hash = \"${script_hash}\"};
}
")
