// Files that are uploaded come back as they were sent.

#include "mock_server/service/tests/test_service.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace mock_server::service {
namespace {

using nlohmann::json;
using spec::http::Response;

constexpr const char* kUploadsContract = R"yaml(
openapi: 3.1.0
info: {title: Pictures, version: "1"}
paths:
  /files:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/File"}}}}}}}
    post:
      requestBody: {content: {multipart/form-data: {schema: {$ref: "#/components/schemas/Form"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/File"}}}}}
  /files/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/File"}}}}}}
    delete: {responses: {"204": {description: d}}}
  /files/{id}/content:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {"*/*": {schema: {type: string, format: binary}}}}}}
  /notes:
    post:
      requestBody: {content: {multipart/form-data: {schema: {$ref: "#/components/schemas/Form"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/File"}}}}}
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/File"}}}}}}
  /notes/{id}/content:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: string}}}}}}
  /photos:
    post:
      requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {alt: {type: string}, files: {type: array, items: {type: string, format: binary}}}}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/File"}}}}}}
  /photos/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/File"}}}}}}
  /photos/{id}/content:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {image/png: {schema: {type: string, format: binary}}}}}}
  /logo:
    get: {responses: {"200": {description: d, content: {image/png: {schema: {type: string, format: binary}}}}}}
    put:
      requestBody:
        content:
          image/png: {schema: {type: string, format: binary}}
          multipart/form-data: {schema: {$ref: "#/components/schemas/Form"}}
      responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Logo"}}}}}
components:
  schemas:
    Form: {type: object, required: [file], properties: {file: {type: string, format: binary}, alt: {type: string}}}
    File: {type: object, required: [id, bytes, filename], properties: {id: {type: string}, bytes: {type: integer}, filename: {type: string}, alt: {type: string}}}
    Logo: {type: object, required: [alt, size, content_type], properties: {alt: {type: string}, size: {type: integer}, content_type: {type: string}}}
)yaml";

const std::string kBytes("\x89PNG\r\n\x00\n\xFF", 9);

class Uploads : public ::testing::Test {
 protected:
  Response upload(const std::string& method, const std::string& target, const std::string& type,
                  const std::string& body) {
    spec::http::Request request;
    request.method = method;
    request.target = target;
    request.headers.add("Content-Type", type);
    request.body = body;
    return service_.ask_patiently(request).response;
  }

  Response upload_form(const std::string& method, const std::string& target) {
    return upload(method, target, "multipart/form-data; boundary=b",
                  "--b\r\nContent-Disposition: form-data; name=alt\r\n\r\nA kite\r\n--b\r\n"
                  "Content-Disposition: form-data; name=file; filename=\"kite.png\"\r\n"
                  "Content-Type: image/png\r\n\r\n" +
                      kBytes + "\r\n--b--\r\n");
  }

  TestService service_{{{"contract.yaml", kUploadsContract}}, 2};
};

TEST_F(Uploads, are_read_as_they_were_sent) {
  const Response made = upload("PUT", "/logo", "image/png", kBytes);
  const Response logo = service_.get("/logo");

  EXPECT_EQ(json::parse(made.body)["size"], 9);
  EXPECT_EQ(json::parse(made.body)["content_type"], "image/png");
  EXPECT_EQ(logo.body, kBytes);
  EXPECT_EQ(logo.headers.find("Content-Type"), "image/png");
}

TEST_F(Uploads, in_a_form_have_their_name_and_the_other_members) {
  const Response made = upload_form("PUT", "/logo");
  const Response logo = service_.get("/logo");

  EXPECT_EQ(json::parse(made.body)["alt"], "A kite");
  EXPECT_EQ(logo.body, kBytes);
  EXPECT_EQ(logo.headers.find("Content-Disposition"), "inline; filename=\"kite.png\"");
}

TEST_F(Uploads, are_records_whose_content_is_theirs_until_they_are_deleted) {
  const json made = json::parse(upload_form("POST", "/files").body);
  const std::string path = "/files/" + made["id"].get<std::string>();
  const json expected{
      {"id", made["id"]}, {"bytes", 9}, {"filename", "kite.png"}, {"alt", "A kite"}};

  EXPECT_EQ(json::parse(service_.get(path).body), expected);
  EXPECT_EQ(service_.get("/files").status, 200);
  EXPECT_EQ(service_.get(path + "/content").body, kBytes);
  EXPECT_EQ(service_.get(path + "/content").headers.find("Content-Type"), "image/png");
  EXPECT_EQ(service_.send("DELETE", path, "").status, 204);
  EXPECT_EQ(service_.get(path + "/content").status, 404);
}

TEST_F(Uploads, whose_bytes_are_declared_as_a_text_of_json_are_sent_to_who_takes_no_json) {
  const json made = json::parse(upload_form("POST", "/notes").body);
  spec::http::Request request;
  request.method = "GET";
  request.target = "/notes/" + made["id"].get<std::string>() + "/content";
  request.headers.add("Accept", "application/binary");

  const Response content = service_.ask_patiently(request).response;
  EXPECT_EQ(content.status, 200);
  EXPECT_EQ(content.body, kBytes);
  EXPECT_EQ(content.headers.find("Content-Type"), "image/png");
}

TEST_F(Uploads, declared_as_a_text_of_json_are_one_to_others) {
  const json made = json::parse(upload("POST", "/notes", "multipart/form-data; boundary=b",
                                       "--b\r\nContent-Disposition: form-data; name=file; "
                                       "filename=\"a.txt\"\r\n\r\nHello\r\n--b--\r\n")
                                    .body);

  EXPECT_EQ(service_.get("/notes/" + made["id"].get<std::string>() + "/content").body, "\"Hello\"");
}

TEST_F(Uploads, of_several_files_are_all_kept) {
  const std::string start = "--b\r\nContent-Disposition: form-data; name=files; filename=";
  const json made = json::parse(
      upload("POST", "/photos", "multipart/form-data; boundary=b",
             start + "one.png\r\n\r\nfirst\r\n" + start + "two.png\r\n\r\nsecond\r\n--b--\r\n")
          .body);

  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[0]["filename"], "one.png");
  EXPECT_EQ(made[1]["bytes"], 6);
  EXPECT_EQ(service_.get("/photos/" + made[1]["id"].get<std::string>() + "/content").body,
            "second");
}

}  // namespace
}  // namespace mock_server::service
