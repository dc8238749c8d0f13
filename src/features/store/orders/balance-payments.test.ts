import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, orderOf, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost
let service: string
let count = 0

beforeAll(async () => {
  tradepost = await openTradepost()
  service = (await product(tradepost, { type: 'service' })).id
})
afterAll(() => tradepost.close())

/** A customer with this balance. */
async function customerWith(amount_cents: number): Promise<Json> {
  const email = `payer-${++count}@example.com`
  const { customer } = (await tradepost.post('/customers', { email })).json
  const credit = { amount_cents, reason: 'A gift.' }
  if (amount_cents > 0) await tradepost.post(`/customers/${customer.id}/balance`, credit)
  return customer
}

const balanceOf = async ({ id }: Json): Promise<number> =>
  (await tradepost.get(`/customers/${id}`)).json.customer.balance_cents

const entriesOf = async ({ id }: Json): Promise<Json[]> =>
  (await tradepost.get(`/customers/${id}/balance-entries`)).json.balance_entries

/** An order of 1000. */
const orderBy = ({ email }: Json, fields: Json = {}) =>
  order(tradepost, service, { customer: { email }, ...fields })

const pay = (id: string, body: Json = {}) => tradepost.post(`/orders/${id}/balance-payments`, body)

describe('POST /customers/{id}/balance', () => {
  test('credits and debits with a reason, answers the new balance, and sends no event', async () => {
    const customer = await customerWith(0)
    await tradepost.events()
    const change = (amount_cents: number, reason: string) =>
      tradepost.post(`/customers/${customer.id}/balance`, { amount_cents, reason })
    const { status, json } = await change(500, 'A gift.')
    expect([status, json]).toEqual([
      201,
      {
        success: true,
        balance_cents: 500,
        balance_entry: {
          id: expect.any(Number),
          object: 'balance_entry',
          customer_id: customer.id,
          amount_cents: 500,
          balance_cents: 500,
          reason: 'A gift.',
          order_id: null,
          created_at: expect.any(String),
        },
      },
    ])
    expect((await change(-500, 'Paid out.')).json.balance_cents).toBe(0)
    expect((await entriesOf(customer)).map((entry) => entry.reason)).toEqual([
      'Paid out.',
      'A gift.',
    ])
    expect(await tradepost.events()).toEqual([])
  })

  test('refuses to go below 0, and changes nothing', async () => {
    const customer = await customerWith(300)
    const { status, json } = await tradepost.post(`/customers/${customer.id}/balance`, {
      amount_cents: -301,
      reason: 'Too much.',
    })
    expect([status, json.code, json.details]).toEqual([
      422,
      'VALIDATION_FAILED',
      { field: 'amount_cents', available: 300 },
    ])
    expect(await balanceOf(customer)).toBe(300)
    expect(await entriesOf(customer)).toHaveLength(1)
  })

  test.each<[string, Json, string]>([
    ['0', { amount_cents: 0, reason: 'x' }, 'amount_cents'],
    ['half a cent', { amount_cents: 0.5, reason: 'x' }, 'amount_cents'],
    ['more than can be counted', { amount_cents: 100_000_000_000, reason: 'x' }, 'amount_cents'],
    ['no reason', { amount_cents: 5 }, 'reason'],
    ['an empty reason', { amount_cents: 5, reason: '' }, 'reason'],
  ])('refuses %s', async (_, body, field) => {
    const { id } = await customerWith(0)
    const { status, json } = await tradepost.post(`/customers/${id}/balance`, body)
    expect([status, json.details.field]).toEqual([422, field])
  })
})

describe('an order with the payment method balance', () => {
  test('takes its whole total from the balance, and is paid at once', async () => {
    const customer = await customerWith(2_500)
    const made = await orderBy(customer, { payment_method: 'balance' })
    expect(made).toMatchObject({
      status: 'paid',
      payment_method: 'balance',
      paid_cents: 1_000,
      payments: [{ kind: 'balance', status: 'succeeded', amount_cents: 1_000, reviewed_at: null }],
    })
    expect(await balanceOf(customer)).toBe(1_500)
    expect((await entriesOf(customer))[0]).toMatchObject({
      amount_cents: -1_000,
      balance_cents: 1_500,
      reason: 'payment',
      order_id: made.id,
    })
  })

  test('is completed with its keys if nothing is missing', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('BALANCE-KEY', 2) })
    const customer = await customerWith(1_000)
    await tradepost.events()
    const fields = { customer: { email: customer.email }, payment_method: 'balance' }
    const made = await order(tradepost, game.id, fields)
    expect(made).toMatchObject({
      status: 'completed',
      deliveries: [{ keys: ['BALANCE-KEY-000001'] }],
    })
    expect(await tradepost.events()).toEqual(['order.created', 'order.completed'])
  })

  test('is refused if the balance is too low, and nothing is written', async () => {
    const customer = await customerWith(999)
    await tradepost.events()
    const body = orderOf(service, {
      customer: { email: customer.email },
      payment_method: 'balance',
    })
    const { status, json } = await tradepost.post('/orders', body)
    expect([status, json.details]).toEqual([422, { field: 'payment_method', available: 999 }])
    expect(json.error).toContain("The customer's balance is 999, and the order comes to 1000.")
    expect(await balanceOf(customer)).toBe(999)
    expect(await tradepost.events()).toEqual([])
    const { pagination } = (await tradepost.get(`/customers/${customer.id}/orders`)).json
    expect(pagination.total).toBe(0)
  })

  test('takes nothing if it is marked as paid, or costs nothing', async () => {
    const customer = await customerWith(100)
    const marked = await orderBy(customer, { payment_method: 'balance', mark_paid: true })
    expect(marked.payments).toMatchObject([{ kind: 'manual' }])
    const free = await product(tradepost, { type: 'service', price_cents: 0 })
    const fields = { customer: { email: customer.email }, payment_method: 'balance' }
    const gift = await order(tradepost, free.id, fields)
    expect(gift.payments).toMatchObject([{ kind: 'free' }])
    expect(await balanceOf(customer)).toBe(100)
  })
})

describe('POST /orders/{id}/balance-payments', () => {
  test('takes what there is by default, and the rest is paid otherwise', async () => {
    const customer = await customerWith(400)
    const { id } = await orderBy(customer)
    await tradepost.events()
    const { status, json } = await pay(id)
    expect(status).toBe(201)
    expect(json.payment).toMatchObject({
      object: 'payment',
      order_id: id,
      kind: 'balance',
      status: 'succeeded',
      amount_cents: 400,
      currency: 'EUR',
    })
    expect(json.order).toMatchObject({
      status: 'partially_paid',
      payment_method: 'balance',
      paid_cents: 400,
    })
    expect(await balanceOf(customer)).toBe(0)
    expect(await tradepost.events()).toEqual([])
    const rest = await tradepost.post(`/orders/${id}/manual-payments`)
    expect(rest.json.order).toMatchObject({ status: 'paid', paid_cents: 1_000 })
  })

  test('takes the owed amount by default, and pays the order', async () => {
    const customer = await customerWith(5_000)
    const { id } = await orderBy(customer)
    await tradepost.post(`/orders/${id}/manual-payments`, { amount_cents: 300 })
    const { json } = await pay(id)
    expect(json.payment.amount_cents).toBe(700)
    expect(json.order).toMatchObject({ status: 'paid', paid_cents: 1_000 })
    expect(await balanceOf(customer)).toBe(4_300)
  })

  test('takes the amount that is named', async () => {
    const customer = await customerWith(5_000)
    const { id } = await orderBy(customer)
    expect((await pay(id, { amount_cents: 1 })).json.order.paid_cents).toBe(1)
    expect(await balanceOf(customer)).toBe(4_999)
  })

  test.each<[string, number, Json, Json]>([
    ['more than is owed', 5_000, { amount_cents: 1_001 }, { owed: 1_000 }],
    ['more than there is', 300, { amount_cents: 301 }, { available: 300 }],
    ['an empty balance', 0, {}, { available: 0 }],
    ['an amount of 0', 300, { amount_cents: 0 }, {}],
  ])('refuses %s, and changes nothing', async (_, cents, body, details) => {
    const customer = await customerWith(cents)
    const { id } = await orderBy(customer)
    const { status, json } = await pay(id, body)
    expect([status, json.details]).toMatchObject([422, { field: 'amount_cents', ...details }])
    expect(await balanceOf(customer)).toBe(cents)
    expect((await tradepost.get(`/orders/${id}`)).json.order.payments).toEqual([])
  })

  test('refuses an order that takes no money', async () => {
    const customer = await customerWith(5_000)
    const paid = await orderBy(customer, { mark_paid: true })
    const cancelled = await orderBy(customer)
    await tradepost.post(`/orders/${cancelled.id}/cancel`)
    for (const { id } of [paid, cancelled]) {
      expect((await pay(id)).json.code).toBe('INVALID_STATE')
    }
    expect(await balanceOf(customer)).toBe(5_000)
  })

  test('keeps the order with its customer', async () => {
    const customer = await customerWith(400)
    const { id } = await orderBy(customer)
    await pay(id)
    const patch = { customer_email: 'somebody.else@example.com' }
    const { status, json } = await tradepost.patch(`/orders/${id}`, patch)
    expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
    expect(json.error).toContain('was paid from the balance')
  })
})

describe('a refund', () => {
  const refund = async (id: string, body: Json = {}) => {
    const { status, json } = await tradepost.post(`/orders/${id}/refund`, body)
    expect(status, JSON.stringify(json)).toBe(201)
  }
  /** An order of 1000, of which 400 came from the balance. */
  async function mixed() {
    const customer = await customerWith(400)
    const { id } = await orderBy(customer)
    await pay(id)
    await tradepost.post(`/orders/${id}/manual-payments`)
    return { customer, id }
  }

  test('puts back on the balance what came from it (decision 250)', async () => {
    const customer = await customerWith(1_000)
    const { id } = await orderBy(customer, { payment_method: 'balance' })
    await refund(id, { amount_cents: 300 })
    expect(await balanceOf(customer)).toBe(300)
    await refund(id)
    expect(await balanceOf(customer)).toBe(1_000)
    expect((await entriesOf(customer))[0]).toMatchObject({ reason: 'refund', amount_cents: 700 })
  })

  test('gives back first the amount that was paid by another method (decision 250)', async () => {
    const { customer, id } = await mixed()
    await refund(id, { amount_cents: 500 })
    expect(await balanceOf(customer)).toBe(0)
    await refund(id, { amount_cents: 200 })
    expect(await balanceOf(customer)).toBe(100)
    await refund(id)
    expect(await balanceOf(customer)).toBe(400)
  })

  test('goes where the seller says (decision 250)', async () => {
    const out = await mixed()
    await refund(out.id, { to_balance: false })
    expect(await balanceOf(out.customer)).toBe(0)
    const back = await mixed()
    await refund(back.id, { to_balance: true })
    expect(await balanceOf(back.customer)).toBe(1_000)
  })

  test('of a cancelled order puts its money back too (decision 250)', async () => {
    const customer = await customerWith(400)
    const { id } = await orderBy(customer)
    await pay(id)
    await tradepost.post(`/orders/${id}/cancel`)
    expect(await balanceOf(customer)).toBe(0)
    await tradepost.events()
    await refund(id)
    expect(await balanceOf(customer)).toBe(400)
    expect(await tradepost.events()).toEqual(['order.refunded'])
  })
})
