import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coupon, order, orderOf, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import { diagnose } from '../../installation/doctor/index.ts'

let tradepost: Tradepost
let service: string
let count = 0

beforeAll(async () => {
  tradepost = await openTradepost()
  service = (await product(tradepost, { type: 'service' })).id
})
afterAll(() => tradepost.close())

async function create(fields: Json = {}): Promise<Json> {
  const body = { email: `merged-${++count}@example.com`, ...fields }
  const { status, json } = await tradepost.post('/customers', body)
  expect(status, JSON.stringify(json)).toBe(201)
  return json.customer
}

const buy = ({ email }: Json, fields: Json = {}) =>
  order(tradepost, service, { customer: { email }, mark_paid: true, ...fields })
const credit = ({ id }: Json, amount_cents: number) =>
  tradepost.post(`/customers/${id}/balance`, { amount_cents, reason: `Entry of ${amount_cents}.` })
const get = async ({ id }: Json): Promise<Json> =>
  (await tradepost.get(`/customers/${id}`)).json.customer
const merge = (from: Json, into: unknown) => tradepost.post(`/customers/${from.id}/merge`, { into })

async function expectSound() {
  const { findings } = await diagnose(tradepost.app)
  expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
}

describe('POST /customers/{id}/merge', () => {
  test('moves orders, totals, balance and entries, deletes the merged one, and sends no event', async () => {
    const from = await create()
    const into = await create()
    const first = await buy(from)
    await credit(from, 300)
    tradepost.forward(MINUTE_MS)
    const last = await buy(into)
    await credit(into, 50)
    await credit(from, -100)
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
    await expectSound()
  })

  test('keeps the values of the remaining customer, and adds the missing ones', async () => {
    const from = await create({
      name: 'Old Name',
      country: 'FR',
      note: 'From.',
      tags: ['b', 'a'],
      marketing_opt_in: true,
      metadata: { a: 'from', b: 'from' },
    })
    const into = await create({
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
    const found = await tradepost.get('/customers?search=old%20name')
    expect(found.json.customers).toMatchObject([{ id: into.id }])
    await expectSound()
  })

  test('counts the uses of a coupon together', async () => {
    const from = await create()
    const into = await create()
    const { code } = await coupon(tradepost, { max_uses_per_customer: 1 })
    await buy(from, { coupon_code: code })
    await merge(from, into.id)
    const body = orderOf(service, { customer: { email: into.email }, coupon_code: code })
    const { json } = await tradepost.post('/orders', body)
    expect(json.details.reason).toBe('max_uses_per_customer')
  })

  test('keeps a block, and leaves the address of the merged customer on the blocklist', async () => {
    const from = await create()
    const into = await create()
    await buy(from, { ip: '192.0.2.31' })
    await tradepost.post(`/customers/${from.id}/block`, { block_ips: true })
    expect((await merge(from, into.id)).json.customer.blocked).toBe(true)
    await expectSound()
    const unblocked = await tradepost.post(`/customers/${into.id}/unblock`)
    expect(unblocked.json.customer.blocked).toBe(false)
    const { blocklist_entries } = (await tradepost.get('/blocklist')).json
    expect(blocklist_entries.map(({ value }: Json) => value)).toEqual([from.email])
  })

  test('an order with the address of the merged customer makes a new one', async () => {
    const from = await create()
    const into = await create()
    await merge(from, into.id)
    await tradepost.events()
    const { customer } = await buy(from)
    expect([from.id, into.id]).not.toContain(customer.id)
    expect(await tradepost.events()).toContain('customer.created')
  })

  test('works again for a customer that took another one', async () => {
    const [first, second, third] = [await create(), await create(), await create()]
    await buy(first)
    await merge(first, second.id)
    await merge(second, third.id)
    expect(await get(third)).toMatchObject({ orders_count: 1, total_spent_cents: 1_000 })
    await expectSound()
  })

  test('refuses an unknown customer, the same customer, and an erased one', async () => {
    const from = await create({ name: 'Stays' })
    const { customer: theirs } = (
      await tradepost.post('/customers', { email: 'a@example.com' }, { as: tradepost.other })
    ).json
    const refused = async (into: unknown) => {
      const { status, json } = await merge(from, into)
      return [status, json.details.field ?? json.code]
    }
    expect(await refused(from.id)).toEqual([422, 'into'])
    expect(await refused(9_999_999)).toEqual([422, 'into'])
    expect(await refused(theirs.id)).toEqual([422, 'into'])
    expect(await refused('7')).toEqual([422, 'into'])
    const erased = await create()
    await tradepost.post(`/customers/${erased.id}/erase`)
    expect(await refused(erased.id)).toEqual([409, 'INVALID_STATE'])
    expect((await merge(erased, from.id)).json.code).toBe('INVALID_STATE')
    expect((await merge({ id: 9_999_999 }, from.id)).status).toBe(404)
    expect(await get(from)).toMatchObject({ name: 'Stays' })
  })
})

/** Tables whose rows move with a merge, or go with the merged customer. */
const MOVED = [
  'balance_entry',
  'blocklist_entry',
  'coupon_use',
  'customer_merge',
  'customer_search',
  'order',
  'subscription',
]

test('a merge knows every table that names a customer', async () => {
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
