# text_literal(TEXT INDENT RESULT): TEXT as a C++ literal in pieces, each on a line that begins with INDENT,
# because compilers limit the length of one.
function(text_literal text indent result)
  string(LENGTH "${text}" size)
  set(literal "")
  set(at 0)
  while(at LESS size)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND literal "\n${indent}R\"counterpart(${piece})counterpart\"")
    math(EXPR at "${at} + 8000")
  endwhile()
  set(${result} "${literal}" PARENT_SCOPE)
endfunction()
