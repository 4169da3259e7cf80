#pragma once

// The files of page/, joined by CMake.

#include <string_view>

namespace mock_server::console {

struct PageText {
  std::string_view page;         // with the holes <!--policy--> and <!--recorded-->
  std::string_view style_hash;   // SHA-256 of the content of <style>, as hexadecimal digits
  std::string_view script_hash;  // and of <script>
};

PageText page_text();

}  // namespace mock_server::console
