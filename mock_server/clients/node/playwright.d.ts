import type {BrowserContext, PlaywrightTestArgs, PlaywrightTestOptions, PlaywrightWorkerArgs, PlaywrightWorkerOptions, TestType} from '@playwright/test';

import type {Mock, MockOptions, Names, Session} from './index.js';

export {expect} from '@playwright/test';

export interface MockWorkerOptions {
  /** Where the mock comes from. Default: MOCK_URL if it is set, else each worker starts one. */
  mockOptions: MockOptions;
  /** A new session for each test, or one for each worker that is reset before each test. Default: "test". */
  sessionFor: 'test' | 'worker';
}

export interface MockTestOptions {
  /**
   * Requests of pages that name the session, by the start of their URL, besides those to the mock: the proxy or
   * the server that passes them on. Default: the origin of `baseURL`. All others are left as they are.
   */
  sessionUrls: string[] | undefined;
}

export interface MockWorkerFixtures<N extends Names = Names> {
  mock: Mock<N>;
}

export interface MockTestFixtures<N extends Names = Names> {
  /** Every test has one. If the test fails, what it called is explained among its errors and attached. */
  session: Session<N>;
}

export type MockTest<N extends Names = Names> = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & MockTestOptions & MockTestFixtures<N>,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & MockWorkerOptions & MockWorkerFixtures<N>
>;

/** With the names of a contract: `const typed = test as MockTest<Names>`. */
export const test: MockTest;

/** For a context that a test makes itself: its requests whose URL starts with one of these name the session. */
export function nameSession(context: BrowserContext, session: Session, prefixes: string[]): Promise<void>;
