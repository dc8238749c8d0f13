import { sql } from 'kysely'
import { coupon, order, product } from '../build.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'
import { plan, subscribe } from '../subscribe.ts'
import type { Prepare } from './ask.ts'
import { aProduct } from './catalogue-walks.ts'

// Walks of the endpoints around sales.

/** Categories and groups have the same calls. */
export function groupingWalks(plural: string): [string, Prepare][] {
  const params: Prepare = async (tradepost, options) => ({
    params: { id: await aGrouping(tradepost, plural, options) },
  })
  return [
    [
      `${plural}.list`,
      async (tradepost, options) => {
        await aGrouping(tradepost, plural, options)
        return {}
      },
    ],
    [
      `${plural}.create`,
      async (tradepost, options) => {
        await clearGroupings(tradepost, plural, options)
        return { body: { name: 'Games' } }
      },
    ],
    [
      `${plural}.reorder`,
      async (tradepost, options) => {
        await aGrouping(tradepost, plural, options)
        const { json } = await tradepost.get(`/${plural}?limit=100`, options)
        return { body: { ids: json[plural].map((item: Json) => item.id) } }
      },
    ],
    [`${plural}.get`, params],
    [
      `${plural}.update`,
      async (tradepost, options) => ({
        ...(await params(tradepost, options)),
        body: { name: 'New' },
      }),
    ],
    [
      `${plural}.put_products`,
      async (tradepost, options) => ({
        ...(await params(tradepost, options)),
        body: { product_ids: [(await aProduct(tradepost, options)).id] },
      }),
    ],
    [`${plural}.delete`, params],
  ]
}

export const couponWalks: Record<string, Prepare> = {
  'coupons.list': async (tradepost, options) => {
    await coupon(tradepost, {}, options)
    return {}
  },
  'coupons.create': async () => ({ body: { type: 'percentage', discount_percent: 15 } }),
  'coupons.validate': async (tradepost, options) => {
    const { code } = await coupon(tradepost, {}, options)
    const { id } = await aProduct(tradepost, options)
    return { body: { code, items: [{ product_id: id, quantity: 2 }] } }
  },
  'coupons.get': async (tradepost, options) => ({
    params: { id: (await coupon(tradepost, {}, options)).id },
  }),
  'coupons.update': async (tradepost, options) => ({
    params: { id: (await coupon(tradepost, {}, options)).id },
    body: { max_uses: 5 },
  }),
  'coupons.delete': async (tradepost, options) => ({
    params: { id: (await coupon(tradepost, {}, options)).id },
  }),
}

/** A paid order of a mug that is not shipped yet. */
async function aMug(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const fields = {
    name: 'Mug',
    type: 'physical',
    variants: [{ name: 'Red', stock_mode: 'unlimited' }],
  }
  const { id } = await product(tradepost, fields, options)
  return order(tradepost, id, { mark_paid: true }, options)
}

export async function aParcel(
  tradepost: Tradepost,
  options: CallOptions,
): Promise<{ params: { id: number } }> {
  const { id } = await aMug(tradepost, options)
  const body = { shipment_status: 'label_printed' }
  const { json } = await tradepost.post(`/orders/${id}/fulfillments`, body, options)
  return { params: { id: json.fulfillment.id } }
}

export const fulfillmentWalks: Record<string, Prepare> = {
  'fulfillments.list': async (tradepost, options) => {
    const { params } = await aParcel(tradepost, options)
    const { json } = await tradepost.get(`/fulfillments/${params.id}`, options)
    return { query: { order_id: json.fulfillment.order_id } }
  },
  'fulfillments.get': aParcel,
  'fulfillments.create': async (tradepost, options) => {
    const { id, items } = await aMug(tradepost, options)
    return { params: { id }, body: { items: [{ order_item_id: items[0].id, quantity: 1 }] } }
  },
  'fulfillments.update': async (tradepost, options) => ({
    ...(await aParcel(tradepost, options)),
    body: { shipment_status: 'in_transit' },
  }),
  'fulfillments.cancel': aParcel,
}

async function aGrouping(
  tradepost: Tradepost,
  plural: string,
  options: CallOptions,
): Promise<number> {
  await clearGroupings(tradepost, plural, options)
  const { status, json } = await tradepost.post(`/${plural}`, { name: 'Shelf' }, options)
  if (status !== 201) throw new Error(`No shelf: ${JSON.stringify(json)}`)
  return (json.category ?? json.group).id
}

/** A store has at most 500 of each kind, so empty ones of earlier walks are deleted. */
async function clearGroupings(
  tradepost: Tradepost,
  plural: string,
  { as = tradepost.live }: CallOptions,
) {
  const [table, members, key] =
    plural === 'groups'
      ? ['product_group', 'grouped_product', 'group_id']
      : ['category', 'product_category', 'category_id']
  await sql`
    delete from ${sql.table(table)} t using store s
     where s.id = t.store_id and s.hash = ${as.id}
       and not exists (select from ${sql.table(members)} m
                        where m.store_id = t.store_id and m.${sql.ref(key)} = t.id)`.execute(
    tradepost.db,
  )
}

/** A subscription that was paid. */
async function aSubscription(
  tradepost: Tradepost,
  options: CallOptions,
): Promise<{ params: { id: number } }> {
  const { id } = await subscribe(tradepost, await plan(tradepost, {}, {}, options), {}, options)
  return { params: { id } }
}

const aPlan = async (tradepost: Tradepost, options: CallOptions) => ({
  params: { id: await plan(tradepost, {}, {}, options) },
})

async function aBundle(tradepost: Tradepost, options: CallOptions) {
  const bundle = await product(tradepost, { product_kind: 'bundle' }, options)
  const { variantId } = await product(tradepost, {}, options)
  const items = [{ variant_id: variantId, quantity: 2 }]
  await tradepost.put(`/products/${bundle.id}/bundle`, { items }, options)
  return { params: { id: bundle.id }, items }
}

export const subscriptionWalks: Record<string, Prepare> = {
  'subscriptions.list': async (tradepost, options) => {
    const { params } = await aSubscription(tradepost, options)
    const { json } = await tradepost.get(`/subscriptions/${params.id}`, options)
    return { query: { product_id: json.subscription.product.id } }
  },
  'subscriptions.get': aSubscription,
  'subscriptions.update': async (tradepost, options) => ({
    ...(await aSubscription(tradepost, options)),
    body: { auto_renew: false },
  }),
  'subscriptions.cancel': async (tradepost, options) => ({
    ...(await aSubscription(tradepost, options)),
    body: { at_period_end: true },
  }),
  'subscriptions.resume': async (tradepost, options) => {
    const { params } = await aSubscription(tradepost, options)
    await tradepost.post(`/subscriptions/${params.id}/cancel`, {}, options)
    return { params }
  },
  'auto_renewals.list': async (tradepost, options) => {
    await aSubscription(tradepost, options)
    return {}
  },
  'auto_renewals.get': aSubscription,
  'auto_renewals.cancel': aSubscription,
  'bundles.get': aBundle,
  'bundles.set': async (tradepost, options) => {
    const { params, items } = await aBundle(tradepost, options)
    return { params, body: { items } }
  },
  'billing.get': aPlan,
  'billing.set': async (tradepost, options) => ({
    ...(await aPlan(tradepost, options)),
    body: { billing_cycle: 'yearly', trial_days: 7 },
  }),
}
