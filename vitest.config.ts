import { configDefaults, defineConfig } from 'vitest/config'

/** Tests that start, stop and kill whole programs take minutes: `npm run test:system`. */
export const SYSTEM = [
  'test/process/**',
  'test/crash/**',
  'test/faults/**',
  'src/db/embedded/crash.test.ts',
  'src/db/embedded/robustness.test.ts',
]

/** Tests that make long tables and ask PostgreSQL for its plans: `npm run test:plans`. */
export const PLANS = 'test/postgres/*-plans.test.ts'

/** Tests that take long and rarely fail. `WALKS=whole`, as in `npm run test:long`, runs them too. */
export const LONG = [
  'src/db/embedded/snapshot.test.ts',
  'src/features/store/affiliates/commission-model.test.ts',
  'src/features/store/renewals/renewal-faults.test.ts',
  'src/features/store/renewals/subscription-model.test.ts',
  'src/process/demo/make-lively.test.ts',
  'test/concurrency/commission-model.test.ts',
  'test/concurrency/subscription-model.test.ts',
  'test/guides/webhooks-guide.test.ts',
]

const isWhole = process.env.WALKS === 'whole'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'sdk/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...SYSTEM,
      PLANS,
      'test/browser/**',
      ...(isWhole ? [] : LONG),
    ],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/seed.ts'],
    // Tests of timeouts wait, so three keep two cores busy.
    maxWorkers: 3,
    isolate: false,
    // A failure shows the values that differ, and not `[ Array(1) ]`. scripts/test.mjs shortens it.
    chaiConfig: { truncateThreshold: 0 },
    // They end a test that hangs, and no other: a busy machine takes as long as it needs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
