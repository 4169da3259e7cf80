import {randomBytes} from 'node:crypto';

const MAX = 64; // of a session's name
const RANDOM = 4; // bytes

// The name of a new session for the test of that title: "pays-an-invoice-1f0c9a2b".
export function sessionNameOf(title) {
  const words = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const slug = words.slice(0, MAX - 2 * RANDOM - 1).replace(/^-|-$/g, '');
  return `${slug || 'test'}-${randomBytes(RANDOM).toString('hex')}`;
}
