import { sql } from 'kysely'
import { coupon, order, product } from '../build.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'
import type { Prepare } from './ask.ts'
import { aProduct } from './catalogue-walks.ts'

// Walks of what orders and products are sold by.

/** Categories and groups have the same calls. */
export function shelfWalks(plural: string): [string, Prepare][] {
  const params: Prepare = async (shop, options) => ({
    params: { id: await aShelf(shop, plural, options) },
  })
  return [
    [
      `${plural}.list`,
      async (shop, options) => {
        await aShelf(shop, plural, options)
        return {}
      },
    ],
    [
      `${plural}.create`,
      async (shop, options) => {
        await clearShelves(shop, plural, options)
        return { body: { name: 'Games' } }
      },
    ],
    [
      `${plural}.reorder`,
      async (shop, options) => {
        await aShelf(shop, plural, options)
        const { json } = await shop.get(`/${plural}?limit=100`, options)
        return { body: { ids: json[plural].map((one: Json) => one.id) } }
      },
    ],
    [`${plural}.get`, params],
    [
      `${plural}.update`,
      async (shop, options) => ({ ...(await params(shop, options)), body: { name: 'New' } }),
    ],
    [
      `${plural}.put_products`,
      async (shop, options) => ({
        ...(await params(shop, options)),
        body: { product_ids: [(await aProduct(shop, options)).id] },
      }),
    ],
    [`${plural}.delete`, params],
  ]
}

export const couponWalks: Record<string, Prepare> = {
  'coupons.list': async (shop, options) => {
    await coupon(shop, {}, options)
    return {}
  },
  'coupons.create': async () => ({ body: { type: 'percentage', discount_percent: 15 } }),
  'coupons.validate': async (shop, options) => {
    const { code } = await coupon(shop, {}, options)
    const { id } = await aProduct(shop, options)
    return { body: { code, items: [{ product_id: id, quantity: 2 }] } }
  },
  'coupons.get': async (shop, options) => ({
    params: { id: (await coupon(shop, {}, options)).id },
  }),
  'coupons.update': async (shop, options) => ({
    params: { id: (await coupon(shop, {}, options)).id },
    body: { max_uses: 5 },
  }),
  'coupons.delete': async (shop, options) => ({
    params: { id: (await coupon(shop, {}, options)).id },
  }),
}

/** A paid order of a mug that waits to be shipped. */
async function aMug(shop: Tradepost, options: CallOptions): Promise<Json> {
  const fields = {
    name: 'Mug',
    type: 'physical',
    variants: [{ name: 'Red', stock_mode: 'unlimited' }],
  }
  const { id } = await product(shop, fields, options)
  return order(shop, id, { mark_paid: true }, options)
}

export async function aParcel(
  shop: Tradepost,
  options: CallOptions,
): Promise<{ params: { id: number } }> {
  const { id } = await aMug(shop, options)
  const body = { shipment_status: 'label_printed' }
  const { json } = await shop.post(`/orders/${id}/fulfillments`, body, options)
  return { params: { id: json.fulfillment.id } }
}

export const fulfillmentWalks: Record<string, Prepare> = {
  'fulfillments.list': async (shop, options) => {
    const { params } = await aParcel(shop, options)
    const { json } = await shop.get(`/fulfillments/${params.id}`, options)
    return { query: { order_id: json.fulfillment.order_id } }
  },
  'fulfillments.get': aParcel,
  'fulfillments.create': async (shop, options) => {
    const { id, items } = await aMug(shop, options)
    return { params: { id }, body: { items: [{ order_item_id: items[0].id, quantity: 1 }] } }
  },
  'fulfillments.update': async (shop, options) => ({
    ...(await aParcel(shop, options)),
    body: { shipment_status: 'in_transit' },
  }),
  'fulfillments.cancel': aParcel,
}

async function aShelf(shop: Tradepost, plural: string, options: CallOptions): Promise<number> {
  await clearShelves(shop, plural, options)
  const { status, json } = await shop.post(`/${plural}`, { name: 'Shelf' }, options)
  if (status !== 201) throw new Error(`No shelf: ${JSON.stringify(json)}`)
  return (json.category ?? json.group).id
}

/** A store has at most 500 of a kind: those of earlier walks, which hold no products, make room. */
async function clearShelves(shop: Tradepost, plural: string, { as = shop.live }: CallOptions) {
  const [table, members, key] =
    plural === 'groups'
      ? ['product_group', 'grouped_product', 'group_id']
      : ['category', 'product_category', 'category_id']
  await sql`
    delete from ${sql.table(table)} t using store s
     where s.id = t.store_id and s.hash = ${as.id}
       and not exists (select from ${sql.table(members)} m
                        where m.store_id = t.store_id and m.${sql.ref(key)} = t.id)`.execute(
    shop.db,
  )
}
