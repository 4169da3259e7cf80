import type {TestAPI} from 'vitest';

import type {Mock, MockOptions, Names, Session} from './index.js';

export interface MockFixtures<N extends Names = Names> {
  mock: Mock<N>;
  /** Every test has a new one. If the test fails, its error explains what was called. */
  session: Session<N>;
}

/**
 * `test` of vitest with a mock for the file, and a session for each test. The mock is the one at MOCK_URL if that
 * is set, else it is started for the file.
 */
export function mockTest<N extends Names = Names>(options?: MockOptions): TestAPI<MockFixtures<N>>;
