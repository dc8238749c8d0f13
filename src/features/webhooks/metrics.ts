import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Db } from '../../db/database.ts'
import type { Clock } from '../../kernel/time.ts'
import type { Outcome } from '../../sender/outcome.rules.ts'
import type { SenderStats } from '../../sender/sender.ts'
import { selectQueue } from './queries/queue.ts'

/** The events of its work that the dispatcher reports. */
export interface Meter {
  attempted(outcome: Pick<Outcome, 'ok' | 'error_code' | 'duration_ms'>): void
  /** Something was claimed, here or by another process: webhooks are sent. */
  claimed(): void
  /** Leases that ran out: their process died, or stood still. */
  lost(leases: number): void
  flushed(written: { rows: number; fenced: number; duration_ms: number }): void
  /** Counts the sockets of this sender. */
  watch(stats: () => SenderStats): void
}

export interface WebhookMetrics {
  meter: Meter
  /** Reads values that only the database has, before a page is printed. */
  refresh(db: Db): Promise<void>
  /** Milliseconds since something was claimed last, as far as this process saw, or since it began. */
  idle_ms(): number
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const FLUSH_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const FLUSH_ROWS = [1, 2, 5, 10, 25, 50, 100, 200, 500]

/** The metrics of the sender (decision 74). No label names a store: there may be many. */
export function createWebhookMetrics(register: Registry, clock: Clock): WebhookMetrics {
  const counted = createCounters(register)
  const succeeded = counted.attempts.labels({ result: 'succeeded', error_code: 'none' })
  const gauges = createGauges(register)
  let claimedAt = clock.now()
  let stats: (() => SenderStats) | undefined

  return {
    meter: {
      attempted({ ok, error_code, duration_ms }) {
        if (ok) succeeded.inc()
        else counted.attempts.inc({ result: 'failed', error_code: error_code ?? 'none' })
        counted.durations.observe(duration_ms / 1_000)
        if (error_code === 'blocked_address') counted.blocked.inc()
      },
      claimed() {
        claimedAt = clock.now()
      },
      lost: (leases) => counted.lost.inc(leases),
      flushed({ rows, fenced, duration_ms }) {
        counted.flushRows.observe(rows)
        counted.flushes.observe(duration_ms / 1_000)
        counted.fenced.inc(fenced)
      },
      watch(source) {
        stats = source
      },
    },
    async refresh(db) {
      const { depth, oldest_due_age_ms, endpoints_off } = await selectQueue(db)
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
      help: 'Automatic attempts, by result and by the code of what went wrong.',
      labelNames: ['result', 'error_code'],
      registers,
    }),
    durations: histogram('attempt_duration_seconds', 'How long automatic attempts took.', SECONDS),
    lost: counter('lease_expiries_total', 'Leases that ran out before a result was written down.'),
    fenced: counter('fenced_writes_total', 'Results that came too late and were dropped.'),
    flushRows: histogram('flush_size', 'Results written down at once.', FLUSH_ROWS),
    flushes: histogram('flush_duration_seconds', 'How long writing them took.', FLUSH_SECONDS),
    blocked: counter('blocked_addresses_total', 'Attempts refused for their address.'),
  }
}

function createGauges(register: Registry) {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `tradepost_webhook_${name}`, help, labelNames, registers: [register] })
  return {
    depth: gauge(
      'queue_depth',
      'Waiting work: events for their first attempts, deliveries for another, or parked. At most 100000 are counted.',
      ['lane'],
    ),
    oldest: gauge(
      'oldest_due_age_seconds',
      'For how long the oldest thing that is due was not taken. The one number to watch.',
    ),
    sockets: gauge('sockets_open', 'Connections to receivers of this process.'),
    off: gauge('endpoints_off', 'Webhook endpoints that are turned off.'),
  }
}

/** For processes that do not measure. */
export const NO_METER: Meter = {
  attempted() {},
  claimed() {},
  lost() {},
  flushed() {},
  watch() {},
}
