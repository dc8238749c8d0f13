import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKeys, coupon, keysNamed, order, product, zone } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

// An order that is created paid is inserted as paid. It must end as one that is paid by a second call.

let tradepost: Tradepost
/** The id of a shipping rate. */
let germany: number

beforeAll(async () => {
  tradepost = await openTradepost()
  germany = (await zone(tradepost)).rates[0].id
})
afterAll(() => tradepost.close())

/** Values that differ between two equal orders. */
const OWN = /^(id|code|.*_id|number|at|.*_at|.*_url|email|keys|key|text|bundle|client_app)$/
const withoutOwn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutOwn)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([name]) => !OWN.test(name))
  return Object.fromEntries(entries.map(([name, item]) => [name, withoutOwn(item)]))
}

const rowsOf = async (statement: ReturnType<typeof sql<Json>>): Promise<Json[]> =>
  (await statement.execute(tradepost.db)).rows

/** Returns all that a sale of a product left behind, without ids, times and texts of keys. */
async function traceOf({ id, customer }: Json): Promise<Json> {
  const { json } = await tradepost.get(`/orders/${id}`)
  const items = await rowsOf(sql`
    select variant_id, quantity, reserved, served from order_item where order_id = ${id} order by id`)
  const variantIds = items.map((item) => item.variant_id)
  const shown = { ...json.order, expires_at: json.order.expires_at === null }
  return {
    order: withoutOwn({ ...shown, isPaid: json.order.paid_at !== null }),
    isCompleted: json.order.completed_at !== null,
    keyCounts: json.order.deliveries.map((item: Json) => item.keys.length),
    items: items.map(({ variant_id, ...item }) => item),
    stock: await rowsOf(sql`
      select s.on_hand, s.reserved, s.sold, p.sold as product_sold, p.sellable
        from stock s join variant v on v.store_id = s.store_id and v.id = s.variant_id
        join product_stock p on p.store_id = v.store_id and p.product_id = v.product_id
       where s.variant_id = any(${[...new Set(variantIds)]}::bigint[]) order by s.variant_id`),
    soldKeys: await rowsOf(sql`select status from stock_key where order_id = ${id} order by id`),
    calls: await rowsOf(sql`
      select d.type from dynamic_call c join delivery d on d.store_id = c.store_id and d.id = c.delivery_id
       where d.order_id = ${id}`),
    licenses: await rowsOf(sql`
      select k.banned_at is null as is_valid, k.duration_seconds
        from license_key k join order_item i on i.store_id = k.store_id and i.id = k.order_item_id
       where i.order_id = ${id} order by k.id`),
    subscriptions: await rowsOf(sql`
      select status, payment_method, quantity, unit_price_cents, discount_cents, due_at is null as is_never_due
        from subscription where initial_invoice_id = ${id} order by id`),
    bills: await rowsOf(
      sql`select status, amount_cents from subscription_payment where order_id = ${id}`,
    ),
    couponUses: await rowsOf(
      sql`select live, discount_cents from coupon_use where order_id = ${id}`,
    ),
    balance: await rowsOf(
      sql`select amount_cents, balance_cents from balance_entry where order_id = ${id}`,
    ),
    customer: await rowsOf(sql`
      select orders_count, total_spent_cents, first_order_at is not null as has_first, last_order_at is not null as has_last
        from customer where id = ${customer.id}`),
    sales: await rowsOf(sql`
      select units, gross_cents, discount_cents, shipping_cents, payment_method, country,
             completed_of is not null as is_completed from sales_delta where order_id = ${id}`),
    search: await rowsOf(
      sql`select order_id = ${id} as is_found from order_search where order_id = ${id}`,
    ),
    events: (await rowsOf(sql`select type from event where object_id = ${id} order by no`)).map(
      ({ type }) => type,
    ),
  }
}

const KINDS: Record<string, () => Promise<Json>> = {
  'stock keys': async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('TWIN', 5) })
    return { items: [{ product_id: game.id, quantity: 2 }] }
  },
  'the last stock keys': async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('LAST', 2) })
    return { items: [{ product_id: game.id, quantity: 2 }] }
  },
  'a variant in two lines': async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('TWICE', 5) })
    return { items: [2, 1].map((quantity) => ({ product_id: game.id, quantity })) }
  },
  'a backorder': async () => {
    const variants = [{ name: 'A', allow_backorder: true }]
    const game = await product(tradepost, { variants }, { keys: keysNamed('BACK', 2) })
    return { items: [{ product_id: game.id, quantity: 3 }] }
  },
  'a backorder in two lines, of which the second could be served without the first': async () => {
    const variants = [{ name: 'A', allow_backorder: true }]
    const game = await product(tradepost, { variants }, { keys: keysNamed('BACKS', 2) })
    return { items: [3, 1].map((quantity) => ({ product_id: game.id, quantity })) }
  },
  'unlimited keys': async () => {
    const variants = [{ name: 'A', stock_mode: 'unlimited' }]
    const game = await product(tradepost, { variants }, { keys: keysNamed('FREE', 1) })
    return { items: [{ product_id: game.id, quantity: 1 }] }
  },
  'a service and keys with a coupon': async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('MIXED', 5) })
    const help = await product(tradepost, { type: 'service' })
    const { code } = await coupon(tradepost, { code: `TWIN${++buyerCount}` })
    return {
      items: [game, help].map(({ id }) => ({ product_id: id, quantity: 1 })),
      coupon_code: code,
    }
  },
  'a file that is not uploaded yet': async () => {
    const book = await product(tradepost, { type: 'file' })
    return { items: [{ product_id: book.id, quantity: 1 }] }
  },
  'license keys': async () => {
    const tool = await product(tradepost, { type: 'license' })
    return { items: [{ product_id: tool.id, quantity: 2 }] }
  },
  'a subscription to license keys': async () => {
    const tool = await product(tradepost, { product_kind: 'subscription', type: 'license' })
    const billing = { billing_cycle: 'monthly', trial_days: 0 }
    await expectSuccess(tradepost.put(`/products/${tool.id}/billing`, billing))
    return { items: [{ product_id: tool.id, quantity: 1 }] }
  },
  'physical goods': async () => {
    const variants = [{ name: 'A', stock_mode: 'manual', stock_quantity: 4 }]
    const box = await product(tradepost, { type: 'physical', variants })
    const shipping_address = {
      name: 'Ada',
      line1: '1 Road',
      postal_code: '10115',
      city: 'Berlin',
      country: 'DE',
    }
    return {
      items: [{ product_id: box.id, quantity: 3 }],
      shipping_address,
      shipping_rate_id: germany,
    }
  },
  'a bundle and one of its products': async () => {
    const call = await product(tradepost, {}, { keys: keysNamed('BUNDLE', 9) })
    const bundle = await product(tradepost, { product_kind: 'bundle', type: 'serial' })
    const items = [{ variant_id: call.variantId, quantity: 2 }]
    await expectSuccess(tradepost.put(`/products/${bundle.id}/bundle`, { items }))
    return { items: [bundle, call].map(({ id }) => ({ product_id: id, quantity: 1 })) }
  },
}

let buyerCount = 0

test.each(Object.keys(KINDS))(
  '%s: an order that is created paid ends as one that is paid by a second call',
  async (kind) => {
    const sell = async (fields: Json) => {
      const customer = { email: `twin-${++buyerCount}@example.com`, country: 'DE' }
      const body = { ...(await KINDS[kind]?.()), customer, ...fields }
      return order(tradepost, '', body)
    }
    const createdPaid = await sell({ mark_paid: true })
    const paidLater = await sell({})
    await expectSuccess(tradepost.post(`/orders/${paidLater.id}/manual-payments`, {}))
    expect(await traceOf(createdPaid)).toEqual(await traceOf(paidLater))
    // The answer of the call is the order as it is.
    expect(createdPaid).toEqual((await tradepost.get(`/orders/${createdPaid.id}`)).json.order)
  },
)

test('an order that is created paid emits what an order that is paid by a second call emits, and shows itself unpaid in order.created', async () => {
  const keys = keysNamed('EVENTS', 2)
  const bought = async (fields: Json) => {
    const game = await product(tradepost, {}, { keys: keys.map((key) => `${key}-${++buyerCount}`) })
    const customer = { email: `events-${++buyerCount}@example.com` }
    await tradepost.events()
    const { id } = await order(tradepost, game.id, {
      items: [{ product_id: game.id, quantity: 2 }],
      customer,
      ...fields,
    })
    if (!fields.mark_paid) await expectSuccess(tradepost.post(`/orders/${id}/manual-payments`, {}))
    return { id, types: await tradepost.events() }
  }
  const createdPaid = await bought({ mark_paid: true })
  expect(createdPaid.types).toEqual((await bought({})).types)
  const payloads = await tradepost.payloads('order.created')
  const payload = payloads.find(({ data }) => data.object.id === createdPaid.id)
  expect(payload?.data.object).toMatchObject({ status: 'pending', paid_amount: 0, paid_at: null })
})

test('an order that is created paid runs at most 12 statements', async () => {
  const game = await product(tradepost)
  await addKeys(tradepost, game, keysNamed('COUNT', 3))
  await order(tradepost, game.id, { mark_paid: true })
  const statements = await tradepost.statements(() =>
    order(tradepost, game.id, { mark_paid: true }),
  )
  expect(statements.length).toBeLessThanOrEqual(12)
})
