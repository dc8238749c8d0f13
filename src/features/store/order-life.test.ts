import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProgram, partner } from '../../../test/affiliates.ts'
import { coupon, keysNamed, product } from '../../../test/build.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { OWNERS, writtenTables } from '../../../test/written-tables.ts'
import { HOUR_MS } from '../../kernel/time.ts'
import { ORDER_LIFE } from './order-life.ts'
import { expireOrdersJob } from './payments/index.ts'

type Moment = keyof typeof ORDER_LIFE

/** The sequence in which records are locked (decision 400). The last two areas only insert. */
const LOCKED_IN_SEQUENCE = [
  ...['subscriptions', 'customers', 'stock', 'coupons', 'licensing', 'affiliates'],
  ...['analytics', 'wallet'],
]

/** The areas whose records each change writes: the order or its return, and the records about the call. */
const OF_EACH_CALL = ['audit', 'events', 'http', 'installation', 'orders', 'returns', 'webhooks']

const AREA_OF_FOLDER = /^features\/(?:store\/)?([a-z-]+)/
const areaOf = new Map([
  ...OWNERS.map(([table, folder]) => [table, AREA_OF_FOLDER.exec(folder)?.[1] ?? folder] as const),
  // Stock that comes back is noted for those who wait for it.
  ['stock_alert_due', 'stock'] as const,
])
const areasOf = (moment: Moment): string[] => Object.keys(ORDER_LIFE[moment])

let tradepost: Tradepost
/** The body of an order of a stock key and of a subscription with a license key, by a partner and with a coupon. */
let body: Json

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost)
  const { code: affiliate_code } = await partner(tradepost)
  const key = await product(tradepost, {}, { keys: keysNamed('LIFE', 20) })
  const license = await product(tradepost, { type: 'license', product_kind: 'subscription' })
  await expectSuccess(
    tradepost.put(`/products/${license.id}/billing`, { billing_cycle: 'monthly' }),
  )
  const { code: coupon_code } = await coupon(tradepost)
  const items = [key.id, license.id].map((product_id) => ({ product_id, quantity: 1 }))
  body = { items, affiliate_code, coupon_code }
})
afterAll(() => tradepost.close())

let buyers = 0

/** Creates an order of a new customer, with money on the balance if its number is given. */
async function create(fields: Json = {}, balance_cents = 0): Promise<Json> {
  const customer = { email: `life-${++buyers}@example.com` }
  if (balance_cents > 0) {
    const created = await expectSuccess(tradepost.post('/customers', customer))
    const path = `/customers/${created.customer.id}/balance`
    await expectSuccess(tradepost.post(path, { amount_cents: balance_cents, reason: 'Gift' }))
  }
  return (await expectSuccess(tradepost.post('/orders', { ...body, customer, ...fields }))).order
}

const post = (order: Json, action: string, fields: Json = {}) =>
  expectSuccess(tradepost.post(`/orders/${order.id}/${action}`, fields))
const pay = (order: Json, fields: Json = {}) => post(order, 'manual-payments', fields)

const createPaid = async (): Promise<Json> => (await pay(await create())).order

const written = new Set<string>()

/** Expects that the work writes only to the areas of these moments, besides the order and its events. */
async function expectMoments(moments: Moment[], work: () => Promise<unknown>): Promise<void> {
  const statements = await tradepost.statements(work)
  const areas = new Set(statements.flatMap(writtenTables).map((table) => areaOf.get(table)))
  const expectedAreas = new Set(moments.flatMap(areasOf))
  const columns = LOCKED_IN_SEQUENCE.filter((area) => areas.has(area))
  expect(columns.filter((area) => !expectedAreas.has(area))).toEqual([])
  const others = [...areas].filter((area) => !LOCKED_IN_SEQUENCE.includes(String(area)))
  expect(others.filter((area) => !OF_EACH_CALL.includes(String(area)))).toEqual([])
  for (const moment of moments) {
    for (const area of areasOf(moment)) if (areas.has(area)) written.add(`${moment} ${area}`)
  }
}

test('the columns of each moment stand in the sequence in which their records are locked', () => {
  for (const moment of Object.keys(ORDER_LIFE) as Moment[]) {
    const areas = areasOf(moment)
    expect(areas).toEqual(LOCKED_IN_SEQUENCE.filter((area) => areas.includes(area)))
  }
})

test('an order writes to other areas only what its table says, at each moment of its life', async () => {
  await expectMoments(['created'], () => create())
  const first = await create()
  const moved = { customer_email: 'life-moved@example.com' }
  await expectMoments(['moved'], () => expectSuccess(tradepost.patch(`/orders/${first.id}`, moved)))
  await expectMoments(['moneyAdded'], () => pay(first, { amount_cents: 1 }))
  const paid: Moment[] = ['moneyAdded', 'paid', 'completed']
  await expectMoments(paid, () => pay(first))
  await expectMoments(['held'], () => post(first, 'hold'))
  await expectMoments(['released'], () => post(first, 'release'))
  const { order } = await expectSuccess(tradepost.get(`/orders/${first.id}`))
  const serial = order.deliveries.find((item: Json) => item.type === 'serial')
  await expectMoments(['delivered'], () => post(first, `deliveries/${serial.id}/replace`))
  await expectMoments(['moneyReturned'], () => post(first, 'refund', { amount_cents: 1 }))
  await expectMoments(['moneyReturned', 'refunded'], () => post(first, 'refund'))
})

test('an order that is created paid writes what its table says', async () => {
  const moments: Moment[] = ['created', 'createdPaid', 'paid', 'completed']
  await expectMoments(moments, () => create({ mark_paid: true }))
  const customer = { email: 'life-balance@example.com' }
  const created = await expectSuccess(tradepost.post('/customers', customer))
  const credit = { amount_cents: 1_000_000, reason: 'Gift' }
  await expectSuccess(tradepost.post(`/customers/${created.customer.id}/balance`, credit))
  await expectMoments(moments, () => create({ customer, payment_method: 'balance' }))
})

test('an order that is paid late counts its coupon again', async () => {
  const late = await create()
  await expectMoments(['ended'], async () => {
    tradepost.forward(HOUR_MS)
    await expireOrdersJob.run(tradepost.app)
  })
  await expectMoments(['moneyAdded', 'paid', 'completed'], () => pay(late))
})

test('an unpaid order that is cancelled returns what it held', async () => {
  const partlyPaid = await create({}, 50)
  await expectMoments(['moneyAdded'], () => post(partlyPaid, 'balance-payments'))
  await expectMoments(['ended', 'moneyReturned'], () => post(partlyPaid, 'cancel'))
})

test('an order that ends on hold releases what it stopped', async () => {
  const held = await createPaid()
  await post(held, 'hold')
  const moments: Moment[] = ['moneyReturned', 'refunded', 'endedOnHold']
  await expectMoments(moments, () => post(held, 'refund', { restock: true }))
})

test('a line that waited for stock gets its license keys when it is delivered', async () => {
  const variants = [
    { name: 'Only', allow_backorder: true, stock_mode: 'manual', stock_quantity: 0 },
  ]
  const { id: product_id, variantId } = await product(tradepost, { type: 'license', variants })
  const items = [{ product_id, quantity: 1 }]
  const waiting = await create({ items, coupon_code: undefined, mark_paid: true })
  const stock = `/products/${product_id}/variants/${variantId}/stock`
  await expectSuccess(tradepost.patch(stock, { delta: 1 }))
  const line = { order_item_id: waiting.items[0].id }
  await expectMoments(['delivered', 'completed'], () => post(waiting, 'deliveries', line))
})

test('units that are refunded before they are delivered are released', async () => {
  const variants = [{ name: 'Only', allow_backorder: true }]
  const { id: product_id } = await product(tradepost, { variants })
  const items = [{ product_id, quantity: 2 }]
  const waiting = await create({ items, coupon_code: undefined, mark_paid: true })
  const line = { order_item_id: waiting.items[0].id, quantity: 1 }
  await expectMoments(['moneyReturned', 'unitsCancelled'], () =>
    post(waiting, 'refund', { items: [line] }),
  )
})

test('a return adds its units to stock when they are received, and then money goes back', async () => {
  const mug = await product(tradepost, { type: 'physical' })
  const stock = `/products/${mug.id}/variants/${mug.variantId}/stock`
  await expectSuccess(tradepost.patch(stock, { quantity: 5 }))
  const items = [{ product_id: mug.id, quantity: 1 }]
  const order = await create({ items, coupon_code: undefined, mark_paid: true })
  const line = { order_item_id: order.items[0].id, quantity: 1, reason: 'too_small' }
  const created = await tradepost.post('/returns', { order_id: order.id, items: [line] })
  const step = (name: string) =>
    expectSuccess(tradepost.post(`/returns/${created.json.return.id}/${name}`, {}))
  await step('approve')
  await expectMoments(['restocked'], () => step('receive'))
  await expectMoments(['moneyReturned', 'refunded'], () => step('refund'))
})

test('each entry of the table is written at its moment, and the use cases of orders call it through the table only', () => {
  const cells = (Object.keys(ORDER_LIFE) as Moment[]).flatMap((moment) =>
    areasOf(moment).map((area) => `${moment} ${area}`),
  )
  // `locked` locks records, and writes none.
  expect(cells.filter((cell) => !written.has(cell))).toEqual(['locked subscriptions'])

  const folder = fileURLToPath(new URL('orders/', import.meta.url))
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.ts$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const unused = Object.entries(ORDER_LIFE).flatMap(([moment, areas]) =>
    Object.entries(areas).flatMap(([area, entries]) =>
      Object.keys(entries)
        .map((entry) => `ORDER_LIFE.${moment}.${area}.${entry}(`)
        .filter((call) => !source.includes(call)),
    ),
  )
  expect(unused).toEqual([])
  const imported = [...source.matchAll(/import \{([^}]*)\} from '\.\.[^']*\/index\.ts'/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
  const functions = Object.values(ORDER_LIFE)
    .flatMap((areas) => Object.values(areas))
    .flatMap((entries) => Object.values(entries as Record<string, { name: string }>))
  expect(functions.filter(({ name }) => imported.includes(name))).toEqual([])
})
