import { describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { formOf } from '../../../../test/form.ts'
import type { Answer, Json } from '../../../../test/harness.ts'
import { openForEachTest, type StoreWithClock } from '../../../../test/store-with-clock.ts'

let store: StoreWithClock

openForEachTest((opened) => {
  store = opened
})

const post = (path: string, body?: Json): Promise<Answer> =>
  store.tradepost.post(path, body, store.as)
const hold = (id: string, body: Json = {}) => post(`/orders/${id}/hold`, body)
const release = (id: string) => post(`/orders/${id}/release`)

async function sell(fields: Json, { keys = [] as string[], ...orderFields }: Json = {}) {
  const { id } = await product(store.tradepost, fields, { ...store.as, keys })
  const paid = await order(store.tradepost, id, { mark_paid: true, ...orderFields }, store.as)
  await store.tradepost.events()
  return { productId: id, order: paid }
}

const expectOnHold = ({ status, json }: Answer) => {
  expect([status, json.code, json.details?.status]).toEqual([409, 'INVALID_STATE', 'on_hold'])
}

describe('an order on hold', () => {
  test('says since when and why, and is released once', async () => {
    const { order: sold } = await sell({}, { keys: ['HOLD-000001'] })
    expect(sold.hold).toBeNull()
    const { status, json } = await hold(sold.id, { reason: 'dispute' })
    expect(status).toBe(200)
    expect(json.order.hold).toEqual({ reason: 'dispute', since: expect.any(String) })
    expect(json.order.status).toBe('completed')
    expectOnHold(await hold(sold.id))
    const released = await release(sold.id)
    expect(released.json.order).toEqual({ ...sold, updated_at: expect.any(String) })
    const again = await release(sold.id)
    expect([again.status, again.json.code]).toEqual([409, 'INVALID_STATE'])
    expect(await store.tradepost.events()).toEqual([])
    await store.expectNoFindings()
  })

  test('has the reason `manual` unless the call names another', async () => {
    const { order: sold } = await sell({}, { keys: ['HOLD-000001'] })
    expect((await hold(sold.id)).json.order.hold.reason).toBe('manual')
    const unknown = await hold(sold.id, { reason: 'mood' })
    expect([unknown.status, unknown.json.details.field]).toEqual([422, 'reason'])
  })

  test('has not ended', async () => {
    const { order: sold } = await sell({}, { keys: ['HOLD-000001'] })
    await post(`/orders/${sold.id}/refund`, {})
    const { status, json } = await hold(sold.id)
    expect([status, json.details.status]).toEqual([409, 'refunded'])
  })

  test('is no longer on hold once it is cancelled', async () => {
    const { id } = await product(store.tradepost, {}, { ...store.as, keys: ['HOLD-000001'] })
    const unpaid = await order(store.tradepost, id, {}, store.as)
    await hold(unpaid.id)
    const { json } = await post(`/orders/${unpaid.id}/cancel`)
    expect(json.order).toMatchObject({ status: 'cancelled', hold: null })
    expect((await release(unpaid.id)).status).toBe(409)
    await store.expectNoFindings()
  })

  test('is not delivered, resent, replaced or shipped', async () => {
    const service = await sell({ type: 'service' })
    await hold(service.order.id)
    const order_item_id = service.order.items[0].id
    const body = { order_item_id, text: 'Monday' }
    expectOnHold(await post(`/orders/${service.order.id}/deliveries`, body))
    const game = await sell({ name: 'Game' }, { keys: ['HOLD-000001', 'HOLD-000002'] })
    await hold(game.order.id)
    expectOnHold(await post(`/orders/${game.order.id}/deliveries/resend`, {}))
    const [delivery] = game.order.deliveries
    expectOnHold(await post(`/orders/${game.order.id}/deliveries/${delivery.id}/replace`))
    const variants = [{ name: 'Blue', price_cents: 500, stock_quantity: 1 }]
    const mug = await sell({ name: 'Mug', type: 'physical', variants })
    await hold(mug.order.id)
    expectOnHold(await post(`/orders/${mug.order.id}/fulfillments`, {}))
    await release(service.order.id)
    expect((await post(`/orders/${service.order.id}/deliveries`, body)).status).toBe(201)
  })

  test('that is paid is delivered when it is released', async () => {
    const { id } = await product(store.tradepost, {}, { ...store.as, keys: ['HOLD-000001'] })
    const unpaid = await order(store.tradepost, id, {}, store.as)
    await hold(unpaid.id)
    await store.tradepost.events()
    await store.pay(unpaid.id)
    expect(await store.getOrder(unpaid.id)).toMatchObject({
      status: 'paid',
      paid_cents: 1000,
      deliveries: [],
    })
    expect(await store.tradepost.events()).toEqual([])
    await store.expectNoFindings()
    const { json } = await release(unpaid.id)
    expect(json.order).toMatchObject({ status: 'completed', hold: null })
    expect(json.order.deliveries[0].keys).toEqual(['HOLD-000001'])
    expect(await store.tradepost.events()).toEqual(['order.completed'])
    await store.expectNoFindings()
  })

  test('has links to files that answer 409, and those of other orders work', async () => {
    const { id } = await product(store.tradepost, { type: 'file' }, store.as)
    const form = formOf([{ bytes: Buffer.from('the manual'), name: 'manual.txt' }])
    await store.tradepost.post(`/products/${id}/files`, undefined, { ...form, ...store.as })
    const held = await order(store.tradepost, id, { mark_paid: true }, store.as)
    const other = await order(store.tradepost, id, { mark_paid: true }, store.as)
    const linkOf = ({ deliveries }: Json) => new URL(deliveries[0].files[0].url).pathname
    const download = (record: Json) =>
      store.tradepost.server.inject({ method: 'GET', url: linkOf(record) })
    expect((await download(held)).body).toBe('the manual')
    await hold(held.id)
    const refused = await download(held)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'INVALID_STATE'])
    expect((await download(other)).statusCode).toBe(200)
    await release(held.id)
    expect((await download(held)).statusCode).toBe(200)
  })
})
