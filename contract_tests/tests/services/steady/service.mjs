// Steady as a mock of the payments service. It keeps nothing: every record is made from the contract.
import {folder_of, payments, program_of} from '../harness.mjs';

export default {
  ...payments,
  name: 'Steady',
  start: ({port}) => ({
    command: [program_of(folder_of(import.meta.url), 'steady'), '--host', '127.0.0.1', '--port', port, '--quiet',
              payments.contract],
  }),
};
