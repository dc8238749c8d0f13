import { coupon } from '../build.ts'
import type { Json } from '../harness.ts'
import { aProduct, aShelf, clearShelves, type Prepare } from './records.ts'

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
