import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coupon, order, orderOf, product } from '../../../../test/build.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost
let service: string
let count = 0

beforeAll(async () => {
  tradepost = await openTradepost()
  service = (await product(tradepost, { type: 'service' })).id
})
afterAll(() => tradepost.close())

async function createCustomer(fields: Json = {}): Promise<Json> {
  const body = { email: `merged-${++count}@example.com`, ...fields }
  const { status, json } = await tradepost.post('/customers', body)
  expect(status, JSON.stringify(json)).toBe(201)
  return json.customer
}

const buy = ({ email }: Json, fields: Json = {}) =>
  order(tradepost, service, { customer: { email }, mark_paid: true, ...fields })
const credit = ({ id }: Json, amount_cents: number) =>
  tradepost.post(`/customers/${id}/balance`, { amount_cents, reason: `Entry of ${amount_cents}.` })
const getCustomer = async ({ id }: Json): Promise<Json> =>
  (await tradepost.get(`/customers/${id}`)).json.customer
const merge = (from: Json, into: unknown) => tradepost.post(`/customers/${from.id}/merge`, { into })

describe('POST /customers/{id}/merge', () => {
  test('moves orders, totals, balance and entries, deletes the merged customer, and emits no event', async () => {
    const from = await createCustomer()
    const into = await createCustomer()
    const first = await buy(from)
    await expectSuccess(credit(from, 300))
    tradepost.forward(MINUTE_MS)
    const last = await buy(into)
    await expectSuccess(credit(into, 50))
    await expectSuccess(credit(from, -100))
    await tradepost.events()

    const { status, json } = await merge(from, into.id)
    expect(status, JSON.stringify(json)).toBe(200)
    expect(json.customer).toMatchObject({
      id: into.id,
      email: into.email,
      balance_cents: 250,
      orders_count: 2,
      total_spent_cents: 2_000,
      first_order_at: first.paid_at,
      last_order_at: last.paid_at,
    })
    expect(await tradepost.events()).toEqual([])
    const { orders } = (await tradepost.get(`/customers/${into.id}/orders`)).json
    expect(orders.map(({ id }: Json) => id)).toEqual([last.id, first.id])
    expect(orders[1].customer).toMatchObject({ id: into.id, email: from.email })
    const { balance_entries } = (await tradepost.get(`/customers/${into.id}/balance-entries`)).json
    expect(
      balance_entries.map(({ amount_cents, balance_cents }: Json) => [amount_cents, balance_cents]),
    ).toEqual([
      [-100, 250],
      [50, 350],
      [300, 300],
    ])
    expect((await tradepost.get(`/customers/${from.id}`)).status).toBe(404)
    expect((await tradepost.get(`/customers?email=${from.email}`)).json.customers).toEqual([])
    await expectNoFindings(tradepost)
  })

  test('keeps the values of the remaining customer, and adds the missing ones', async () => {
    const from = await createCustomer({
      name: 'Old Name',
      country: 'FR',
      note: 'From.',
      tags: ['b', 'a'],
      marketing_opt_in: true,
      metadata: { a: 'from', b: 'from' },
    })
    const into = await createCustomer({
      country: 'DE',
      note: 'Into.',
      tags: ['a'],
      metadata: { a: 'into', c: 'into' },
    })
    const { json } = await merge(from, into.id)
    expect(json.customer).toMatchObject({
      name: 'Old Name',
      country: 'DE',
      note: 'Into.\nFrom.',
      tags: ['a', 'b'],
      marketing_opt_in: false,
      metadata: { a: 'into', b: 'from', c: 'into' },
    })
    const searchAnswer = await tradepost.get('/customers?search=old%20name')
    expect(searchAnswer.json.customers).toMatchObject([{ id: into.id }])
    await expectNoFindings(tradepost)
  })

  test('adds up the uses of a coupon', async () => {
    const from = await createCustomer()
    const into = await createCustomer()
    const { code } = await coupon(tradepost, { max_uses_per_customer: 1 })
    await buy(from, { coupon_code: code })
    await expectSuccess(merge(from, into.id))
    const body = orderOf(service, { customer: { email: into.email }, coupon_code: code })
    const { json } = await tradepost.post('/orders', body)
    expect(json.details.reason).toBe('max_uses_per_customer')
  })

  test('keeps a block, and leaves the address of the merged customer on the blocklist', async () => {
    const from = await createCustomer()
    const into = await createCustomer()
    await buy(from, { ip: '192.0.2.31' })
    await expectSuccess(tradepost.post(`/customers/${from.id}/block`, { block_ips: true }))
    expect((await merge(from, into.id)).json.customer.blocked).toBe(true)
    await expectNoFindings(tradepost)
    const unblocking = await tradepost.post(`/customers/${into.id}/unblock`)
    expect(unblocking.json.customer.blocked).toBe(false)
    const { blocklist_entries } = (await tradepost.get('/blocklist')).json
    expect(blocklist_entries.map(({ value }: Json) => value)).toEqual([from.email])
  })

  test('allows a new customer with the address of the merged one', async () => {
    const from = await createCustomer()
    const into = await createCustomer()
    await expectSuccess(merge(from, into.id))
    await tradepost.events()
    const { customer } = await buy(from)
    expect([from.id, into.id]).not.toContain(customer.id)
    expect(await tradepost.events()).toContain('customer.created')
  })

  test('can be repeated for a customer into whom another one was merged', async () => {
    const [first, second, third] = [
      await createCustomer(),
      await createCustomer(),
      await createCustomer(),
    ]
    await buy(first)
    await expectSuccess(merge(first, second.id))
    await expectSuccess(merge(second, third.id))
    expect(await getCustomer(third)).toMatchObject({ orders_count: 1, total_spent_cents: 1_000 })
    await expectNoFindings(tradepost)
  })

  test('refuses an unknown customer, the same customer, and an erased one', async () => {
    const from = await createCustomer({ name: 'Stays' })
    const { customer: foreignCustomer } = (
      await tradepost.post('/customers', { email: 'a@example.com' }, { as: tradepost.other })
    ).json
    const refusalOf = async (into: unknown) => {
      const { status, json } = await merge(from, into)
      return [status, json.details.field ?? json.code]
    }
    expect(await refusalOf(from.id)).toEqual([422, 'into'])
    expect(await refusalOf(9_999_999)).toEqual([422, 'into'])
    expect(await refusalOf(foreignCustomer.id)).toEqual([422, 'into'])
    expect(await refusalOf('7')).toEqual([422, 'into'])
    const erasedCustomer = await createCustomer()
    await expectSuccess(tradepost.post(`/customers/${erasedCustomer.id}/erase`))
    expect(await refusalOf(erasedCustomer.id)).toEqual([409, 'INVALID_STATE'])
    expect((await merge(erasedCustomer, from.id)).json.code).toBe('INVALID_STATE')
    expect((await merge({ id: 9_999_999 }, from.id)).status).toBe(404)
    expect(await getCustomer(from)).toMatchObject({ name: 'Stays' })
  })
})

/** Tables whose rows move with a merge, or are deleted with the merged customer. */
const MOVED = [
  'balance_entry',
  'blocklist_entry',
  'coupon_use',
  'customer_merge',
  'customer_search',
  'order',
  'payment_method',
  'subscription',
]

test('a merge covers every table that references a customer', async () => {
  const { rows } = await sql<{ table_name: string }>`
    select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'customer_id'
     order by table_name`.execute(tradepost.db)
  const hint = 'Add its move to MOVES in merge-customers.ts, and its name to MOVED here.'
  expect(
    rows.map((row) => row.table_name),
    hint,
  ).toEqual(MOVED)
})
