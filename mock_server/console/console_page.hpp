#pragma once

// The console: a page that shows and changes the mock by its control API. The page is part of the
// program, holds no data, and asks no other address. Pure functions.

#include "spec/http/message.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace mock_server::console {

// The page, with a content security policy that allows nothing but its own script and style, and
// calls of the address that it comes from; 304 if the browser has it already.
spec::http::Response page_response(const spec::http::Request& request);

// The same page as a file that asks no server: it shows `recorded`, an object from the path of a
// request ("/_mock/requests/1") to the JSON that the control API would have sent.
std::string page_with(const nlohmann::json& recorded);

// The files of page/, joined by CMake.

struct PageText {
  std::string_view page;         // with the holes <!--policy--> and <!--recorded-->
  std::string_view style_hash;   // SHA-256 of the content of <style>, as hexadecimal digits
  std::string_view script_hash;  // and of <script>
};

PageText page_text();

}  // namespace mock_server::console
