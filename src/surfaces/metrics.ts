import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { App } from '../app.ts'
import { createWebhookMetrics, type WebhookMetrics } from '../features/webhooks/index.ts'
import { type Clock, steadyClock } from '../kernel/time.ts'

export interface Metrics {
  contentType: string
  /** Prints the page. If the database is unavailable, its values stay as they were. */
  print(app: Pick<App, 'db' | 'log'>): Promise<string>
  /** Counts every answer of the server, by route and status. */
  watch(server: FastifyInstance): void
  countStatement(): void
  webhooks: WebhookMetrics
}

/** The interval of samples of the event loop. The default, 10 ms, wakes an idle process 100 times a second. */
const LOOP_LOOK_MS = 250

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(clock: Clock = steadyClock): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: LOOP_LOOK_MS })
  const answers = new Histogram({
    name: 'tradepost_http_request_duration_seconds',
    help: 'How long requests took, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [register],
  })
  const statements = new Counter({
    name: 'tradepost_db_statements_total',
    help: 'Statements sent to the database.',
    registers: [register],
  })

  const webhooks = createWebhookMetrics(register, clock)

  return {
    contentType: register.contentType,
    async print({ db, log }) {
      await webhooks
        .refresh(db)
        .catch((err) => log.warn({ err }, 'Could not count the webhook queue'))
      return register.metrics()
    },
    webhooks,
    watch(server) {
      server.addHook('onResponse', async (request, reply) => {
        const route = request.routeOptions.url ?? 'unknown'
        const labels = { method: request.method, route, status: reply.statusCode }
        answers.observe(labels, reply.elapsedTime / 1_000)
      })
    },
    countStatement: () => statements.inc(),
  }
}
