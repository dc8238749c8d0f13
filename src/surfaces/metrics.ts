import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { App } from '../app.ts'
import { createWebhookMetrics, type WebhookMetrics } from '../features/webhooks/index.ts'
import { type Clock, steadyClock } from '../kernel/time.ts'
import { createProcessMetrics, type ProcessMetrics } from './process-metrics.ts'

export interface Metrics {
  contentType: string
  /** Returns the text of the page. If the database is unavailable, its values are the previous ones. */
  print(app: Pick<App, 'db' | 'log'>): Promise<string>
  /** Measures all requests of a server, by route and status. */
  watch(server: FastifyInstance): void
  countStatement(): void
  webhooks: WebhookMetrics
  process: ProcessMetrics
}

/** The interval of event loop samples. The default of 10 ms wakes an idle process 100 times a second. */
const LOOP_SAMPLE_MS = 250

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(clock: Clock = steadyClock): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS })
  const durations = new Histogram({
    name: 'tradepost_http_request_duration_seconds',
    help: 'The duration of requests, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_S,
    registers: [register],
  })
  const statements = new Counter({
    name: 'tradepost_db_statements_total',
    help: 'Statements sent to the database.',
    registers: [register],
  })

  const webhooks = createWebhookMetrics(register, clock)
  const processMetrics = createProcessMetrics(register, clock)

  return {
    contentType: register.contentType,
    async print({ db, log }) {
      await Promise.all([webhooks.refresh(db), processMetrics.refresh(db)]).catch((err) =>
        log.warn({ err }, 'Could not count the work that waits'),
      )
      return register.metrics()
    },
    webhooks,
    process: processMetrics,
    watch(server) {
      server.addHook('onResponse', async (request, reply) => {
        const route = request.routeOptions.url ?? 'unknown'
        const labels = { method: request.method, route, status: reply.statusCode }
        durations.observe(labels, reply.elapsedTime / 1_000)
      })
    },
    countStatement: () => statements.inc(),
  }
}
