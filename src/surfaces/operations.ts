import type { FastifyInstance, FastifyReply } from 'fastify'
import type { App } from '../app.ts'
import { ping } from '../db/database.ts'
import { EVENT_DOCUMENTATION } from '../events/documentation.ts'
import { clientEndpoints } from '../features/licensing/index.ts'
import {
  selectAnyLease,
  selectOldestDueAge,
  type WebhookMetrics,
} from '../features/webhooks/index.ts'
import { printOpenApi } from '../http/openapi/print.ts'
import { printSecurityOpenApi } from '../http/openapi/print-security.ts'
import { unavailable } from '../kernel/errors.ts'
import { SECOND_MS } from '../kernel/time.ts'
import type { Metrics } from './metrics.ts'
import { SECURITY_PREFIX, securityDownloads, securityEndpoints } from './security-api.ts'
import { storeEndpoints } from './store-api.ts'

/** As long as a lease: what a dead process had taken is free by then. */
const STILL_MS = 30 * SECOND_MS

export interface Operations {
  version: string
  storeApiUrl: string
  metrics: Metrics
  /** Whether the process is about to stop. */
  leaving(): boolean
}

/** What operators and tools ask: alive, ready, and what the API is. */
export function mountOperations(server: FastifyInstance, app: App, operations: Operations) {
  const { version, storeApiUrl, metrics } = operations
  let openApi: string | undefined
  let securityApi: string | undefined
  // Printed when it is first asked for: it costs more than all else at the start of a process.
  const printed = () =>
    JSON.stringify(
      printOpenApi(storeEndpoints, { serverUrl: storeApiUrl, version, ...EVENT_DOCUMENTATION }),
    )

  server.get('/healthz', (_request, reply) => json(reply, { status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    if (operations.leaving()) throw unavailable('The process is stopping.')
    await ping(app.db)
    await checkSending(app, metrics.webhooks)
    return json(reply, { status: 'ready' })
  })
  server.get('/openapi.json', (_request, reply) => {
    openApi ??= printed()
    reply.header('content-type', 'application/json; charset=utf-8').send(openApi)
  })
  server.get('/security/openapi.json', (_request, reply) => {
    securityApi ??= JSON.stringify(
      printSecurityOpenApi({
        management: securityEndpoints,
        downloads: securityDownloads,
        runtime: clientEndpoints,
        serverUrl: storeApiUrl.replace(/\/v1$/, SECURITY_PREFIX),
        version,
      }),
    )
    reply.header('content-type', 'application/json; charset=utf-8').send(securityApi)
  })
}

/**
 * What is due and taken by nobody must be seen, and a worker has no page to say so itself: whoever is asked
 * answers for all (decision 74).
 */
async function checkSending({ db }: App, { idle_ms, meter }: WebhookMetrics): Promise<void> {
  if (idle_ms() < STILL_MS) return
  if ((await selectOldestDueAge(db)) < STILL_MS) return
  if (await selectAnyLease(db)) return meter.claimed()
  throw unavailable('Webhooks are due, and no process took any for 30 seconds.')
}

const json = (reply: FastifyReply, value: unknown) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(value))
