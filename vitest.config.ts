import { defineConfig } from 'vitest/config';

// Four kinds of tests. Unit tests touch nothing outside the process; integration tests start the simulator and the core as processes;
// e2e tests drive the real app in a real Electron, two files at a time, each on a display of its own: they wait more than they work.
// dist tests do so with what `npm run dist:dir` packed.
export default defineConfig({
  test: {
    passWithNoTests: true,
    projects: [
      { extends: true, test: { name: 'unit', sequence: { groupOrder: 0 }, include: ['tests/unit/**/*.test.{ts,tsx}'], testTimeout: 15_000 } },
      {
        extends: true,
        test: {
          name: 'integration',
          sequence: { groupOrder: 1 },
          include: ['tests/integration/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          sequence: { groupOrder: 2 },
          include: ['tests/e2e/**/*.test.ts'],
          setupFiles: 'tests/e2e/harness/display.ts',
          testTimeout: 120_000,
          hookTimeout: 90_000,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'dist',
          sequence: { groupOrder: 3 },
          include: ['tests/dist/**/*.test.ts'],
          setupFiles: 'tests/e2e/harness/display.ts',
          testTimeout: 90_000,
          hookTimeout: 90_000,
          fileParallelism: false,
          maxWorkers: 1,
        },
      },
    ],
  },
});
