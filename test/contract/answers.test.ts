import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { keysNamed, order, orderOf, product, zone } from '../build.ts'
import type { Json, Tradepost } from '../harness.ts'
import { walk } from '../walks.ts'
import { faultsOfEnvelope, openUnlimited, prepare, send, TEST_SIDE_ONLY } from './prepared-calls.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openUnlimited()
})
afterAll(() => tradepost.close())

/** Returns the shape with every object strict, so that an extra field fails. */
function strictShape(shape: Json): z.ZodType {
  const { def } = shape._zod
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, value]) => [name, strictShape(value)])
      return z.strictObject(Object.fromEntries(fields))
    }
    case 'array':
      return z.array(strictShape(def.element))
    case 'nullable':
      return strictShape(def.innerType).nullable()
    case 'optional':
      return strictShape(def.innerType).optional()
    default:
      return shape
  }
}

/** The names of fields with a calendar day, which has no time. */
const DAYS = /^(from|to|date)$/

/**
 * Returns the paths in an answer with an empty text instead of null, a time that is not ISO 8601 with
 * milliseconds, or an amount that is not a safe integer.
 */
function formatFaults(value: unknown, path = ''): string[] {
  if (value === '') return [`${path} is ""`]
  if (typeof value === 'string') {
    const name = path.replace(/.*\./, '')
    const isTime =
      !DAYS.test(name) && (/(_at|_until|^at)$/.test(name) || /^\d{4}-\d\d-\d\d/.test(value))
    const isWellFormed = !isTime || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
    return isWellFormed ? [] : [`${path} is ${value}`]
  }
  if (typeof value === 'number') {
    const isWellFormed = path.endsWith('_cents')
      ? Number.isSafeInteger(value)
      : Number.isFinite(value)
    return isWellFormed ? [] : [`${path} is ${value}`]
  }
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, field]) => formatFaults(field, `${path}.${name}`))
}

describe.each(['live', 'test'] as const)('on the %s side', (side) => {
  const endpoints = storeEndpoints.filter(({ id }) => side === 'test' || !TEST_SIDE_ONLY.has(id))
  // Every operation once, also in a short walk: an answer without a declared field is the most frequent fault.
  const walked = side === 'test' ? endpoints : walk(endpoints)
  test.each(walked)('$id answers with exactly the declared fields', async (endpoint) => {
    const as = tradepost[side]
    const answer = await send(tradepost, endpoint, await prepare(tradepost, endpoint, { as }), {
      as,
    })
    expect(answer.status, answer.text).toBe(endpoint.status ?? 200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(faultsOfEnvelope(answer)).toEqual([])
    const { success: _, ...fields } = answer.json
    const parsed = strictShape(endpoint.response).safeParse(fields)
    expect(parsed.error?.issues ?? []).toEqual([])
    expect(formatFaults(answer.json)).toEqual([])
  })
})

/** The fields of the shapes in docs/specification.md, in the same sequence. */
const SPECIFIED: Record<string, string> = {
  product:
    'id object hash_id legacy_id name slug type product_kind status active visibility price_cents discount_percent currency accepts_coupons min_qty max_qty sell_limit requires_shipping sku delivery_note best_seller metadata stock_alert_threshold sales_count categories created_at updated_at',
  details: 'short_description description_html youtube_url delivered_message highlights',
  seo: 'meta_title meta_description og_title og_description og_image_url',
  method: 'method enabled',
  media: 'id kind url position is_main meta created_at',
  variant:
    'id object product_id name slug delivery_type price_cents discount_percent compare_at_cents is_default active sort_order image_url stock_mode stock_quantity sku barcode weight_grams track_inventory allow_backorder low_stock_threshold option_values created_at updated_at',
  shipping_zone: 'id name countries regions active position rates',
  shipping_rate:
    'id name description carrier_code calc_type price_cents tiers volumetric_divisor free_over_cents min_days max_days active',
  tier: 'min max price_cents',
  pagination: 'total limit offset has_more',
  webhook_delivery:
    'id object status attempts next_attempt_at last_status_code last_error last_duration_ms event webhook created_at updated_at',
  'webhook_delivery.event': 'id type test object_id',
  'webhook_delivery.webhook': 'id url description deleted',
  attempt: 'attempt status_code response_body error duration_ms manual created_at',
  event: 'id object type created livemode store data',
  error: 'success code error request_id',
}

const fieldsOf = (name: string) => (SPECIFIED[name] ?? '').split(' ')
const keysOf = (record: Json) => Object.keys(record)

describe('the closed shapes of the specification', () => {
  test('a product, its sections and its variants have the fields of the specification and no others', async () => {
    const { json } = await tradepost.post('/products', { name: 'Table', price_cents: 1 })
    const sections = ['product', 'details', 'seo', 'methods', 'media', 'variants']
    expect(keysOf(json)).toEqual(['success', ...sections])
    const copy = await tradepost.post(`/products/${json.product.id}/duplicate`)
    expect(keysOf(copy.json)).toEqual(keysOf(json))
    expect(keysOf(json.product)).toEqual(fieldsOf('product'))
    expect(keysOf(json.details)).toEqual(fieldsOf('details'))
    expect(keysOf(json.seo)).toEqual(fieldsOf('seo'))
    expect(keysOf(json.methods[0])).toEqual(fieldsOf('method'))
    expect(keysOf(json.variants[0])).toEqual(fieldsOf('variant'))
    expect(json.product).toMatchObject({
      object: 'product',
      hash_id: json.product.id,
      legacy_id: expect.any(Number),
    })
    expect(json.product.id).toMatch(/^[0-9A-Za-z]{12}$/)
    expect(json.variants[0]).toMatchObject({ object: 'variant', product_id: json.product.id })
  })

  test('the texts and numbers that a new product omits are null, and its omitted collections are empty', async () => {
    const { json } = await tradepost.post('/products', { name: 'Bare', price_cents: 1 })
    expect(json.product).toMatchObject({
      max_qty: null,
      sell_limit: null,
      sku: null,
      delivery_note: null,
      stock_alert_threshold: null,
      metadata: {},
      categories: [],
    })
    expect(json.details).toEqual({
      short_description: null,
      description_html: null,
      youtube_url: null,
      delivered_message: null,
      highlights: {},
    })
    expect(new Set(Object.values(json.seo))).toEqual(new Set([null]))
    expect(json.variants[0]).toMatchObject({
      compare_at_cents: null,
      image_url: null,
      sku: null,
      barcode: null,
      weight_grams: null,
      low_stock_threshold: null,
      option_values: [],
    })
  })

  test('a picture has the fields of the specification', async () => {
    const { id } = await product(tradepost)
    await tradepost.db
      .insertInto('product_media')
      .columns(['store_id', 'product_id', 'kind', 'url', 'position', 'is_main', 'created_at'])
      .expression((from) =>
        from
          .selectFrom('product')
          .where('hash_id', '=', id)
          .select((row) => [
            'store_id',
            'id',
            row.val('image').as('kind'),
            row.val('https://cdn.example.org/a.png').as('url'),
            row.lit(0).as('position'),
            row.lit(true).as('is_main'),
            'created_at',
          ]),
      )
      .execute()
    const { json } = await tradepost.get(`/products/${id}`)
    expect(keysOf(json.media[0])).toEqual(fieldsOf('media'))
    expect(formatFaults(json)).toEqual([])
  })

  test('a shipping zone, its rates and their tiers have the fields of the specification and no others', async () => {
    const tiers = [{ min: 0, max: null, price_cents: 1 }]
    const newZone = await zone(tradepost, { rates: [{ name: 'Post', calc_type: 'weight', tiers }] })
    const { json } = await tradepost.get(`/shipping/zones/${newZone.id}`)
    expect(keysOf(json)).toEqual(['success', 'zone'])
    expect(keysOf(json.zone)).toEqual(fieldsOf('shipping_zone'))
    expect(keysOf(json.zone.rates[0])).toEqual(fieldsOf('shipping_rate'))
    expect(keysOf(json.zone.rates[0].tiers[0])).toEqual(fieldsOf('tier'))
  })

  test('a page has the fields of the specification', async () => {
    const { json } = await tradepost.get('/products?limit=1')
    expect(keysOf(json.pagination)).toEqual(fieldsOf('pagination'))
    expect(json.pagination).toMatchObject({ limit: 1, offset: 0, has_more: true })
  })

  test('a listed webhook delivery has the fields of the specification without its payload and attempts', async () => {
    const endpoint = storeEndpoints.find(({ id }) => id === 'events.deliveries')
    if (!endpoint) throw new Error('No log of deliveries.')
    const { json } = await send(tradepost, endpoint, await prepare(tradepost, endpoint))
    const [delivery] = json.deliveries
    expect(keysOf(delivery)).toEqual([...fieldsOf('webhook_delivery'), 'payload_redacted'])
    expect(keysOf(delivery.event)).toEqual(fieldsOf('webhook_delivery.event'))
    expect(keysOf(delivery.webhook)).toEqual(fieldsOf('webhook_delivery.webhook'))
    expect(delivery).toMatchObject({ object: 'webhook_delivery', status: 'pending', attempts: 0 })
    expect(delivery.event.id).toMatch(/^evt_[0-9A-Za-z]{22}$/)
  })

  test('a resend answers with its result and the webhook delivery with its payload and attempts', async () => {
    const endpoint = storeEndpoints.find(({ id }) => id === 'events.resend')
    if (!endpoint) throw new Error('No resend.')
    const input = await prepare(tradepost, endpoint)
    const { json } = await send(tradepost, endpoint, input)
    expect(keysOf(json)).toEqual(['success', 'result', 'delivery'])
    expect(keysOf(json.result)).toEqual(['ok', 'status_code', 'error', 'duration_ms'])
    const detailFields = ['payload', 'payload_redacted', 'attempt_history']
    expect(keysOf(json.delivery)).toEqual([...fieldsOf('webhook_delivery'), ...detailFields])
    expect(keysOf(json.delivery.attempt_history[0])).toEqual(fieldsOf('attempt'))
    expect(json.delivery.attempt_history).toMatchObject([{ attempt: 1, manual: true }])
    expect(keysOf(json.delivery.payload)).toEqual(fieldsOf('event'))
    const { json: storedAnswer } = await tradepost.get(`/events/deliveries/${input.params?.id}`)
    expect(storedAnswer.delivery).toEqual(json.delivery)
  })

  test('a refusal has the fields of the specification, and details only if the code has details', async () => {
    const withoutDetails = await tradepost.get('/products/AAAAAAAAAAAA')
    expect(keysOf(withoutDetails.json)).toEqual(fieldsOf('error'))
    const withDetails = await tradepost.post('/products', { price_cents: 1 })
    const envelopeFields = ['success', 'code', 'error', 'details', 'request_id']
    expect(keysOf(withDetails.json)).toEqual(envelopeFields)
    expect(withDetails.json).toMatchObject({
      success: false,
      code: 'VALIDATION_FAILED',
      details: { field: 'name' },
    })
  })

  test('a paid and delivered order has exactly the declared fields', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('ANSWER-ABCD', 2) })
    const paidOrder = await order(tradepost, game.id, {
      shipping_address: { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' },
      custom_fields: { nick: 'ada' },
      ip: '2001:db8::1',
    })
    const path = `/orders/${paidOrder.id}/manual-payments`
    expect((await tradepost.post(path, { reference: '4711' })).status).toBe(201)
    for (const id of ['orders.get', 'orders.list']) {
      const endpoint = storeEndpoints.find((item) => item.id === id)
      if (!endpoint) throw new Error(`No ${id}.`)
      const { json } = await send(tradepost, endpoint, { params: { id: paidOrder.id } })
      const { success: _, ...fields } = json
      expect(strictShape(endpoint.response).safeParse(fields).error?.issues ?? []).toEqual([])
      expect(formatFaults(json)).toEqual([])
    }
  })

  test('an order of more units than are available is refused with the available number', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('GONE-ABCDE', 1) })
    const { status, json } = await tradepost.post(
      '/orders',
      orderOf(game.id, { items: [{ product_id: game.id, quantity: 2 }] }),
    )
    expect(status).toBe(409)
    expect(json).toMatchObject({
      code: 'OUT_OF_STOCK',
      details: { product_id: game.id, variant_id: game.variantId, available: 1 },
    })
  })
})
