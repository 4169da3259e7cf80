import {defineConfig} from '@playwright/test';

export default defineConfig({
  workers: 1,
  timeout: 120_000,
  use: {launchOptions: {executablePath: process.env.CHROMIUM}},
});
