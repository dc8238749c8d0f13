import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../test/browser-session.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../test/receiver.ts'
import { DAY_MS } from '../../kernel/time.ts'

let tradepost: Tradepost
let receiver: Receiver
let owner: SignedIn

beforeAll(async () => {
  tradepost = await openTradepost()
  receiver = await openReceiver()
  owner = await signedIn(tradepost, 'owner', { store: tradepost.test.id })
})
afterAll(async () => {
  await receiver.close()
  await tradepost.close()
})

test('both secrets sign for 24 hours by the clock of the store (decisions 19 and 41)', async () => {
  const asTest = { as: tradepost.test }
  const path = (suffix: string) => `/stores/${tradepost.test.id}/${suffix}`
  const body = { url: receiver.url, events: ['order.completed'] }
  const { webhook } = (await tradepost.post('/webhooks', body, asTest)).json
  const { delivery } = (await tradepost.post(`/webhooks/${webhook.id}/test`, {}, asTest)).json
  const advance = async (duration: string) =>
    (await tradepost.post('/account/test-clock', { advance: duration }, asTest)).json.now
  const countSignatures = async () => {
    await tradepost.post(`/events/deliveries/${delivery.id}/resend`, {}, asTest)
    return String(receiver.received.at(-1)?.headers['service-signature']).split('v1=').length - 1
  }
  const getOldSecret = async () =>
    (await owner.get(path(`webhooks/${webhook.id}/secret-end`))).json.secret.old

  const storeTime = await advance('3d')
  const roll = await owner.post(path(`webhooks/${webhook.id}/roll-secret`), { mode: 'overlap' })
  expect(Date.parse(roll.json.old_secret_until)).toBeGreaterThanOrEqual(
    Date.parse(storeTime) + DAY_MS,
  )
  // The requests of attempts from the first second after a roll are not shown.
  await sql`update webhook_endpoint set secret_from = secret_from - interval '1 s'`.execute(
    tradepost.db,
  )
  expect(await countSignatures()).toBe(2)
  await advance('23h')
  expect(await countSignatures()).toBe(2)
  expect(await getOldSecret()).toEqual({
    last4: expect.any(String),
    until: roll.json.old_secret_until,
  })
  await advance('1h')
  expect(await countSignatures()).toBe(1)
  expect(await getOldSecret()).toBeNull()

  const { requests } = (await owner.get(path(`events/deliveries/${delivery.id}/requests`))).json
  const shownSignatures = requests.flatMap(({ headers }: Json) =>
    headers.filter(({ name }: Json) => name === 'Service-Signature'),
  )
  expect(shownSignatures.map(({ value }: Json) => value)).toEqual(
    receiver.received.slice(1).map(({ headers }) => headers['service-signature']),
  )
})
