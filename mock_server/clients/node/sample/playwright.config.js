import {defineConfig} from '@playwright/test';

const {MOCK_PORT = '4010', APP_PORT = '5173', CHROMIUM} = process.env;
const mock = `http://127.0.0.1:${MOCK_PORT}`;
const app = `http://127.0.0.1:${APP_PORT}`;

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 8,
  timeout: 120_000,
  expect: {timeout: 30_000},
  use: {
    baseURL: app,
    mockOptions: {url: mock},
    sessionUrls: [`${app}/api/`, `${app}/statement`],
    launchOptions: {executablePath: CHROMIUM},  // unset: Playwright's own browser
  },
  webServer: [
    {command: `mock_server --quiet --port ${MOCK_PORT}`, url: `${mock}/_mock/ready`, reuseExistingServer: true},
    {
      command: `vite build && vite preview --host 127.0.0.1 --port ${APP_PORT} --strictPort`,
      url: app,
      env: {API_URL: mock},
      reuseExistingServer: true,
    },
  ],
});
