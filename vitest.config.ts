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
  // Models, and walks over many cases of one rule.
  'src/features/store/affiliates/commission-model.test.ts',
  'src/features/store/analytics/{one-calendar,sales-model}.test.ts',
  'src/features/store/payments/payment-faults.test.ts',
  'src/features/store/subscriptions/{renewal-faults,subscription-model}.test.ts',
  'src/process/demo/make-lively.test.ts',
  'test/checks/expressions.test.ts',
  'test/client/faults.test.ts',
  'src/features/store/shipping/zones.test.ts',
  'test/client-security/{erasure,file-fetching,file-versions,hostile,license-calls}.test.ts',
  'test/contract/{dashboard-days,dashboard-figures,dashboard-finding,largest-bodies}.test.ts',
  'test/contract/missing-records-replayed.test.ts',
  'test/guides/webhooks-guide.test.ts',
  // It builds a mail server from its source.
  'test/providers/mailpit.test.ts',
  'test/providers/stripe-hours.test.ts',
  'test/reference/{first-call,samples}.test.ts',
  // Concurrent changes, except sales of stock, uses of coupons and devices, refunds and late payments.
  'test/concurrency/{affiliates,busy-day,changes,commission-model,customers,erasure,file-versions}.test.ts',
  'test/concurrency/{lists,lock-sequences,parcels,quantities,results,sales,shipping,slots}.test.ts',
  'test/concurrency/{stock-model,subscription-model,support,undo-import,withdrawals}.test.ts',
  // The database, connections and queues: what they carry runs in every other test.
  'src/control/folder-lock.test.ts',
  'src/db/{first-connection,embedded/engine,embedded/snapshot}.test.ts',
  'src/features/webhooks/{fair-claims,long-queue,manual-attempts,metrics,prune-events,recording}.test.ts',
  'src/features/webhooks/listen/listen.test.ts',
  'src/http/{body-pace,connections}.test.ts',
  'src/sender/sender-connections.test.ts',
  'test/postgres/{migrate,sales-days,server,session}.test.ts',
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
