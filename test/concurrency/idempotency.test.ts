import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { createIdempotency } from '../../src/http/idempotency.ts'
import type { Refusal } from '../../src/kernel/errors.ts'
import { HOUR_MS } from '../../src/kernel/time.ts'
import { openSurfaces } from '../../src/surfaces/server.ts'
import { openAuthentication } from '../../src/surfaces/store-authentication.ts'
import { fromNow } from '../clock.ts'
import { PNG } from '../form.ts'
import type { Json } from '../harness.ts'
import { openLocalServer } from '../local-server.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call, type Reply, type Target } from '../process/client.ts'
import { openPostgres, postgresOrSkip, type RealPostgres } from '../process/real-postgres.ts'
import { until } from '../until.ts'
import {
  openServedDatabase,
  type ServedDatabase,
  type ServedStore,
} from './open-served-database.ts'

// Two processes get calls with the same idempotency key, which wait for another server (decision 122).

let server: RealPostgres | Unavailable
let database: ServedDatabase
let otherProcess: OtherProcess
let pictures: PictureHost

beforeAll(async () => {
  server = await openPostgres()
  if ('unavailable' in server) return
  database = await openServedDatabase(server, {
    env: { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' },
  })
  otherProcess = await openOtherProcess(database.app)
})
afterAll(async () => {
  await otherProcess?.close()
  await database?.close()
})
beforeEach(async () => {
  pictures = await openPictureHost()
})
afterEach(() => pictures.close())

interface OtherProcess {
  db: Db
  origin: string
  close(): Promise<void>
}

/** Opens a second instance on the same database, with a connection pool and a server of its own. */
async function openOtherProcess(app: App): Promise<OtherProcess> {
  const { databaseUrl } = app.config
  if (databaseUrl === undefined) throw new Error('The database server has no address.')
  const db = openDatabase({ url: databaseUrl })
  const otherApp = { ...app, db }
  const surfaces = await openSurfaces(otherApp, openAuthentication(otherApp), {
    version: 'test',
    storeApiUrl: 'http://127.0.0.1/v1',
    isStopping: () => false,
  })
  return {
    db,
    origin: await surfaces.listen({ port: 0, host: '127.0.0.1' }),
    async close() {
      await surfaces.close()
      await db.destroy()
    },
  }
}

interface PictureHost {
  url: string
  /** Unanswered requests, oldest first. */
  openResponses: ServerResponse[]
  untilRequested(count: number): Promise<void>
  close(): Promise<void>
}

/** Opens a server of pictures that answers only when the test says so. */
async function openPictureHost(): Promise<PictureHost> {
  const openResponses: ServerResponse[] = []
  const server = await openLocalServer((_, response) => void openResponses.push(response))
  return {
    url: `${server.origin}/picture.png`,
    openResponses,
    async untilRequested(count) {
      await until(() => openResponses.length >= count)
    },
    close: server.close,
  }
}

const answerWithPicture = (response: ServerResponse | undefined) =>
  response?.writeHead(200, { 'content-type': 'image/png' }).end(PNG)

interface Setup {
  tradepost: ServedStore
  thisTarget: Target
  otherTarget: Target
  product: Json
}

async function openSetup(): Promise<Setup> {
  const tradepost = await database.openStore()
  const [thisTarget] = tradepost.targets
  const game = { name: 'Game', price_cents: 100, type: 'service' }
  const { product } = (await call(thisTarget, 'POST', '/products', { body: game })).json
  return {
    tradepost,
    thisTarget,
    otherTarget: { ...thisTarget, origin: otherProcess.origin },
    product,
  }
}

const addPicture = (target: Target, product: Json, idempotencyKey: string): Promise<Reply> =>
  call(target, 'POST', `/products/${product.id}/media`, {
    body: { url: pictures.url },
    idempotencyKey,
  })

/** Sends a call while the lease of the first call has expired, as if its process had been suspended. */
async function sendAfterLease(
  setup: Setup,
  key: string,
  sendCall: () => Promise<Reply>,
): Promise<Reply> {
  for (;;) {
    await sql`update idempotent_answer set running_until = clock_timestamp() - interval '1 s'
               where store_id = ${setup.tradepost.storeId} and key = ${key}`.execute(
      otherProcess.db,
    )
    const reply = await sendCall()
    // The first call may have renewed its lease in between.
    if (reply.json.code !== 'IDEMPOTENCY_IN_PROGRESS') return reply
  }
}

const mediaOf = async ({ thisTarget, product }: Setup): Promise<Json[]> =>
  (await call(thisTarget, 'GET', `/products/${product.id}/media`)).json.media

test('a call that lost its lease to a call that has ended has no effect and gets the stored answer (decision 122)', async (context) => {
  postgresOrSkip(context, server)
  const setup = await openSetup()
  const firstCall = addPicture(setup.thisTarget, setup.product, 'taken-over')
  await pictures.untilRequested(1)
  const secondReply = await sendAfterLease(setup, 'taken-over', async () => {
    const reply = addPicture(setup.otherTarget, setup.product, 'taken-over')
    const requestedOrReply = await Promise.race([
      pictures.untilRequested(2).then(() => true),
      reply,
    ])
    if (requestedOrReply === true) answerWithPicture(pictures.openResponses[1])
    return reply
  })
  expect(secondReply.status, secondReply.text).toBe(201)
  answerWithPicture(pictures.openResponses[0])
  const firstReply = await firstCall
  expect(firstReply.status, firstReply.text).toBe(201)
  expect(firstReply.text).toBe(secondReply.text)
  expect(firstReply.headers.get('idempotency-replayed')).toBe('true')
  expect(await mediaOf(setup)).toEqual([secondReply.json.media])
})

test('a call that lost its lease to a running call is 409 IDEMPOTENCY_IN_PROGRESS (decision 122)', async (context) => {
  postgresOrSkip(context, server)
  const setup = await openSetup()
  const firstCall = addPicture(setup.thisTarget, setup.product, 'still-running')
  await pictures.untilRequested(1)
  let secondCall: Promise<Reply> | undefined
  const firstReply = await sendAfterLease(setup, 'still-running', async () => {
    secondCall = addPicture(setup.otherTarget, setup.product, 'still-running')
    const requestedOrReply = await Promise.race([
      pictures.untilRequested(2).then(() => true),
      secondCall,
    ])
    if (requestedOrReply !== true) return requestedOrReply as Reply
    answerWithPicture(pictures.openResponses[0])
    const reply = await firstCall
    // The code is nested, so that the loop ends.
    return { ...reply, json: { firstReply: reply.json } }
  })
  expect(firstReply.status, firstReply.text).toBe(409)
  expect(firstReply.json.firstReply.code).toBe('IDEMPOTENCY_IN_PROGRESS')
  expect(firstReply.headers.get('retry-after')).toBe('1')
  expect(await mediaOf(setup)).toEqual([])
  answerWithPicture(pictures.openResponses[1])
  const secondReply = await (secondCall as Promise<Reply>)
  expect(secondReply.status, secondReply.text).toBe(201)
  expect(await mediaOf(setup)).toEqual([secondReply.json.media])
  const repeat = await addPicture(setup.thisTarget, setup.product, 'still-running')
  expect(repeat.text).toBe(secondReply.text)
})

test('the lease of a call that waits for another server is renewed while it runs (decision 122)', async (context) => {
  postgresOrSkip(context, server)
  const { tradepost } = await openSetup()
  const key = 'renewed'
  const keyedCall = {
    storeId: tradepost.storeId,
    keyId: 1,
    key,
    method: 'POST',
    path: '/x',
    body: undefined,
    now: fromNow(0),
  }
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const workWith = (body: string, prepare: () => Promise<void>) => ({
    read: () => {},
    prepare,
    handle: async () => ({ status: 201, body }),
    render: (error: Refusal) => ({ status: error.status, body: error.message }),
  })
  // The lease of an hour is renewed every 100 ms.
  const idempotency = createIdempotency(database.app.vault, { lease_ms: HOUR_MS, renew_ms: 100 })
  const otherIdempotency = createIdempotency(database.app.vault)
  const firstCall = idempotency.once(
    database.app.db,
    keyedCall,
    workWith('first', () => released),
  )
  const selectLeaseEnd = async () => {
    const { rows } = await sql<{ lease_end: string }>`
      select running_until as lease_end from idempotent_answer
       where store_id = ${tradepost.storeId} and key = ${key}`.execute(otherProcess.db)
    return rows[0]?.lease_end
  }
  let firstLeaseEnd = await selectLeaseEnd()
  while (firstLeaseEnd === undefined) firstLeaseEnd = await selectLeaseEnd()
  await until(async () => (await selectLeaseEnd()) !== firstLeaseEnd)
  const repeat = () =>
    otherIdempotency.once(
      otherProcess.db,
      keyedCall,
      workWith('second', async () => {}),
    )
  await expect(repeat()).rejects.toThrow('still running')
  release()
  expect(await firstCall).toMatchObject({ status: 201, body: 'first' })
  expect(await repeat()).toMatchObject({ status: 201, body: 'first' })
})
