import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Db, PoolState } from '../db/database.ts'
import { countActiveUserSessions, selectMailBacklog } from '../features/installation/index.ts'
import { selectOrderBacklog } from '../features/store/index.ts'
import { OCCURRENCES, type ProcessMeter } from '../kernel/process-meter.ts'
import type { Clock } from '../kernel/time.ts'

export interface ProcessMetrics {
  meter: ProcessMeter
  /** Sets the source of the state of the connection pool. */
  watchPool(readState: () => PoolState): void
  /** Reads the values of the database, before the metrics are printed. */
  refresh(db: Db): Promise<void>
}

const JOB_SECONDS = [0.01, 0.1, 0.5, 1, 5, 30, 120]

/**
 * Creates the metrics of orders, mail, jobs, sessions and the connection pool. Counters are of this
 * process. Gauges of records count at most 10,000 of them, along an index.
 */
export function createProcessMetrics(register: Registry, clock: Clock): ProcessMetrics {
  const counters = createCounters(register)
  // Without these, a rule about orders that are never paid would compare with a series that does not exist.
  for (const kind of KINDS) {
    for (const value of OCCURRENCES[kind]) counters[kind].inc({ [LABELS[kind]]: value }, 0)
  }
  const gauges = createGauges(register)
  /** The times at which jobs are due. */
  const dueTimes = new Map<string, number>()
  let readPool: (() => PoolState) | undefined

  return {
    meter: {
      count: (kind, value, times = 1) => counters[kind].inc({ [LABELS[kind]]: value }, times),
      recordJobRun(job, { ok, duration_ms }) {
        counters.runs.inc({ job, result: ok ? 'succeeded' : 'failed' })
        counters.durations.observe({ job }, duration_ms / 1_000)
      },
      recordJobDue: (job, in_ms) => void dueTimes.set(job, clock.now() + in_ms),
    },
    watchPool(source) {
      readPool = source
    },
    async refresh(db) {
      for (const [job, dueAt] of dueTimes)
        gauges.late.set({ job }, Math.max(0, clock.now() - dueAt) / 1_000)
      setPool(gauges, readPool?.())
      const orders = await selectOrderBacklog(db)
      for (const [state, count] of Object.entries(orders)) gauges.orders.set({ state }, count)
      const { waiting, oldest_due_age_ms } = await selectMailBacklog(db)
      gauges.mail.set(waiting)
      gauges.oldestMail.set(oldest_due_age_ms / 1_000)
      gauges.userSessions.set(await countActiveUserSessions(db))
    },
  }
}

const LABELS = { order: 'state', mail: 'result', session: 'event' } as const
const KINDS = ['order', 'mail', 'session'] as const

function setPool(gauges: ReturnType<typeof createGauges>, state: PoolState | undefined): void {
  if (!state) return
  gauges.connections.set(state.connections)
  gauges.used.set(state.used)
  gauges.waiting.set(state.waiting)
  gauges.refused.reset()
  gauges.refused.inc(state.refused)
}

function createCounters(register: Registry) {
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `tradepost_${name}`, help, labelNames, registers: [register] })
  return {
    order: counter('orders_total', 'Orders that entered a state.', [LABELS.order]),
    mail: counter('mail_attempts_total', 'Attempts to send mail, by result.', [LABELS.mail]),
    session: counter('license_sessions_total', 'Sessions of client programs.', [LABELS.session]),
    runs: counter('job_runs_total', 'Runs of background jobs, by job and result.', [
      'job',
      'result',
    ]),
    durations: new Histogram({
      name: 'tradepost_job_duration_seconds',
      help: 'The duration of runs of background jobs.',
      labelNames: ['job'],
      buckets: JOB_SECONDS,
      registers: [register],
    }),
  }
}

function createGauges(register: Registry) {
  const registers = [register]
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `tradepost_${name}`, help, labelNames, registers })
  return {
    late: gauge('job_late_seconds', 'The time for which a background job has been due.', ['job']),
    orders: gauge('orders_open', 'Orders that wait for something. At most 10000 are counted.', [
      'state',
    ]),
    mail: gauge('mail_waiting', 'Mail that is not sent yet. At most 10000 are counted.'),
    oldestMail: gauge('mail_oldest_due_age_seconds', 'The age of the oldest mail that is due.'),
    userSessions: gauge(
      'user_sessions_active',
      'Sessions of the dashboard that were used in the past 15 minutes. At most 10000 are counted.',
    ),
    connections: gauge('db_connections_max', 'The connections of this process to the database.'),
    used: gauge('db_connections_used', 'The connections in use.'),
    waiting: gauge('db_waiting_calls', 'Calls that wait for a connection.'),
    refused: new Counter({
      name: 'tradepost_db_refused_calls_total',
      help: 'Calls that were refused because no connection became free in time.',
      registers,
    }),
  }
}
