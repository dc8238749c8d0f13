import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '../../../../test/harness.ts'
import { simulate, startedOrder } from '../../../../test/provider-payments.ts'
import {
  CREDENTIALS,
  openStripeStore,
  type StripeStore,
} from '../../../../test/providers/stripe-store.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time.ts'
import { diagnoseWithFiles } from '../../installation/doctor/index.ts'

/** Warnings and faults of `tradepost doctor` about payment providers. */

let store: StripeStore

const PUBLIC_URL = 'https://shop.example.com'

beforeAll(async () => {
  store = await openStripeStore({ env: { TRADEPOST_PUBLIC_URL: PUBLIC_URL } })
})
beforeEach(async () => {
  await store.connect()
})
afterAll(() => store.close())

const app = () => store.tradepost.app
const asTest = () => ({ as: store.tradepost.test })

async function findingOf(check: string, ownApp = app()): Promise<Json> {
  const { findings } = await diagnoseWithFiles(ownApp)
  const finding = findings.find((item) => item.check === check)
  if (!finding) throw new Error(`There is no check ${check}.`)
  return finding
}

const CHECKS = [
  'provider_credentials',
  'provider_clock',
  'callback_address',
  'callbacks_arrive',
  'payments_agree',
  'holds_of_disputes',
]

test.each(CHECKS)('%s passes for a healthy connection, and without any', async (check) => {
  expect(await findingOf(check)).toMatchObject({ ok: true, cure: null })
  await store.tradepost.delete('/account/payment-providers/stripe?force=true', asTest())
  expect(await findingOf(check)).toMatchObject({ ok: true, cure: null })
})

describe('provider_credentials', () => {
  test('is a fault if a provider refuses the keys, and names the command that repairs it', async () => {
    store.stripe.keys.clear()
    const { id } = store.tradepost.test
    const finding = await findingOf('provider_credentials')
    store.stripe.keys.add(CREDENTIALS.secret_key)
    expect(finding).toMatchObject({
      ok: false,
      detail: expect.stringContaining(`Connections: 1, such as stripe of `),
      cure: expect.stringContaining(`payments connect stripe --store ${id}`),
    })
    expect(JSON.stringify(finding)).not.toContain(CREDENTIALS.secret_key)
  })

  test('is a warning if a provider does not answer', async () => {
    store.stripe.misbehaviours.push('error_500')
    expect(await findingOf('provider_credentials')).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^A payment provider does not answer\. Connections: 1, such/),
      cure: expect.stringContaining('reaches the provider'),
    })
  })
})

test.each([
  [120, 'ahead of'],
  [-120, 'behind'],
])(
  'provider_clock warns of a clock that is %d s away from that of the provider',
  async (seconds, words) => {
    const { clock } = app()
    const now = () => clock.now() + seconds * SECOND_MS
    const { detail, ok, cure } = await findingOf('provider_clock', { ...app(), clock: { now } })
    expect([ok, cure]).toEqual([true, expect.stringContaining('chrony')])
    const [, shown, direction] = /is (\d+) s (ahead of|behind) that of stripe/.exec(detail) ?? []
    expect(direction).toBe(words)
    expect(Math.abs(Number(shown) - Math.abs(seconds))).toBeLessThan(30)
  },
)

test.each(['http://shop.example.com', 'https://127.0.0.1:4100', 'https://localhost'])(
  'callback_address warns of %s, which a provider cannot reach',
  async (publicUrl) => {
    const config = { ...app().config, publicUrl }
    expect(await findingOf('callback_address', { ...app(), config })).toMatchObject({
      ok: true,
      detail: expect.stringContaining(`cannot send callbacks to ${publicUrl},`),
      cure: expect.stringContaining('TRADEPOST_PUBLIC_URL'),
    })
  },
)

test('callbacks_arrive warns of a provider that takes money and was never heard, until it is', async () => {
  const payment = await store.startedPayment()
  const events = store.stripe.pay(payment.external_id)
  await store.refresh(payment)
  expect(await findingOf('callbacks_arrive')).toMatchObject({ cure: null })
  store.tradepost.forward(11 * MINUTE_MS)
  expect(await findingOf('callbacks_arrive')).toMatchObject({
    ok: true,
    detail: expect.stringMatching(/^stripe has taken payments of .*no callback of it was ever/),
    cure: expect.stringContaining(`payments list --store ${store.tradepost.test.id}`),
  })
  expect(await store.deliver(events)).toContain(200)
  expect(await findingOf('callbacks_arrive')).toMatchObject({ cure: null })
})

describe('payments_agree', () => {
  test('warns of a payment that is paid at the provider and not here, until it is asked about', async () => {
    const payment = await store.startedPayment()
    store.stripe.pay(payment.external_id)
    const { number } = await store.orderOf(payment)
    expect(await findingOf('payments_agree')).toMatchObject({
      ok: true,
      detail: expect.stringContaining(`${payment.external_id} of order ${number} of `),
      cure: expect.stringContaining(`payments sweep --store ${store.tradepost.test.id}`),
    })
    await store.refresh(payment)
    expect(await findingOf('payments_agree')).toMatchObject({ ok: true, cure: null })
  })

  test('warns of a paid session whose payment a restored backup has lost', async () => {
    const payment = await store.startedPayment()
    store.stripe.pay(payment.external_id)
    const { sessions } = store.stripe.records
    const session = sessions.get(payment.external_id)
    sessions.set('cs_test_lost', { ...session, id: 'cs_test_lost' })
    await store.refresh(payment)
    expect((await findingOf('payments_agree')).detail).toContain('cs_test_lost of no order of ')
    sessions.delete('cs_test_lost')
  })

  test('warns of a payment of the last days that is paid here and not at the provider', async () => {
    const payment = await store.startedPayment()
    store.stripe.pay(payment.external_id)
    await store.refresh(payment)
    const session = store.stripe.records.sessions.get(payment.external_id)
    session.payment_status = 'unpaid'
    expect(await findingOf('payments_agree')).toMatchObject({
      ok: true,
      detail: expect.stringContaining(`does not have as paid: ${payment.external_id} of order `),
      cure: expect.stringContaining('another account'),
    })
    store.tradepost.forward(7 * DAY_MS)
    expect(await findingOf('payments_agree')).toMatchObject({ cure: null })
    session.payment_status = 'paid'
  })
})

test('holds_of_disputes warns of an order that is on hold 30 days after its dispute was decided', async () => {
  const { tradepost } = store
  const started = await startedOrder(tradepost)
  for (const action of ['pay', 'dispute', 'win'])
    await simulate(tradepost, started.payment, { do: action })
  // The seller holds it again, and forgets it.
  await tradepost.post(`/orders/${started.order.id}/hold`, { reason: 'dispute' }, asTest())
  expect(await findingOf('holds_of_disputes')).toMatchObject({ cure: null })
  const since = new Date(app().clock.now() - 31 * DAY_MS).toISOString()
  await sql`
    update "order" set hold = jsonb_set(hold, '{since}', to_jsonb(${since}::text))
     where id = ${started.order.id}`.execute(tradepost.db)
  expect(await findingOf('holds_of_disputes')).toMatchObject({
    ok: true,
    detail: expect.stringContaining(`number ${started.order.number} of`),
    cure: 'Release them in the dashboard, or refund them.',
  })
  await tradepost.post(`/orders/${started.order.id}/release`, undefined, asTest())
  expect(await findingOf('holds_of_disputes')).toMatchObject({ cure: null })
})
