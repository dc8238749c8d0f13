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
import { createStoreWithKeys, type StoreSide } from '../src/features/store/account/index.ts'
import { createCaches } from '../src/kernel/caches.ts'
import { createVault } from '../src/kernel/vault.ts'
import { INSPECTIONS, PARTS } from '../src/process/inspections.ts'
import { INVARIANTS } from '../src/process/invariants.ts'
import { CLOCK_FOLLOWERS, JOBS } from '../src/process/jobs.ts'
import { SEALED_COLUMNS } from '../src/process/sealed-columns.ts'
import { openStorage } from '../src/storage/open-storage.ts'
import { createMetrics, type Metrics } from '../src/surfaces/metrics.ts'
import { openSurfaces } from '../src/surfaces/server.ts'
import { type Authentication, openAuthentication } from '../src/surfaces/store-authentication.ts'
import { openTestDatabase } from './database.ts'

export type Json = any

/** Matches the errors of a constraint that a test adds to a table so that writes fail. */
const REQUESTED_FAILURE = /constraint \\"broken\\"/

export interface Answer {
  status: number
  json: Json
  text: string
  headers: Record<string, string>
}

/** Returns the JSON of an answer. Throws with the answer's text unless the call succeeded. */
export async function expectSuccess(answer: Promise<Answer>): Promise<Json> {
  const { status, json, text } = await answer
  if (status >= 300) throw new Error(`${status}: ${text}`)
  return json
}

export interface CallOptions {
  body?: unknown
  /** The body is sent unchanged. */
  raw?: string | Buffer
  headers?: Record<string, string>
  /** The key and store of the call: the live side of the first store by default. */
  as?: StoreSide
}

/** A complete Tradepost on a real PostgreSQL, called without a socket. Only its clock is replaced. */
export interface Tradepost {
  app: App
  db: Db
  authentication: Authentication
  server: FastifyInstance
  /** The metrics that `/metrics` prints; a dispatcher of a test counts in `metrics.webhooks.meter`. */
  metrics: Metrics
  /** Two stores, so that each test can call from another store. */
  live: StoreSide
  test: StoreSide
  other: StoreSide
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  get(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  patch(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  put(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  delete(path: string, options?: CallOptions): Promise<Answer>
  /** Creates an API key with these fields, by default for the live side of the first store. */
  key(fields?: Partial<NewKey> & { of?: StoreSide }): Promise<StoreSide>
  /** Returns the types of the events since the last call, in order. */
  events(): Promise<string[]>
  /** Returns the payloads of the events of a type, as webhooks get them. */
  payloads(type: string): Promise<Json[]>
  /** Runs the work and returns its statements, except those that reserve event numbers. */
  statements(work: () => Promise<unknown>): Promise<string[]>
  /** Runs the work and returns the number of times that it sent statements. Those sent together count once. */
  packets(work: () => Promise<unknown>): Promise<number>
  /** Runs the work; its n-th statement fails. `failed` is false if it sent fewer statements. */
  failing<T>(n: number, work: () => Promise<T>): Promise<{ answer: T; failed: boolean }>
  /**
   * Makes the n-th statement from now fail, once. Returns true if an earlier requested failure is
   * still pending.
   */
  failStatement(n: number): boolean
  /** Advances the machine's clock. */
  forward(ms: number): void
  /**
   * Stops the machine's clock: only `forward` advances it, so that times can be compared exactly.
   */
  stopClock(): void
  close(): Promise<void>
}

export interface TradepostOptions {
  env?: Record<string, string>
}

/** Event numbers are reserved for the whole process, 64 at a time or after a second. */
const isReservation = (text: string) => text.includes("nextval('event_no')")

export async function openTradepost({ env = {} }: TradepostOptions = {}): Promise<Tradepost> {
  let recordedStatements: string[] | undefined
  let beforeStatement: ((text: string) => void) | undefined
  let statementsUntilFailure = 0
  let isFailureRequested = false
  let lastError = ''
  const recordError = (line: string) => {
    lastError = line
  }
  let packetCount = 0
  let isSending = false
  const recordPacket = (text: string) => {
    if (isSending || isReservation(text)) return
    packetCount++
    isSending = true
    queueMicrotask(() => {
      isSending = false
    })
  }
  const writes = createWrites()
  const { db, close } = await openTestDatabase(
    (client) =>
      onStatement(client, (text) => {
        recordedStatements?.push(text)
        recordPacket(text)
        beforeStatement?.(text)
        if (statementsUntilFailure > 0 && --statementsUntilFailure === 0)
          throw new Error('This statement fails in a test.')
      }),
    writes,
  )
  let advanced_ms = 0
  // While statements are recorded, the clock shows the time of the last call, so that the cache
  // entries of that call do not expire.
  let lastCallAt: number | undefined
  let stoppedAt: number | undefined
  const clock = { now: () => (stoppedAt ?? Date.now()) + advanced_ms }
  const dataDir = await mkdtemp(join(tmpdir(), 'tradepost-test-'))
  const configResult = readConfig({
    DATA_DIR: dataDir,
    TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1,localhost',
    ...env,
  })
  if ('faults' in configResult) throw new Error(configResult.faults.join('\n'))
  const vault = createVault([randomBytes(32)], randomBytes(32))
  const metrics = createMetrics(clock)
  const app: App = {
    config: configResult.config,
    db,
    vault,
    ledger: openLedger(vault, metrics.process.meter),
    meter: metrics.process.meter,
    clock,
    caches: createCaches(clock),
    log: pino({ level: 'error' }, { write: recordError }),
    storage: await openStorage(configResult.config),
    jobs: JOBS,
    clockFollowers: CLOCK_FOLLOWERS,
    invariants: INVARIANTS,
    inspections: INSPECTIONS,
    parts: PARTS,
    sealedColumns: SEALED_COLUMNS,
    writes,
  }
  const { live, test } = await createStoreWithKeys(app, {
    name: 'Here',
    currency: 'EUR',
    plan: 'self_hosted',
  })
  const otherStore = await createStoreWithKeys(app, {
    name: 'Other store',
    currency: 'EUR',
    plan: 'self_hosted',
  })
  const authentication = openAuthentication(app)
  const server = await openSurfaces(app, authentication, {
    metrics,
    version: 'test',
    storeApiUrl: 'http://127.0.0.1:4100/v1',
    isStopping: () => false,
  })
  const inject = server.inject.bind(server) as (...args: unknown[]) => unknown
  server.inject = ((...args: unknown[]) => {
    lastCallAt = stoppedAt ?? Date.now()
    return inject(...args)
  }) as typeof server.inject
  let lastEventNo = 0

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
    // Only the log contains the cause. The cause of a failure that a test requests is not printed.
    if (response.statusCode === 500 && !isFailureRequested && !REQUESTED_FAILURE.test(lastError)) {
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

  async function statements(work: () => Promise<unknown>): Promise<string[]> {
    const sentStatements: string[] = []
    const previousStoppedAt = stoppedAt
    recordedStatements = sentStatements
    stoppedAt ??= lastCallAt
    await work().finally(() => {
      stoppedAt = previousStoppedAt
      recordedStatements = undefined
    })
    return sentStatements.filter((text) => !isReservation(text))
  }

  return {
    app,
    db,
    authentication,
    server,
    metrics,
    live,
    test,
    other: otherStore.live,
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
        select no, type from event where no > ${lastEventNo} order by no`.execute(db)
      lastEventNo = rows.at(-1)?.no ?? lastEventNo
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
      const isPending = statementsUntilFailure > 0
      statementsUntilFailure = n
      isFailureRequested = true
      return isPending
    },
    statements,
    async packets(work) {
      const before = packetCount
      await statements(work)
      return packetCount - before
    },
    async failing(n, work) {
      let count = 0
      let failed = false
      isFailureRequested = true
      beforeStatement = (text) => {
        // A failed rollback would leave the connection inside the transaction.
        if (failed || text === 'rollback' || ++count < n) return
        failed = true
        throw new Error(`Statement ${n} fails: ${text.slice(0, 80)}`)
      }
      const answer = await work().finally(() => {
        beforeStatement = undefined
      })
      return { answer, failed }
    },
    forward(ms) {
      advanced_ms += ms
    },
    stopClock() {
      stoppedAt ??= Date.now()
    },
    async close() {
      await server.close()
      await app.storage.close()
      await close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
