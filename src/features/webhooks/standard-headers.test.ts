import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../../../test/audited.ts'
import { keysNamed, order, product } from '../../../test/build.ts'
import { fromNow, now_s } from '../../../test/clock.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Received, type Receiver } from '../../../test/receiver.ts'
import { HOUR_MS } from '../../kernel/time.ts'
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

const setStandardHeaders = (
  endpoint: string,
  state: string,
  as = tradepost.live,
): Promise<Json> => {
  const command = webhookCommands.find(({ name }) => name === 'webhooks standard-headers')
  const input = { store: as.id, endpoint, state }
  return command?.run(tradepost.app, input) ?? Promise.reject(new Error('No command.'))
}

/** Completes an order, and returns the request of its delivery. Its body is not ASCII, so that bytes are signed. */
async function deliverOrder(): Promise<Received> {
  const receivedBefore = receiver.received.length
  const game = await product(tradepost, {}, { keys: keysNamed('Ü-“1”', 1) })
  const { id: orderId } = await order(tradepost, game.id)
  await tradepost.post(`/orders/${orderId}/manual-payments`, {})
  const request = (await receiver.until(receivedBefore + 1))[receivedBefore]
  if (!request) throw new Error('Nothing arrived.')
  return request
}

const standardHeaderNames = ({ headers }: Received) =>
  Object.keys(headers).filter((name) => name.startsWith('webhook-'))
/** Returns the headers in the type that the package expects. */
const headersOf = ({ headers }: Received) => headers as Record<string, string>

test('an endpoint gets no headers of Standard Webhooks until they are turned on', async () => {
  expect(standardHeaderNames(await deliverOrder())).toEqual([])
})

test('the verifier of the package stripe accepts a delivery, because the signature header has the same form', async () => {
  const { headers, body } = await deliverOrder()
  const header = String(headers['service-signature'])
  const stripe = new Stripe('sk_test_not_used')
  const event: Json = stripe.webhooks.constructEvent(body, header, secret)
  expect(event).toMatchObject({ type: 'order.completed', id: headers['service-event-id'] })
  expect(() => stripe.webhooks.constructEvent(`${body} `, header, secret)).toThrow('signature')
  expect(() => stripe.webhooks.constructEvent(body, header, `${secret}x`)).toThrow('signature')
})

test('the verifier of the package standardwebhooks accepts a delivery once they are turned on', async () => {
  expect(await setStandardHeaders(id, 'on')).toEqual({ id, standard_headers: true })
  const delivery = await deliverOrder()
  expect(standardHeaderNames(delivery)).toEqual([
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ])
  const event = new Webhook(secret).verify(delivery.body, headersOf(delivery)) as Json
  expect(event.id).toBe(delivery.headers['webhook-id'])
  expect(delivery.headers['webhook-id']).toBe(delivery.headers['service-event-id'])
  expect(() => new Webhook(secret).verify(`${delivery.body} `, headersOf(delivery))).toThrow(
    'signature',
  )
  const stripe = new Stripe('sk_test_not_used')
  const header = String(delivery.headers['service-signature'])
  expect(stripe.webhooks.constructEvent(delivery.body, header, secret)).toBeDefined()
})

/** Gives the endpoint a previous secret, with which deliveries are also signed until this time. */
async function setPreviousSecret(until: string): Promise<string> {
  const { rows } = await sql<{ store_id: number }>`
    select store_id from webhook_endpoint where public_id = ${id}`.execute(tradepost.db)
  const previousSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const sealedSecret = tradepost.app.vault.seal(
    endpointSecretSealContext(rows[0]?.store_id ?? 0, id),
    previousSecret,
  )
  await sql`update webhook_endpoint
               set prev_secret_enc = ${sealedSecret}, prev_secret_until = ${until}
             where public_id = ${id}`.execute(tradepost.db)
  return previousSecret
}

test('during the overlap of a rolled secret, both packages accept the old secret and the new one', async () => {
  await setStandardHeaders(id, 'on')
  const previousSecret = await setPreviousSecret(fromNow(HOUR_MS))
  const delivery = await deliverOrder()
  const stripe = new Stripe('sk_test_not_used')
  for (const key of [previousSecret, secret]) {
    expect(new Webhook(key).verify(delivery.body, headersOf(delivery))).toBeDefined()
    const header = String(delivery.headers['service-signature'])
    expect(stripe.webhooks.constructEvent(delivery.body, header, key)).toBeDefined()
  }
  const [, last] = String(delivery.headers['webhook-signature']).split(' ')
  const newestOnly = { ...headersOf(delivery), 'webhook-signature': String(last) }
  expect(new Webhook(secret).verify(delivery.body, newestOnly)).toBeDefined()
})

test('a rolled secret signs nothing after its overlap', async () => {
  await setStandardHeaders(id, 'on')
  const previousSecret = await setPreviousSecret(fromNow(-1))
  const sendSample = async () => {
    const receivedBefore = receiver.received.length
    await tradepost.post(`/webhooks/${id}/test`)
    const request = receiver.received[receivedBefore]
    if (!request) throw new Error('Nothing arrived.')
    return request
  }
  for (const item of [await deliverOrder(), await sendSample()]) {
    const header = String(item.headers['service-signature'])
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
    expect(verifySignature(secret, header, Buffer.from(item.body), now_s())).toBe(true)
    expect(String(item.headers['webhook-signature'])).toMatch(/^v1,[^ ]+$/)
    expect(new Webhook(secret).verify(item.body, headersOf(item))).toBeDefined()
    expect(() => new Webhook(previousSecret).verify(item.body, headersOf(item))).toThrow()
  }
})

test('an endpoint gets no headers of Standard Webhooks after they are turned off again', async () => {
  await setStandardHeaders(id, 'on')
  expect(await setStandardHeaders(id, 'off')).toEqual({ id, standard_headers: false })
  expect(standardHeaderNames(await deliverOrder())).toEqual([])
})

test('the audit trail shows the former state, and has no event of a command without effect', async () => {
  await setStandardHeaders(id, 'off')
  const auditId = await lastAuditId(tradepost)
  await setStandardHeaders(id, 'on')
  await setStandardHeaders(id, 'on')
  const events = await auditEventsSince(tradepost, auditId)
  expect(events.map(({ action, changes }) => [action, changes])).toEqual([
    ['webhook.update', { standard_headers: { from: false, to: true } }],
  ])
})

test('the command refuses an unknown endpoint, an endpoint of another store, and a value except on and off', async () => {
  await expect(setStandardHeaders('we_0000000000000000000000', 'on')).rejects.toThrow('not found')
  await expect(setStandardHeaders(id, 'on', tradepost.other)).rejects.toThrow('not found')
  await expect(setStandardHeaders(id, 'maybe')).rejects.toMatchObject({ exitCode: 2 })
})
