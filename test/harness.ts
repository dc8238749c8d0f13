import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { App } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import type { Db } from '../src/db/database.ts'
import { onStatement } from '../src/db/statements.ts'
import { createWrites } from '../src/db/writes.ts'
import { openLedger } from '../src/events/ledger.ts'
import { createKey, type NewKey } from '../src/features/installation/api-keys/index.ts'
import { type OpenedSide, openStore } from '../src/features/store/account/index.ts'
import { createCaches } from '../src/kernel/caches.ts'
import { createVault } from '../src/kernel/vault.ts'
import { INVARIANTS } from '../src/process/invariants.ts'
import { CLOCK_FOLLOWERS, JOBS } from '../src/process/jobs.ts'
import { SEALED_COLUMNS } from '../src/process/sealed-columns.ts'
import { openStorage } from '../src/storage/open-storage.ts'
import { createMetrics, type Metrics } from '../src/surfaces/metrics.ts'
import { openSurfaces } from '../src/surfaces/server.ts'
import { type Authentication, openAuthentication } from '../src/surfaces/store-authentication.ts'
import { openTestDatabase } from './database.ts'

export type Json = any

/** Tests name a constraint so that lets writes fail. */
const BROKEN = /constraint \\"broken\\"/

export interface Answer {
  status: number
  json: Json
  text: string
  headers: Record<string, string>
}

export interface CallOptions {
  body?: unknown
  /** Sent as it is. */
  raw?: string | Buffer
  headers?: Record<string, string>
  /** Whose key and store: the live side of the first store by default. */
  as?: OpenedSide
}

/** A whole Tradepost on a real PostgreSQL, without a socket. Nothing inside is mocked but its clock. */
export interface Tradepost {
  app: App
  db: Db
  authentication: Authentication
  server: FastifyInstance
  /** The metrics that `/metrics` prints; a dispatcher of a test counts in `metrics.webhooks.meter`. */
  metrics: Metrics
  /** Two stores, so that each test can look from next door. */
  live: OpenedSide
  test: OpenedSide
  other: OpenedSide
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  get(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  patch(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  put(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  delete(path: string, options?: CallOptions): Promise<Answer>
  /** A key with these permissions, by default for the live side of the first store. */
  key(fields?: Partial<NewKey> & { of?: OpenedSide }): Promise<OpenedSide>
  /** Types of the events since the last look, in their order. */
  events(): Promise<string[]>
  /** Payloads of the events of a type, as webhooks get them. */
  payloads(type: string): Promise<Json[]>
  /** The statements that the work sends, but those that draw event numbers. */
  statements(work: () => Promise<unknown>): Promise<string[]>
  /** Does the work while the n-th statement fails, and says whether there was one. */
  failing<T>(n: number, work: () => Promise<T>): Promise<{ answer: T; failed: boolean }>
  /** Lets the n-th statement from now fail, once; says whether an earlier one is still to fail. */
  failStatement(n: number): boolean
  /** Moves the machine's clock. */
  forward(ms: number): void
  /** From now on only `forward` moves the machine's clock, so that moments can be compared exactly. */
  stopClock(): void
  close(): Promise<void>
}

export interface TradepostOptions {
  env?: Record<string, string>
}

export async function openTradepost({ env = {} }: TradepostOptions = {}): Promise<Tradepost> {
  let recorded: string[] | undefined
  let failure: ((text: string) => void) | undefined
  let failsAfter = 0
  let asked = false
  let lastError = ''
  const keepError = (line: string) => {
    lastError = line
  }
  const writes = createWrites()
  const { db, close } = await openTestDatabase(
    (client) =>
      onStatement(client, (text) => {
        recorded?.push(text)
        failure?.(text)
        if (failsAfter > 0 && --failsAfter === 0) throw new Error('This statement fails in a test.')
      }),
    writes.record,
  )
  let ahead_ms = 0
  // While statements are counted the clock stands where the last call left it: what that call made the
  // caches remember does not grow old in the middle.
  let lastCall: number | undefined
  let stopped: number | undefined
  const clock = { now: () => (stopped ?? Date.now()) + ahead_ms }
  const dataDir = await mkdtemp(join(tmpdir(), 'tradepost-test-'))
  const checked = readConfig({
    DATA_DIR: dataDir,
    TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1,localhost',
    ...env,
  })
  if ('faults' in checked) throw new Error(checked.faults.join('\n'))
  const vault = createVault([randomBytes(32)], randomBytes(32))
  const app: App = {
    config: checked.config,
    db,
    vault,
    ledger: openLedger(vault),
    clock,
    caches: createCaches(clock),
    log: pino({ level: 'error' }, { write: keepError }),
    storage: await openStorage(checked.config),
    jobs: JOBS,
    clockFollowers: CLOCK_FOLLOWERS,
    invariants: INVARIANTS,
    sealedColumns: SEALED_COLUMNS,
    writes,
  }
  const { live, test } = await openStore(app, {
    name: 'Here',
    currency: 'EUR',
    plan: 'self_hosted',
  })
  const next = await openStore(app, { name: 'Next door', currency: 'EUR', plan: 'self_hosted' })
  const authentication = openAuthentication(app)
  const metrics = createMetrics(clock)
  const server = await openSurfaces(app, authentication, {
    metrics,
    version: 'test',
    storeApiUrl: 'http://127.0.0.1:4100/v1',
    leaving: () => false,
  })
  const inject = server.inject.bind(server) as (...args: unknown[]) => unknown
  server.inject = ((...args: unknown[]) => {
    lastCall = stopped ?? Date.now()
    return inject(...args)
  }) as typeof server.inject
  let seen = 0

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { as = live, body, raw } = options
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await server.inject({
      method: method as 'GET',
      url: path.startsWith('/v1') || path.startsWith('//') ? path : `/v1${path}`,
      headers: {
        'x-api-key': as.api_key ?? '',
        'x-store-hash': as.id,
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(payload !== undefined && { payload }),
    })
    const text = response.body
    // Only the log knows the cause. A failure that a test requests needs no cause.
    if (response.statusCode === 500 && !asked && !BROKEN.test(lastError)) {
      process.stderr.write(`${method} ${path}: ${lastError}\n`)
    }
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    return {
      status: response.statusCode,
      text,
      json: isJson && text ? JSON.parse(text) : undefined,
      headers: response.headers as Record<string, string>,
    }
  }

  return {
    app,
    db,
    authentication,
    server,
    metrics,
    live,
    test,
    other: next.live,
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, body, options) => call('POST', path, { body, ...options }),
    patch: (path, body, options) => call('PATCH', path, { body, ...options }),
    put: (path, body, options) => call('PUT', path, { body, ...options }),
    delete: (path, options) => call('DELETE', path, options),
    async key({ of = live, ...fields } = {}) {
      const { rows } = await sql<{ id: number; account_id: number; livemode: boolean }>`
        select id, account_id, livemode from store where hash = ${of.id}`.execute(db)
      const [store] = rows
      if (!store) throw new Error('No such store.')
      const { account_id, livemode } = store
      const { key } = await createKey(app, {
        account_id,
        livemode,
        store_ids: [store.id],
        ...fields,
      })
      return { ...of, api_key: key }
    },
    async events() {
      const { rows } = await sql<{ no: number; type: string }>`
        select no, type from event where no > ${seen} order by no`.execute(db)
      seen = rows.at(-1)?.no ?? seen
      return rows.map((row) => row.type)
    },
    async payloads(type) {
      const { rows } = await sql<{ store_id: number; tag: number; payload_enc: Buffer }>`
        select store_id, tag, payload_enc from event where type = ${type} order by no`.execute(db)
      return rows.map(({ store_id, tag, payload_enc }) => {
        const sealContext = { column: 'event.payload', storeId: store_id, row: String(tag) }
        return JSON.parse(vault.open(sealContext, payload_enc).toString())
      })
    },
    failStatement(n) {
      const isWaiting = failsAfter > 0
      failsAfter = n
      asked = true
      return isWaiting
    },
    async statements(work) {
      const own: string[] = []
      const before = stopped
      recorded = own
      stopped ??= lastCall
      await work().finally(() => {
        stopped = before
        recorded = undefined
      })
      // Event numbers are drawn for the whole process, 64 at a time or after a second.
      return own.filter((text) => !text.includes("nextval('event_no')"))
    },
    async failing(n, work) {
      let count = 0
      let failed = false
      asked = true
      failure = (text) => {
        // A rollback that fails would leave the connection in the middle of the transaction.
        if (failed || text === 'rollback' || ++count < n) return
        failed = true
        throw new Error(`Statement ${n} fails: ${text.slice(0, 80)}`)
      }
      const answer = await work().finally(() => {
        failure = undefined
      })
      return { answer, failed }
    },
    forward(ms) {
      ahead_ms += ms
    },
    stopClock() {
      stopped ??= Date.now()
    },
    async close() {
      await server.close()
      await app.storage.close()
      await close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
