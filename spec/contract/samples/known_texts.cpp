#include "spec/contract/samples/known_texts.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace spec::contract::samples {

namespace {

// Self-signed, for "sample"; nobody has its key.
constexpr std::string_view kCertificate =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBeTCCAR+gAwIBAgIUEvu5lF4M9nTIIdXonRcqCKWeEU0wCgYIKoZIzj0EAwIw\n"
    "ETEPMA0GA1UEAwwGc2FtcGxlMCAXDTI2MTEyMjExMzUzMFoYDzIxMjYxMDI5MTEz\n"
    "NTMwWjARMQ8wDQYDVQQDDAZzYW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC\n"
    "AARwgP4CrTBbK2aTFCerlXctmBgVzgLncgF2EzNjnx5NeAfD6MxggRjRDnXsPayg\n"
    "dtDuEa60dKr3gB3FYPUc5eV1o1MwUTAdBgNVHQ4EFgQUtxi0OhQpOL/nFYuSdHPR\n"
    "Lb3+tEIwHwYDVR0jBBgwFoAUtxi0OhQpOL/nFYuSdHPRLb3+tEIwDwYDVR0TAQH/\n"
    "BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAyKl1HxOUvzUpxvRXhsDg5Qqks0dJ\n"
    "f3Ur3vEyc1BTkCcCIAr8Ag+yDVellr57eQfG2MvDbdY4qpO0VkfnDjGshUkg\n"
    "-----END CERTIFICATE-----\n";

// Signed (HS256) with the secret "sample". Source: RFC 7519.
constexpr std::string_view kWebToken =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzYW1wbGUifQ."
    "X55_eVoo8gjh7sBQJ-pGWqTQzKwX6syQ_G5yxlOO9oA";

constexpr std::string_view kScript = "console.log(\"sample\");\n";
constexpr std::string_view kShell = "#!/bin/sh\necho sample\n";

struct Row {
  std::string_view subtype;  // of "application"
  std::string_view text;
};

constexpr std::array kRows = std::to_array<Row>({
    {"ecmascript", kScript},
    {"graphql", "query Sample {\n  node(id: \"1\") {\n    id\n  }\n}\n"},
    {"javascript", kScript},
    {"jose", kWebToken},
    {"jwt", kWebToken},
    {"n-quads", "<urn:sample:1> <urn:sample:name> \"sample\" .\n"},
    {"n-triples", "<urn:sample:1> <urn:sample:name> \"sample\" .\n"},
    {"pem-certificate-chain", kCertificate},
    {"rtf", "{\\rtf1\\ansi Sample}\n"},
    {"sdp", "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=sample\r\nt=0 0\r\n"},
    {"sparql-query", "SELECT ?s WHERE { ?s ?p ?o } LIMIT 1\n"},
    {"sql", "SELECT 1;\n"},
    {"toml", "name = \"sample\"\n"},
    {"x-httpd-php", "<?php echo \"sample\";\n"},
    {"x-javascript", kScript},
    {"x-latex", "\\documentclass{article}\\begin{document}Sample\\end{document}\n"},
    {"x-pem", kCertificate},
    {"x-pem-file", kCertificate},
    {"x-sh", kShell},
    {"x-shellscript", kShell},
    {"x-x509-user-cert", kCertificate},
});

}  // namespace

std::optional<std::string> known_text(const http::MediaType& media_type) {
  const auto row = std::ranges::find(kRows, media_type.subtype, &Row::subtype);
  const bool is_token = media_type.type == "application" && media_type.subtype.ends_with("+jwt");
  if (is_token) {
    return std::string(kWebToken);
  }
  return media_type.type == "application" && row != kRows.end()
             ? std::optional(std::string(row->text))
             : std::nullopt;
}

}  // namespace spec::contract::samples
