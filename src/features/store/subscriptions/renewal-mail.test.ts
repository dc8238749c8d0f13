import { expect, test } from 'vitest'
import { expectSuccess, type Json } from '../../../../test/harness.ts'
import { openForEachTest, type StoreWithClock } from '../../../../test/store-with-clock.ts'
import { subscribe, subscriptionProduct } from '../../../../test/subscribe.ts'
import { DAY_MS, iso } from '../../../kernel/time.ts'

let store: StoreWithClock
openForEachTest((next) => {
  store = next
})

const createSubscription = async (billing: Json = {}, fields: Json = {}): Promise<Json> => {
  const { tradepost, as } = store
  const productId = await subscriptionProduct(tradepost, billing, { name: 'Club' }, as)
  return subscribe(tradepost, productId, { source: 'embed', ...fields }, as)
}

/** Returns the notices and the mail about unpaid renewals, the oldest first. */
async function renewalMails(): Promise<Json[]> {
  const path = '/account/outbox?template=renewal_notice,renewal_failed'
  const { messages } = await expectSuccess(store.tradepost.get(path, store.as))
  return messages.reverse()
}

const daysBefore = (moment: string, days: number) => iso(Date.parse(moment) - days * DAY_MS)

test('a customer gets a notice three days before a renewal, once, with its day and price', async () => {
  const { initial_invoice_id, current_period_end } = await createSubscription()
  await store.advanceTo(daysBefore(current_period_end, 3.01))
  expect(await renewalMails()).toEqual([])
  await store.advanceTo(daysBefore(current_period_end, 3))
  await store.advance('1d')
  const [mail, ...more] = await renewalMails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ template: 'renewal_notice', order_id: initial_invoice_id })
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
  expect(mail.text).toContain(
    `1 × Club: €10.00\nrenews on ${day.format(new Date(current_period_end))}`,
  )
})

test('the notice of a yearly renewal is 14 days before, and a daily or cancelled one has none', async () => {
  const yearly = await createSubscription({ billing_cycle: 'yearly' })
  const cancelled = await createSubscription({ billing_cycle: 'yearly' })
  await expectSuccess(
    store.tradepost.post(`/subscriptions/${cancelled.id}/cancel`, undefined, store.as),
  )
  await store.advanceTo(daysBefore(yearly.current_period_end, 14))
  expect((await renewalMails()).map(({ order_id }) => order_id)).toEqual([
    yearly.initial_invoice_id,
  ])
  await createSubscription({ billing_cycle: 'daily' })
  await store.advance('1h')
  expect(await renewalMails()).toHaveLength(1)
})

test('a customer who has to pay a renewal gets one mail, with the page of its order', async () => {
  const subscription = await createSubscription()
  await store.advanceTo(subscription.current_period_end)
  await store.advance('2d')
  const { payments } = await store.getSubscription(subscription.id)
  const mails = await renewalMails()
  expect(mails.map(({ template }) => template)).toEqual(['renewal_notice', 'renewal_failed'])
  expect(mails[1].order_id).toBe(payments[1].invoice_id)
  expect(mails[1].text).toContain('the payment of €10.00 is still open')
  expect(mails[1].text).toMatch(/View your order:\nhttp/)
})

test('a blocked customer gets no notice, because nothing is charged (decision 177)', async () => {
  const subscription = await createSubscription()
  const entry = { type: 'email', value: 'ada@example.com' }
  await expectSuccess(store.tradepost.post('/blocklist', entry, store.as))
  await store.advanceTo(subscription.current_period_end)
  expect(await renewalMails()).toEqual([])
})

test('subscriptions of an API key have no mail, and a renewal from the balance has no reminder', async () => {
  const silent = await createSubscription({}, { source: 'api' })
  await store.advanceTo(silent.current_period_end)
  expect(await renewalMails()).toEqual([])
  const paid = await createSubscription(
    { billing_cycle: 'weekly' },
    { payment_method: 'balance', mark_paid: true },
  )
  await store.setBalance('ada@example.com', 5_000)
  await store.advanceTo(paid.current_period_end)
  expect((await renewalMails()).map(({ template }) => template)).toEqual(['renewal_notice'])
})
