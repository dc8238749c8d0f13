import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderOf, product } from '../../../../test/build.ts'
import {
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const service = (fields: Json = {}, options: CallOptions = {}) =>
  product(tradepost, { name: 'Lesson', type: 'service', ...fields }, options)
const off = (...methods: string[]) => methods.map((method) => ({ method, enabled: false }))

test('a product lists every known method, and enables those that are connected (decision 125)', async () => {
  const live = (await service()).product.methods
  expect(live).toEqual([
    { method: 'manual', enabled: true },
    { method: 'crypto', enabled: false },
    { method: 'card', enabled: false },
    { method: 'paypal', enabled: false },
    { method: 'balance', enabled: true },
  ])
  const onTest = (await service({}, { as: tradepost.test })).product.methods
  expect(onTest).toEqual([...live, { method: 'test', enabled: true }])
})

describe('an order that names a payment method', () => {
  const buy = (id: string, fields: Json, options: CallOptions = {}) =>
    tradepost.post('/orders', orderOf(id, fields), options)

  test.each(['crypto', 'card', 'paypal'])(
    'which is not connected is refused with those that are: %s (decision 125)',
    async (payment_method) => {
      const { id } = await service({ methods: [{ method: payment_method, enabled: true }] })
      await tradepost.events()
      const { status, json } = await buy(id, { payment_method })
      expect([status, json.code]).toEqual([422, 'VALIDATION_FAILED'])
      expect(json.details).toEqual({ field: 'payment_method', allowed: ['manual', 'balance'] })
      expect(json.error).toBe(
        `The payment method ${payment_method} is not connected to this store; use one of manual, balance, or leave this out.`,
      )
      expect(await tradepost.events()).toEqual([])
    },
  )

  test('which one of its products does not take is refused with what all take (decision 125)', async () => {
    const any = await service({}, { as: tradepost.test })
    const few = await service({ methods: off('balance', 'test') }, { as: tradepost.test })
    const items = [any, few].map(({ id }) => ({ product_id: id, quantity: 1 }))
    const sent = { items, payment_method: 'balance' }
    const { status, json } = await buy(any.id, sent, { as: tradepost.test })
    expect([status, json.details]).toEqual([422, { field: 'payment_method', allowed: ['manual'] }])
    expect(json.error).toContain('Lesson cannot be paid with balance')
    expect((await buy(any.id, { payment_method: 'test' }, { as: tradepost.test })).status).toBe(201)
    const none = await service({ methods: off('manual', 'balance') })
    const refused = await buy(none.id, { payment_method: 'manual' })
    expect(refused.json.details).toEqual({ field: 'payment_method', allowed: [] })
  })

  test('and is marked as paid is never refused for it, nor is a payment that the seller records (decision 125)', async () => {
    const { id } = await service({ methods: off('manual', 'balance') })
    const marked = await buy(id, { payment_method: 'card', mark_paid: true })
    expect([marked.status, marked.json.order?.status]).toEqual([201, 'paid'])
    const { json } = await buy(id, {})
    const paid = await tradepost.post(`/orders/${json.order.id}/manual-payments`)
    expect([paid.status, paid.json.order.status]).toEqual([201, 'paid'])
  })
})
