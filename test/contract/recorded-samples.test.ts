import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStoreWithKeys } from '../../src/features/store/account/index.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { loadSamples } from '../../src/http/openapi/load-samples.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Json, Tradepost } from '../harness.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { walk } from '../walks.ts'
import { openUnlimited, prepare, send, TEST_SIDE_ONLY } from './prepared-calls.ts'
import { compareSamples } from './sample-files.ts'
import { RECORDED_AT, sampleOf, withFakes } from './sample-masks.ts'

// The samples of the reference are recorded from calls. `npm run samples` records them again.

const HOUR_MS = 3_600_000
/** Formats that scanners of secrets report: keys of both APIs, signing secrets and links with a signature. */
const SECRET =
  /\b(?:sk|sec)_(?:live|test)_\w{10}|whsec_[\w+/]{16}|\bot_[\w-]{40}|\.\d{10}\.[\w-]{40}/

let tradepost: Tradepost
let receiver: Receiver

beforeAll(async () => {
  receiver = await openReceiver()
  tradepost = await openUnlimited()
  tradepost.stopClock()
  tradepost.forward(Date.parse(RECORDED_AT) - tradepost.app.clock.now())
})
afterAll(() => Promise.all([tradepost.close(), receiver.close()]))

/** The calls that send a webhook and wait for the response. Nothing listens at the address of the prepared calls. */
const SENDING: ReadonlySet<string> = new Set(['webhooks.test', 'events.resend'])

/** Lets a server listen at the webhook endpoints of a store. */
const moveWebhooks = (storeHash: string) =>
  sql`
  update webhook_endpoint w set url = ${`${new URL(receiver.url).origin}/hooks`}
    from store s where s.id = w.store_id and s.hash = ${storeHash}`.execute(tradepost.db)

/** Makes the prepared call of an endpoint in a new store, and returns the masked body and answer. */
async function record(endpoint: Endpoint): Promise<Json> {
  const { live, test: testSide } = await createStoreWithKeys(tradepost.app, {
    name: 'Game shop',
    currency: 'EUR',
    plan: 'self_hosted',
  })
  const as = TEST_SIDE_ONLY.has(endpoint.id) ? testSide : live
  await tradepost.app.db
    .updateTable('api_key')
    .set({ rate_limit: 0 })
    .where('rate_limit', '<>', 0)
    .execute()
  const input = await prepare(tradepost, endpoint, { as })
  if (SENDING.has(endpoint.id)) await moveWebhooks(as.id)
  // The time that the prepared call names is that of the machine.
  if (input.body?.since)
    input.body.since = new Date(Date.parse(RECORDED_AT) - HOUR_MS).toISOString()
  // The example of an endpoint names records that do not exist, unless it names none. That of an upload names a picture
  // on another server.
  const hasExample = endpoint.example !== undefined && !endpoint.upload
  const bodies = [...(hasExample ? [endpoint.example] : []), input.body]
  for (const body of bodies) {
    const { status, json } = await send(tradepost, endpoint, { ...input, body }, { as })
    const { params } = input
    if (status < 300) return sampleOf({ path: endpoint.path, params, body, answer: json })
  }
  throw new Error(`The prepared call of ${endpoint.id} failed.`)
}

test('the samples of the reference are what the calls answer', async () => {
  const samples: Record<string, Json> = {}
  for (const endpoint of walk(storeEndpoints)) {
    // Values that differ between two calls are random.
    samples[endpoint.id] = withFakes(endpoint.id, await record(endpoint), await record(endpoint))
  }
  await compareSamples('store', samples)
})

test('each endpoint has a sample', async () => {
  const ids = storeEndpoints.map(({ id }) => id).sort()
  expect(Object.keys(await loadSamples('store')).sort()).toEqual(ids)
})

test('no sample has a secret that looks real', async () => {
  const samples = { ...(await loadSamples('store')), ...(await loadSamples('security')) }
  const secrets = Object.entries(samples).filter(([, sample]) =>
    SECRET.test(JSON.stringify(sample)),
  )
  expect(secrets).toEqual([])
})

test('each sample of an order that was paid has a payment, and no more is refunded than was paid', async () => {
  const orders = Object.values(await loadSamples('store')).flatMap(
    ({ answer }) => (answer as Json).order ?? [],
  )
  const paidOrders = orders.filter((order) => order.paid_cents > 0 && order.payments)
  expect(paidOrders.length).toBeGreaterThan(5)
  for (const order of paidOrders) {
    expect(order.payments).not.toEqual([])
    expect(order.refunded_cents).toBeLessThanOrEqual(order.paid_cents)
  }
})

test('no sample names a server of this machine, and the samples of sent webhooks succeed', async () => {
  const samples = await loadSamples('store')
  const local = Object.keys(samples).filter((id) =>
    /127\.0\.0\.1|localhost:4199/.test(JSON.stringify(samples[id])),
  )
  expect(local).toEqual([])
  for (const id of SENDING) {
    const { answer } = samples[id] as Json
    expect([id, answer.result]).toMatchObject([id, { ok: true, status_code: 200, error: null }])
  }
})

test('a callback that was applied has an attempt and a time', async () => {
  for (const { answer } of Object.values(await loadSamples('store'))) {
    const { payment_callback, payment_callbacks = [] } = answer as Json
    for (const callback of [payment_callback ?? [], payment_callbacks].flat())
      if (callback.status === 'applied')
        expect([callback.attempts > 0, callback.applied_at]).toEqual([true, expect.any(String)])
  }
})
