import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../build.ts'
import { createSeller, type Seller } from '../client-security/seller.ts'
import type { Tradepost } from '../harness.ts'
import { openUnlimited } from './prepared-calls.ts'

// A refusal names the kind of the record, and its id or name.

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openUnlimited()
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

const ORDER = 'ord_0000000000000000000001'

describe('a 404, which names the kind of the record and the id as it was sent (decision 132),', () => {
  test.each([
    [`/orders/${ORDER}`, `The order ${ORDER} was not found.`],
    ['/orders/12', 'The order 12 was not found.'],
    [`/orders/${ORDER}/deliveries/7/keys`, `The order ${ORDER} was not found.`],
    // JSON escapes the control characters, and the command line replaces them.
    ['/orders/a%1b%5b2J%0ab', 'The order a\u001b[2J\nb was not found.'],
    ['/products/AAAAAAAAAAAA', 'The product AAAAAAAAAAAA was not found.'],
    ['/products/8000000000001', 'The product 8000000000001 was not found.'],
    ['/coupons/abc', 'The coupon abc was not found.'],
    ['/categories/99', 'The category 99 was not found.'],
    ['/webhooks/we_0000000000000000000001', 'The webhook we_0000000000000000000001 was not found.'],
    ['/webhooks/mine', 'The webhook mine was not found.'],
    ['/events/deliveries/5', 'The delivery 5 was not found.'],
    ['/shipping/zones/5', 'The zone 5 was not found.'],
    ['/fulfillments/5', 'The fulfillment 5 was not found.'],
    ['/reviews/5', 'The review 5 was not found.'],
    ['/questions/5', 'The question 5 was not found.'],
    ['/tickets/5', 'The ticket 5 was not found.'],
    ['/returns/5', 'The return 5 was not found.'],
    ['/customers/5/balance-entries', 'The customer 5 was not found.'],
    ['/customers/5/orders', 'The customer 5 was not found.'],
    ['/customers/5/export', 'The customer 5 was not found.'],
    ['/blocklist/5', 'The blocklist entry 5 was not found.'],
    ['/coupons/a%22%0Ab', 'The coupon a"\nb was not found.'],
  ])('of GET %s is: %s', async (path, error) => {
    const { status, json } = await tradepost.get(path)
    expect([status, json.code, json.error]).toEqual([404, 'NOT_FOUND', error])
  })

  test('is about the missing record if the path has several ids', async () => {
    const { id, variantId } = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, id)
    for (const [path, error] of [
      [`/products/${id}/variants/5`, 'The variant 5 was not found.'],
      [`/products/${id}/files/6`, 'The file 6 was not found.'],
      [`/products/${id}/stock-alerts/8`, 'The alert 8 was not found.'],
      [`/products/${id}/variants/${variantId}/keys/9`, 'The key 9 was not found.'],
    ] as const) {
      const method = path.includes('variants/5') ? 'GET' : 'DELETE'
      expect([path, (await tradepost.call(method, path)).json.error]).toEqual([path, error])
    }
    const approval = await tradepost.post(`/orders/${newOrder.id}/manual-payments/77/approve`)
    expect(approval.json.error).toBe('The payment 77 was not found.')
  })

  test('contains the first 100 characters of a longer id', async () => {
    const { json } = await tradepost.get(`/coupons/${'9'.repeat(101)}`)
    expect(json.error).toBe(`The coupon ${'9'.repeat(100)} was not found.`)
  })

  test('is the same in the stored answer of an idempotency key', async () => {
    const headers = { 'idempotency-key': 'missing-once' }
    const call = () => tradepost.post(`/orders/${ORDER}/cancel`, {}, { headers })
    const [first, second] = [await call(), await call()]
    expect(first.json.error).toBe(`The order ${ORDER} was not found.`)
    expect(second.text).toBe(first.text)
  })

  test.each([
    ['/keys/5', 'The key 5 was not found.'],
    ['/keys/abc', 'The key abc was not found.'],
    ['/apps/5', 'The app 5 was not found.'],
    ['/serverside-files/5', 'The serverside file 5 was not found.'],
    ['/serverside-files/5/content', 'The serverside file 5 was not found.'],
    ['/remote-settings/5', 'The remote setting 5 was not found.'],
    ['/license-policies/5', 'The license policy 5 was not found.'],
  ])('of GET %s of the Client Security API is: %s', async (path, error) => {
    const { status, json } = await seller.get(path)
    expect([status, json]).toEqual([404, { success: false, error }])
  })
})

describe('the refusal of an order for missing stock (decision 132)', () => {
  const sell = async (stockQuantity: number, quantity: number) => {
    const variants = [{ name: 'Deluxe' }]
    const keys = keysNamed(`LEFT-${stockQuantity}-${quantity}`, stockQuantity)
    const { id, variantId } = await product(tradepost, { name: 'Chess', variants }, { keys })
    const items = [{ product_id: id, quantity }]
    const customer = { email: 'ada@example.com' }
    const { status, json } = await tradepost.post('/orders', { items, customer })
    return { refusal: [status, json.code, json.error], details: json.details, id, variantId }
  }

  test('names the variant and the remaining units', async () => {
    const { refusal, details, id, variantId } = await sell(2, 3)
    const error = 'Only 2 left of Chess (Deluxe); order 2 or fewer.'
    expect(refusal).toEqual([409, 'OUT_OF_STOCK', error])
    expect(details).toEqual({ product_id: id, variant_id: variantId, available: 2 })
  })

  test('says that the variant is sold out if no unit remains, as does the refusal of a replacement', async () => {
    const { refusal } = await sell(0, 1)
    expect(refusal).toEqual([
      409,
      'OUT_OF_STOCK',
      'Sold out: 0 left of Chess (Deluxe). Add stock first.',
    ])
    const { id } = await product(tradepost, { name: 'Go' }, { keys: ['GO-AAAA-000001'] })
    const paidOrder = await order(tradepost, id, { mark_paid: true })
    const [line] = paidOrder.items
    const path = `/orders/${paidOrder.id}/deliveries/${paidOrder.deliveries[0].id}/replace`
    const { json } = await tradepost.post(path)
    expect(json.error).toBe(`Sold out: 0 left of Go (${line.variant_name}). Add 1 or more first.`)
  })
})
