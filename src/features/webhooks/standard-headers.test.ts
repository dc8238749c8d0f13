import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Received, type Receiver } from '../../../test/receiver.ts'
import { HOUR_MS, iso } from '../../kernel/time.ts'
import { verifySignature } from '../../sender/signature.ts'
import { type Dispatcher, startDispatcher, webhookCommands } from './index.ts'
import { endpointSecretSealContext } from './sealed.ts'

let tradepost: Tradepost
let receiver: Receiver
let dispatcher: Dispatcher
let id: string
let secret: string

beforeAll(async () => {
  tradepost = await openTradepost()
  receiver = await openReceiver()
  const { json } = await tradepost.post('/webhooks', {
    url: receiver.url,
    events: ['order.completed'],
  })
  id = json.webhook.id
  secret = json.secret
  dispatcher = startDispatcher(tradepost.app)
})
afterAll(async () => {
  await dispatcher.stop()
  await receiver.close()
  await tradepost.close()
})

const turn = (endpoint: string, state: string, as = tradepost.live): Promise<Json> => {
  const command = webhookCommands.find(({ name }) => name === 'webhooks standard-headers')
  const input = { store: as.id, endpoint, state }
  return command?.run(tradepost.app, input) ?? Promise.reject(new Error('No command.'))
}

/** A real event, on the usual road. */
async function delivered(): Promise<Received> {
  const before = receiver.received.length
  const game = await product(tradepost, {}, { keys: keysNamed(`Ü-“${Math.random()}”`, 1) })
  const { id: orderId } = await order(tradepost, game.id)
  await tradepost.post(`/orders/${orderId}/manual-payments`, {})
  const one = (await receiver.until(before + 1))[before]
  if (!one) throw new Error('Nothing arrived.')
  return one
}

const standard = ({ headers }: Received) =>
  Object.keys(headers).filter((name) => name.startsWith('webhook-'))
/** The package wants a plain record. */
const flat = ({ headers }: Received) => headers as Record<string, string>

test('an endpoint gets no headers of Standard Webhooks until they are turned on', async () => {
  expect(standard(await delivered())).toEqual([])
})

test("the verifier of the package stripe accepts a delivery: our header's form is the same", async () => {
  const { headers, body } = await delivered()
  const header = String(headers['service-signature'])
  const stripe = new Stripe('sk_test_not_used')
  const event: Json = stripe.webhooks.constructEvent(body, header, secret)
  expect(event).toMatchObject({ type: 'order.completed', id: headers['service-event-id'] })
  expect(() => stripe.webhooks.constructEvent(`${body} `, header, secret)).toThrow('signature')
  expect(() => stripe.webhooks.constructEvent(body, header, `${secret}x`)).toThrow('signature')
})

test('the verifier of the package standardwebhooks accepts a delivery once they are turned on', async () => {
  expect(await turn(id, 'on')).toEqual({ id, standard_headers: true })
  const one = await delivered()
  expect(standard(one)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  const event = new Webhook(secret).verify(one.body, flat(one)) as Json
  expect(event.id).toBe(one.headers['webhook-id'])
  expect(one.headers['webhook-id']).toBe(one.headers['service-event-id'])
  expect(() => new Webhook(secret).verify(`${one.body} `, flat(one))).toThrow('signature')
  const stripe = new Stripe('sk_test_not_used')
  const header = String(one.headers['service-signature'])
  expect(stripe.webhooks.constructEvent(one.body, header, secret)).toBeDefined()
})

/** The secret before a roll that both sign until then. */
async function rolledUntil(until: string): Promise<string> {
  const { rows } = await sql<{ store_id: number }>`
    select store_id from webhook_endpoint where public_id = ${id}`.execute(tradepost.db)
  const former = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const sealed = tradepost.app.vault.seal(
    endpointSecretSealContext(rows[0]?.store_id ?? 0, id),
    former,
  )
  await sql`update webhook_endpoint
               set prev_secret_enc = ${sealed}, prev_secret_until = ${until}
             where public_id = ${id}`.execute(tradepost.db)
  return former
}

test('while a secret is rolled, both packages accept the old one and the new one', async () => {
  await turn(id, 'on')
  const former = await rolledUntil(iso(Date.now() + HOUR_MS))
  const one = await delivered()
  const stripe = new Stripe('sk_test_not_used')
  for (const key of [former, secret]) {
    expect(new Webhook(key).verify(one.body, flat(one))).toBeDefined()
    const header = String(one.headers['service-signature'])
    expect(stripe.webhooks.constructEvent(one.body, header, key)).toBeDefined()
  }
  const [, last] = String(one.headers['webhook-signature']).split(' ')
  const newest = { ...flat(one), 'webhook-signature': String(last) }
  expect(new Webhook(secret).verify(one.body, newest)).toBeDefined()
})

test('when the time of a rolled secret is over, it signs nothing any more', async () => {
  await turn(id, 'on')
  const former = await rolledUntil(iso(Date.now() - 1))
  const sample = async () => {
    const before = receiver.received.length
    await tradepost.post(`/webhooks/${id}/test`)
    const one = receiver.received[before]
    if (!one) throw new Error('Nothing arrived.')
    return one
  }
  for (const item of [await delivered(), await sample()]) {
    const header = String(item.headers['service-signature'])
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
    expect(verifySignature(secret, header, Buffer.from(item.body), Date.now() / 1_000)).toBe(true)
    expect(String(item.headers['webhook-signature'])).toMatch(/^v1,[^ ]+$/)
    expect(new Webhook(secret).verify(item.body, flat(item))).toBeDefined()
    expect(() => new Webhook(former).verify(item.body, flat(item))).toThrow()
  }
})

test('turned off again they are gone', async () => {
  await turn(id, 'on')
  expect(await turn(id, 'off')).toEqual({ id, standard_headers: false })
  expect(standard(await delivered())).toEqual([])
})

test("an unknown endpoint, or another store's, is refused, and so is any word but on and off", async () => {
  await expect(turn('we_0000000000000000000000', 'on')).rejects.toThrow('not found')
  await expect(turn(id, 'on', tradepost.other)).rejects.toThrow('not found')
  await expect(turn(id, 'maybe')).rejects.toMatchObject({ exitCode: 2 })
})
