// Exchanges of the journal in words, for the output of a failing test.
const MAX_TEXT = 300;

const shortened = (text) => text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}...` : text;

const placeOf = ({file, line, clause}) => `${file}:${line}${clause ? ` (${clause})` : ''}`;

// The lines of the contract, with ">" at the one that is violated.
function contractLines({first, line, text}) {
  return text.map((words, index) => `${first + index === line ? '>' : ' '} ${first + index} ${words}`);
}

function violationLines(side, {part, instance, message, statement, contract_lines: lines}) {
  const place = statement ? `, by ${placeOf(statement)}` : '';
  return [`${side} violates the contract: ${part}${instance}: ${message}${place}`,
          ...(lines ? contractLines(lines).map((line) => `  ${line}`) : [])];
}

// Why no operation matched, nearest first.
function nearMisses({near_misses: near = []}) {
  if (near.length === 0) return [];
  return ['no operation matches:', ...near.map(({method, path, why}) => `  ${method} ${path}: ${why}`)];
}

function details(exchange) {
  const {request_violations, response_violations, response, status} = exchange;
  const list = (side, found) => Array.isArray(found) ? found.flatMap((one) => violationLines(side, one)) : [];
  const body = status >= 400 && response?.body ? [`the response was ${shortened(response.body)}`] : [];
  return [...list('the request', request_violations), ...list('the response', response_violations), ...nearMisses(exchange), ...body];
}

// "/customers/1" for "/_s/NAME/customers/1": which session it is was said before.
export const withoutSession = (target) => target.replace(/^\/_s\/[^/]*(?=\/)/, '');

function lines(exchange) {
  const {method, target, status, fault, chosen_by: by} = exchange;
  const got = fault ? `fault ${fault}` : status;
  return [`${method} ${withoutSession(target)} -> ${got}, chosen by ${by}`, ...details(exchange).map((line) => `    ${line}`)];
}

// Several lines: one for each call, and indented below it what is worth knowing.
export function report(session, exchanges) {
  const count = exchanges.length === 0 ? 'no call' : exchanges.length === 1 ? '1 call' : `${exchanges.length} calls`;
  return [`${count} of the mock, session ${session}`, ...exchanges.flatMap(lines).map((line) => `  ${line}`)].join('\n');
}

// What a failing test shows of its session; why it cannot, if the mock is gone. A mock that was started here ends with
// the tests: nobody could open its console.
export async function explained(session, mock) {
  try {
    const text = await session.explain();
    return mock.started ? text : `${text}\nwhile the mock runs: ${session.console}`;
  } catch (error) {
    return error.message;
  }
}
