import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../test/browser-session.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../test/receiver.ts'

let tradepost: Tradepost
let receiver: Receiver
let owner: SignedIn
let webhook: Json
let delivery: number

beforeAll(async () => {
  tradepost = await openTradepost()
  receiver = await openReceiver()
  owner = await signedIn(tradepost)
})
beforeEach(async () => {
  const events = ['order.completed']
  ;({ webhook } = (await tradepost.post('/webhooks', { url: receiver.url, events })).json)
  delivery = (await tradepost.post(`/webhooks/${webhook.id}/test`)).json.delivery.id
})
afterAll(async () => {
  await receiver.close()
  await tradepost.close()
})

const storePath = (path: string) => `/stores/${tradepost.live.id}${path}`
const getRequests = async (as = owner): Promise<Json> =>
  (await as.get(storePath(`/events/deliveries/${delivery}/requests`))).json

/** Returns a request as the receiver got it. */
const receivedRequest = (index: number) => {
  const { headers = {}, body = '' } = receiver.received.at(index) ?? {}
  return { headers, body }
}
const namesAndValues = (headers: Json[]) =>
  Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]))

test('the requests of all attempts are shown with the headers that the receiver got', async () => {
  await tradepost.post(`/events/deliveries/${delivery}/resend`)
  const answer = await getRequests()
  expect(answer.url).toBe(receiver.url)
  expect(answer.requests).toMatchObject([
    { attempt: 1, missing: null },
    { attempt: 2, missing: null },
  ])
  for (const [index, { headers }] of answer.requests.entries()) {
    const request = receivedRequest(index - 2)
    expect(namesAndValues(headers)).toEqual(request.headers)
    expect(answer.body).toBe(request.body)
  }
})

test('headers of Standard Webhooks are shown if the endpoint has them', async () => {
  await owner.patch(storePath(`/webhooks/${webhook.id}/headers`), { standard_headers: true })
  await tradepost.post(`/events/deliveries/${delivery}/resend`)
  const headers = namesAndValues((await getRequests()).requests[1].headers)
  expect(headers['webhook-signature']).toBe(receivedRequest(-1).headers['webhook-signature'])
})

test('an attempt that was signed with a replaced secret has no headers', async () => {
  await owner.post(storePath(`/webhooks/${webhook.id}/roll-secret`), { mode: 'overlap' })
  expect((await getRequests()).requests).toEqual([
    { attempt: 1, headers: [], missing: 'secret_rolled', reason: null },
  ])
})

test('the secret of an endpoint is shown with the end of its old secret', async () => {
  const getSecret = async () =>
    (await owner.get(storePath(`/webhooks/${webhook.id}/secret-end`))).json.secret
  const roll = async (mode: string) =>
    (await owner.post(storePath(`/webhooks/${webhook.id}/roll-secret`), { mode })).json
  const before = await getSecret()
  expect(before).toMatchObject({ last4: expect.stringMatching(/^\S{4}$/), old: null })
  const overlap = await roll('overlap')
  expect(await getSecret()).toMatchObject({
    last4: overlap.secret.slice(-4),
    old: { last4: before.last4, until: overlap.old_secret_until },
  })
  const now = await roll('now')
  expect(await getSecret()).toMatchObject({ last4: now.secret.slice(-4), old: null })
})

test('an attempt from before requests were recorded has no headers', async () => {
  await sql`update webhook_delivery set signed_at = null where id = ${delivery}`.execute(
    tradepost.db,
  )
  expect((await getRequests()).requests).toEqual([
    { attempt: 1, headers: [], missing: 'not_recorded', reason: null },
  ])
})

test('an attempt to an address that is not allowed has the reason instead of headers', async () => {
  const error = 'blocked_address: Private addresses are not allowed.'
  await sql`update webhook_delivery set error = ${error} where id = ${delivery}`.execute(
    tradepost.db,
  )
  expect((await getRequests()).requests).toEqual([
    {
      attempt: 1,
      headers: [],
      missing: 'address_refused',
      reason: 'Private addresses are not allowed.',
    },
  ])
})

test('only a user who may change endpoints sees the requests', async () => {
  const viewer = await signedIn(tradepost, 'viewer')
  expect((await getRequests(viewer)).code).toBe('INSUFFICIENT_SCOPE')
  const staff = await signedIn(tradepost, 'staff')
  expect((await getRequests(staff)).code).toBe('INSUFFICIENT_SCOPE')
})

test('the requests of an unknown delivery answer 404', async () => {
  const { status, json } = await owner.get(storePath('/events/deliveries/1/requests'))
  expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
})
