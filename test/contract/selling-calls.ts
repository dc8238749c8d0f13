import { sql } from 'kysely'
import { coupon, order, product } from '../build.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'
import { subscribe, subscriptionProduct } from '../subscribe.ts'
import type { Prepare } from './call-input.ts'
import { createServiceProduct } from './catalogue-calls.ts'

// Prepared calls of categories, groups, coupons, fulfillments, subscriptions and bundles.

/** Categories and groups have the same calls. */
export function groupingCalls(plural: string): [string, Prepare][] {
  const prepareGrouping: Prepare = async (tradepost, options) => ({
    params: { id: await createGrouping(tradepost, plural, options) },
  })
  return [
    [
      `${plural}.list`,
      async (tradepost, options) => {
        await createGrouping(tradepost, plural, options)
        return {}
      },
    ],
    [
      `${plural}.create`,
      async (tradepost, options) => {
        await deleteEmptyGroupings(tradepost, plural, options)
        return { body: { name: 'Games' } }
      },
    ],
    [
      `${plural}.reorder`,
      async (tradepost, options) => {
        await createGrouping(tradepost, plural, options)
        await tradepost.post(`/${plural}`, { name: 'Music' }, options)
        const { json } = await tradepost.get(`/${plural}?limit=100`, options)
        return { body: { ids: json[plural].map((item: Json) => item.id).reverse() } }
      },
    ],
    [`${plural}.get`, prepareGrouping],
    [
      `${plural}.update`,
      async (tradepost, options) => ({
        ...(await prepareGrouping(tradepost, options)),
        body: { name: 'New' },
      }),
    ],
    [
      `${plural}.put_products`,
      async (tradepost, options) => ({
        ...(await prepareGrouping(tradepost, options)),
        body: { product_ids: [(await createServiceProduct(tradepost, options)).id] },
      }),
    ],
    [`${plural}.delete`, prepareGrouping],
  ]
}

export const couponCalls: Record<string, Prepare> = {
  'coupons.list': async (tradepost, options) => {
    await coupon(tradepost, {}, options)
    return {}
  },
  'coupons.create': async () => ({ body: { type: 'percentage', discount_percent: 15 } }),
  'coupons.validate': async (tradepost, options) => {
    const { code } = await coupon(tradepost, {}, options)
    const { id } = await createServiceProduct(tradepost, options)
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

/** Creates a paid order of a mug that is not shipped yet. */
async function createMugOrder(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const fields = {
    name: 'Mug',
    type: 'physical',
    variants: [{ name: 'Red', stock_mode: 'unlimited' }],
  }
  const { id } = await product(tradepost, fields, options)
  return order(tradepost, id, { mark_paid: true }, options)
}

export async function prepareParcel(
  tradepost: Tradepost,
  options: CallOptions,
): Promise<{ params: { id: number } }> {
  const { id } = await createMugOrder(tradepost, options)
  const body = { shipment_status: 'label_printed' }
  const { json } = await tradepost.post(`/orders/${id}/fulfillments`, body, options)
  return { params: { id: json.fulfillment.id } }
}

export const fulfillmentCalls: Record<string, Prepare> = {
  'fulfillments.list': async (tradepost, options) => {
    const { params } = await prepareParcel(tradepost, options)
    const { json } = await tradepost.get(`/fulfillments/${params.id}`, options)
    return { query: { order_id: json.fulfillment.order_id } }
  },
  'fulfillments.get': prepareParcel,
  'fulfillments.create': async (tradepost, options) => {
    const { id, items } = await createMugOrder(tradepost, options)
    return { params: { id }, body: { items: [{ order_item_id: items[0].id, quantity: 1 }] } }
  },
  'fulfillments.update': async (tradepost, options) => ({
    ...(await prepareParcel(tradepost, options)),
    body: { shipment_status: 'in_transit' },
  }),
  'fulfillments.cancel': prepareParcel,
}

async function createGrouping(
  tradepost: Tradepost,
  plural: string,
  options: CallOptions,
): Promise<number> {
  await deleteEmptyGroupings(tradepost, plural, options)
  const { status, json } = await tradepost.post(`/${plural}`, { name: 'Games' }, options)
  if (status !== 201) throw new Error(`No category or group: ${JSON.stringify(json)}`)
  return (json.category ?? json.group).id
}

/** A store has at most 500 categories and 500 groups, so those without products are deleted. */
async function deleteEmptyGroupings(
  tradepost: Tradepost,
  plural: string,
  { as = tradepost.live }: CallOptions,
) {
  const [table, memberTable, memberKey] =
    plural === 'groups'
      ? ['product_group', 'grouped_product', 'group_id']
      : ['category', 'product_category', 'category_id']
  await sql`
    delete from ${sql.table(table)} t using store s
     where s.id = t.store_id and s.hash = ${as.id}
       and not exists (select from ${sql.table(memberTable)} m
                        where m.store_id = t.store_id and m.${sql.ref(memberKey)} = t.id)`.execute(
    tradepost.db,
  )
}

/** Creates a paid subscription. */
async function prepareSubscription(
  tradepost: Tradepost,
  options: CallOptions,
): Promise<{ params: { id: number } }> {
  const { id } = await subscribe(
    tradepost,
    await subscriptionProduct(tradepost, {}, {}, options),
    {},
    options,
  )
  return { params: { id } }
}

const prepareSubscriptionProduct = async (tradepost: Tradepost, options: CallOptions) => ({
  params: { id: await subscriptionProduct(tradepost, {}, {}, options) },
})

async function prepareBundle(tradepost: Tradepost, options: CallOptions) {
  const bundle = await product(tradepost, { product_kind: 'bundle' }, options)
  const { variantId } = await product(tradepost, {}, options)
  const items = [{ variant_id: variantId, quantity: 2 }]
  await tradepost.put(`/products/${bundle.id}/bundle`, { items }, options)
  return { params: { id: bundle.id }, items }
}

export const subscriptionCalls: Record<string, Prepare> = {
  'subscriptions.list': async (tradepost, options) => {
    const { params } = await prepareSubscription(tradepost, options)
    const { json } = await tradepost.get(`/subscriptions/${params.id}`, options)
    return { query: { product_id: json.subscription.product.id } }
  },
  'subscriptions.get': prepareSubscription,
  'subscriptions.update': async (tradepost, options) => ({
    ...(await prepareSubscription(tradepost, options)),
    body: { auto_renew: false },
  }),
  'subscriptions.cancel': async (tradepost, options) => ({
    ...(await prepareSubscription(tradepost, options)),
    body: { at_period_end: true },
  }),
  'subscriptions.resume': async (tradepost, options) => {
    const { params } = await prepareSubscription(tradepost, options)
    await tradepost.post(`/subscriptions/${params.id}/cancel`, {}, options)
    return { params }
  },
  'auto_renewals.list': async (tradepost, options) => {
    await prepareSubscription(tradepost, options)
    return {}
  },
  'auto_renewals.get': prepareSubscription,
  'auto_renewals.cancel': prepareSubscription,
  'bundles.get': prepareBundle,
  'bundles.set': async (tradepost, options) => {
    const { params, items } = await prepareBundle(tradepost, options)
    return { params, body: { items: items.map((item) => ({ ...item, quantity: 3 })) } }
  },
  'billing.get': prepareSubscriptionProduct,
  'billing.set': async (tradepost, options) => ({
    ...(await prepareSubscriptionProduct(tradepost, options)),
    body: { billing_cycle: 'yearly', trial_days: 7 },
  }),
}
