#include "contract_tests/report/failure_text.hpp"

#include "spec/contract/statement.hpp"

namespace contract_tests::report {

namespace {

void line(std::string& text, std::string_view label, const std::string& value) {
  if (!value.empty()) {
    text += "  ";
    text += label;
    text += value + '\n';
  }
}

}  // namespace

std::string headline(const checks::Finding& finding) {
  return std::string(to_text(finding.severity)) + ' ' + finding.rule + " (" +
         std::string(spec::contract::to_text(finding.source.statement_class)) + ", " +
         finding.source.clause + ')';
}

std::string failure_text(const plan::Case& item, const checks::Finding& finding) {
  auto text = finding.operation + ": " + item.sentence + '\n';
  line(text, "", headline(finding));
  auto stated = finding.source.place;
  if (!finding.source.pointer.empty()) {
    stated += (stated.empty() ? "" : " ") + finding.source.pointer;
  }
  line(text, "stated at  ", stated);
  line(text, "place      ", finding.place);
  line(text, "finding    ", finding.message);
  line(text, "request    ", finding.changed.empty() ? "plain" : finding.changed);
  line(text, "answer     ", finding.answer);
  line(text, "excerpt    ", finding.excerpt);
  line(text, "again      ", finding.curl);
  line(text, "id         ", finding.fingerprint);
  return text;
}

}  // namespace contract_tests::report
