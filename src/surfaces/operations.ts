import type { FastifyInstance, FastifyReply } from 'fastify'
import type { App } from '../app.ts'
import { ping } from '../db/database.ts'
import {
  selectAnyLease,
  selectOldestDueAge,
  type WebhookMetrics,
} from '../features/webhooks/index.ts'
import { COMPRESSED } from '../http/compression.ts'
import { postmanOf } from '../http/openapi/postman.ts'
import type { RateLimits } from '../http/shared-rate-limit.ts'
import { unavailable } from '../kernel/errors.ts'
import { SECOND_MS } from '../kernel/time.ts'
import type { OpenApiDocuments } from './documents.ts'
import type { Metrics } from './metrics.ts'

/** The duration of a lease, after which the work of a dead process can be claimed again. */
const LEASE_MS = 30 * SECOND_MS

export interface SurfaceOptions {
  version: string
  storeApiUrl: string
  metrics: Metrics
  rateLimits: Pick<RateLimits, 'isShared'>
  /** Returns true if the process is about to stop. */
  isStopping(): boolean
  /** Returns the free bytes of the disk of the embedded database. Undefined with a database server. */
  freeBytes?(): Promise<number>
}

/** Mounts the endpoints for operators and tools: liveness, readiness and the OpenAPI documents. */
export function mountOperations(
  server: FastifyInstance,
  app: App,
  options: SurfaceOptions & { documents: OpenApiDocuments },
) {
  const { documents, metrics } = options

  server.get('/healthz', (_request, reply) => json(reply, { status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    if (options.isStopping()) throw unavailable('The process is stopping.')
    await ping(app.db)
    await checkDisk(app, options)
    await checkWebhooks(app, metrics.webhooks)
    return json(reply, { status: 'ready', ...rateLimitState(options.rateLimits) })
  })
  const serveOnce = (path: string, print: () => Promise<unknown>) => {
    let text: string | undefined
    server.get(path, { compress: COMPRESSED }, async (_request, reply) => {
      text ??= JSON.stringify(await print())
      return reply.header('content-type', 'application/json; charset=utf-8').send(text)
    })
  }
  serveOnce('/openapi.json', documents.store)
  serveOnce('/security/openapi.json', documents.security)
  serveOnce('/postman.json', async () => postmanOf(await documents.store()))
  serveOnce('/security/postman.json', async () => postmanOf(await documents.security()))
}

/**
 * PostgreSQL writes its log in segments of 16 MiB. Without space for the next one, the embedded database ends at
 * some write, so the answer does not wait for a failed write.
 */
const FREE_BYTES_MIN = 16 * 1024 * 1024
const DISK_FULL_TEXT =
  'The disk of the database is full, so nothing can be written. Free some space; the process then continues.'

async function checkDisk({ writes }: App, { freeBytes }: SurfaceOptions): Promise<void> {
  if (writes.isDiskFull()) throw unavailable(DISK_FULL_TEXT)
  // A file system that cannot tell its space is not a full one.
  const free_bytes = await freeBytes?.().catch(() => undefined)
  if (free_bytes !== undefined && free_bytes < FREE_BYTES_MIN) throw unavailable(DISK_FULL_TEXT)
}

/** Workers serve no HTTP, so API processes report stalled deliveries for them. */
async function checkWebhooks({ db }: App, { idle_ms, meter }: WebhookMetrics): Promise<void> {
  if (idle_ms() < LEASE_MS) return
  if ((await selectOldestDueAge(db)) < LEASE_MS) return
  if (await selectAnyLease(db)) return meter.recordClaim()
  throw unavailable(
    'Webhooks are due, and no process has claimed any for 30 seconds. Check that a worker is running.',
  )
}

/**
 * If Redis is configured, returns whether rate limits are shared or counted per process. A process that counts on
 * its own is also ready (decision 233).
 */
function rateLimitState({ isShared }: SurfaceOptions['rateLimits']) {
  const shared = isShared()
  return shared === undefined ? {} : { rate_limits: shared ? 'shared' : 'per_process' }
}

const json = (reply: FastifyReply, value: unknown) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(value))
