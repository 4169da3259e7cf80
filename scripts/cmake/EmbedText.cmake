# cmake -D SOURCE=text -D TARGET=file.cpp -D HEADER=a.hpp -D FUNCTION=space::text -P EmbedText.cmake
# Writes the definition of a function, declared in HEADER, that returns the text as a string_view.
# The literal is split, because compilers limit its length.
file(READ "${SOURCE}" text)
string(LENGTH "${text}" size)
set(literal "")
set(at 0)
while(at LESS size)
  string(SUBSTRING "${text}" ${at} 8000 piece)
  string(APPEND literal "\n    R\"counterpart(${piece})counterpart\"")
  math(EXPR at "${at} + 8000")
endwhile()
file(WRITE "${TARGET}"
     "#include \"${HEADER}\"\n\nstd::string_view ${FUNCTION}() {\n  return ${literal};\n}\n")
