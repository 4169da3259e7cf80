// Prism as a mock of the payments service. It keeps nothing: every record is an example of the contract.
import {folder_of, payments, program_of} from '../harness.mjs';

const deadly = '*UTF_8*:*Latin_1*:*character*:*overlong*:*surrogate*:*escape*';

export default {
  ...payments,
  name: 'Prism',
  start: ({port}) => ({
    command: [program_of(folder_of(import.meta.url), 'prism'), 'mock', '--host', '127.0.0.1', '--port', port,
              '--verboseLevel', 'error', payments.contract],
  }),
  // A path that is not UTF-8 ends it, and a body that is not JSON gets no response.
  flags: () => [...payments.flags(), '--timeout', '2'],
  mortal: true,
  reading: [[`--gtest_filter=${deadly}`], [`--gtest_filter=-${deadly}`]],
};
