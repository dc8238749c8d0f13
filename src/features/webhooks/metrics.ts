import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Db } from '../../db/database.ts'
import type { Clock } from '../../kernel/time.ts'
import type { Outcome } from '../../sender/outcome.rules.ts'
import type { SenderStats } from '../../sender/sender.ts'
import * as q from './queries/index.ts'

/** The measurements that the dispatcher reports. */
export interface Meter {
  recordAttempt(outcome: Pick<Outcome, 'ok' | 'error_code' | 'duration_ms'>): void
  /** Records that deliveries were claimed, by this process or another one. */
  recordClaim(): void
  /** Counts expired leases, whose process died or was suspended. */
  recordLost(leases: number): void
  recordFlush(batch: { rows: number; droppedResults: number; duration_ms: number }): void
  /** Sets the source of the number of open sockets. */
  watch(stats: () => SenderStats): void
}

export interface WebhookMetrics {
  meter: Meter
  /** Reads the values of the database, before the metrics are printed. */
  refresh(db: Db): Promise<void>
  /** The milliseconds since the last claim that this process recorded, or since it started. */
  idle_ms(): number
}

const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const FLUSH_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const FLUSH_ROWS = [1, 2, 5, 10, 25, 50, 100, 200, 500]

/** Creates the metrics of webhooks. No label has a store, because there may be too many stores. */
export function createWebhookMetrics(register: Registry, clock: Clock): WebhookMetrics {
  const counters = createCounters(register)
  const successCounter = counters.attempts.labels({ result: 'succeeded', error_code: 'none' })
  const gauges = createGauges(register)
  let claimedAt = clock.now()
  let stats: (() => SenderStats) | undefined

  return {
    meter: {
      recordAttempt({ ok, error_code, duration_ms }) {
        if (ok) successCounter.inc()
        else counters.attempts.inc({ result: 'failed', error_code: error_code ?? 'none' })
        counters.durations.observe(duration_ms / 1_000)
        if (error_code === 'blocked_address') counters.blocked.inc()
      },
      recordClaim() {
        claimedAt = clock.now()
      },
      recordLost: (leases) => counters.lost.inc(leases),
      recordFlush({ rows, droppedResults, duration_ms }) {
        counters.flushRows.observe(rows)
        counters.flushes.observe(duration_ms / 1_000)
        counters.fenced.inc(droppedResults)
      },
      watch(source) {
        stats = source
      },
    },
    async refresh(db) {
      const { depth, oldest_due_age_ms, endpoints_off } = await q.selectQueue(db)
      for (const [lane, rows] of Object.entries(depth)) gauges.depth.set({ lane }, rows)
      gauges.oldest.set(oldest_due_age_ms / 1_000)
      gauges.off.set(endpoints_off)
      gauges.sockets.set(stats?.().sockets ?? 0)
    },
    idle_ms: () => clock.now() - claimedAt,
  }
}

function createCounters(register: Registry) {
  const registers = [register]
  const counter = (name: string, help: string) =>
    new Counter({ name: `tradepost_webhook_${name}`, help, registers })
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `tradepost_webhook_${name}`, help, buckets, registers })
  return {
    attempts: new Counter({
      name: 'tradepost_webhook_attempts_total',
      help: 'Automatic attempts, by result and error code.',
      labelNames: ['result', 'error_code'],
      registers,
    }),
    durations: histogram(
      'attempt_duration_seconds',
      'Duration of automatic attempts.',
      ATTEMPT_SECONDS,
    ),
    lost: counter('lease_expiries_total', 'Leases that expired before a result was recorded.'),
    fenced: counter(
      'fenced_writes_total',
      'Results that were discarded because their lease had expired.',
    ),
    flushRows: histogram('flush_size', 'Results recorded in one batch.', FLUSH_ROWS),
    flushes: histogram('flush_duration_seconds', 'Duration of recording a batch.', FLUSH_SECONDS),
    blocked: counter('blocked_addresses_total', 'Attempts refused because of their address.'),
  }
}

function createGauges(register: Registry) {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `tradepost_webhook_${name}`, help, labelNames, registers: [register] })
  return {
    depth: gauge(
      'queue_depth',
      'Pending work: events before their first attempt, deliveries before a retry, and parked deliveries. At most 100000 are counted.',
      ['lane'],
    ),
    oldest: gauge(
      'oldest_due_age_seconds',
      'Age of the oldest due event or delivery that no worker has claimed. The most important metric.',
    ),
    sockets: gauge('sockets_open', 'Open connections of this process to receivers.'),
    off: gauge('endpoints_off', 'Webhook endpoints that are turned off.'),
  }
}

/** The meter of processes that measure nothing. */
export const NO_METER: Meter = {
  recordAttempt() {},
  recordClaim() {},
  recordLost() {},
  recordFlush() {},
  watch() {},
}
