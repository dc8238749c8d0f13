import type { FastifyInstance, FastifyReply } from 'fastify'
import type { App } from '../app.ts'
import { ping } from '../db/database.ts'
import {
  selectAnyLease,
  selectOldestDueAge,
  type WebhookMetrics,
} from '../features/webhooks/index.ts'
import { COMPRESSED } from '../http/compression.ts'
import type { RateLimits } from '../http/shared-rate-limit.ts'
import { unavailable } from '../kernel/errors.ts'
import { SECOND_MS } from '../kernel/time.ts'
import type { OpenApiDocuments } from './documents.ts'
import type { Metrics } from './metrics.ts'

/** The length of a lease; by then, the work of a dead process is free again. */
const STILL_MS = 30 * SECOND_MS

export interface Operations {
  version: string
  storeApiUrl: string
  metrics: Metrics
  rateLimits: Pick<RateLimits, 'isShared'>
  /** True if the process is about to stop. */
  leaving(): boolean
}

/** Endpoints for operators and tools: liveness, readiness, and the OpenAPI documents. */
export function mountOperations(
  server: FastifyInstance,
  app: App,
  operations: Operations & { documents: OpenApiDocuments },
) {
  const { documents, metrics } = operations
  let openApi: string | undefined
  let securityApi: string | undefined

  server.get('/healthz', (_request, reply) => json(reply, { status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    if (operations.leaving()) throw unavailable('The process is stopping.')
    await ping(app.db)
    await checkSending(app, metrics.webhooks)
    return json(reply, { status: 'ready', ...countingOf(operations.rateLimits) })
  })
  server.get('/openapi.json', { compress: COMPRESSED }, async (_request, reply) => {
    openApi ??= JSON.stringify(await documents.store())
    return reply.header('content-type', 'application/json; charset=utf-8').send(openApi)
  })
  server.get('/security/openapi.json', { compress: COMPRESSED }, async (_request, reply) => {
    securityApi ??= JSON.stringify(await documents.security())
    return reply.header('content-type', 'application/json; charset=utf-8').send(securityApi)
  })
}

/** Workers serve no HTTP, so API processes report stalled deliveries for them (decision 74). */
async function checkSending({ db }: App, { idle_ms, meter }: WebhookMetrics): Promise<void> {
  if (idle_ms() < STILL_MS) return
  if ((await selectOldestDueAge(db)) < STILL_MS) return
  if (await selectAnyLease(db)) return meter.claimed()
  throw unavailable('Webhooks are due, and no process has claimed any for 30 seconds.')
}

/**
 * Reports how rate limits are counted, if Redis is configured. A process that counts alone is ready
 * (decision 233).
 */
function countingOf({ isShared }: Operations['rateLimits']) {
  const shared = isShared()
  return shared === undefined ? {} : { rate_limits: shared ? 'shared' : 'per_process' }
}

const json = (reply: FastifyReply, value: unknown) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(value))
