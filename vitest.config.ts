import { defineConfig } from 'vitest/config';

// Three kinds of tests. Unit tests touch nothing outside the process; integration tests start the simulator and the core as processes;
// e2e tests drive the real app in a real Electron, one at a time, and need a display (build/test.mjs brings one).
export default defineConfig({
  test: {
    passWithNoTests: true,
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.{ts,tsx}'], testTimeout: 15_000 } },
      {
        extends: true,
        test: { name: 'integration', include: ['tests/integration/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 2 },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: 'tests/e2e/harness/display.ts',
          testTimeout: 120_000,
          hookTimeout: 90_000,
          fileParallelism: false,
          maxWorkers: 1,
        },
      },
    ],
  },
});
