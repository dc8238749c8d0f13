import { DAY_MS } from '../../kernel/time.ts'
import { CATEGORIES, COUPONS, GOODS, type Good, ZONES } from './catalogue.ts'
import { PARTNERS } from './people.ts'
import { drawPng } from './picture.ts'
import { goodOf, type Shop, type VariantRef } from './shop.ts'

/** Plans everything that the seller made before the first sale. */
export function planSetUp(shop: Shop): void {
  const categories = new Map<string, number>()
  for (const body of CATEGORIES) {
    shop.plan(shop.from, async () => {
      const { category } = await shop.call<{ category: { id: number } }>('categories.create', {
        body,
      })
      categories.set(body.slug, category.id)
    })
  }
  for (const good of GOODS) planGood(shop, good, categories)
  for (const body of ZONES) shop.plan(shop.from, () => addZone(shop, body))
  for (const body of COUPONS) shop.plan(shop.from, () => shop.call('coupons.create', { body }))
  shop.plan(shop.from, () => addLocation(shop))
  planAffiliates(shop)
}

function planGood(shop: Shop, good: Good, categories: ReadonlyMap<string, number>): void {
  shop.plan(shop.from, async () => {
    const category = categories.get(good.category)
    const body = { ...good.body, ...(category && { category_ids: [category] }) }
    const { product, variants } = await shop.call<{
      product: { id: string }
      variants: VariantRef[]
    }>('products.create', { body })
    const { key, demand } = good
    shop.goods.set(key, { id: product.id, key, type: good.body.type, demand, variants })
  })
  shop.plan(shop.from, () => {
    const file = { name: `${good.key}.png`, bytes: drawPng(good.picture) }
    return shop.call('media.create', { params: { id: goodOf(shop, good.key).id }, file })
  })
  if (good.body.type === 'file') shop.plan(shop.from, () => addFile(shop, good.key))
  for (const [at, count] of (good.keys ?? []).entries())
    shop.plan(shop.from, () => addKeys(shop, good.key, { at, count, series: 'A' }))
  const { billing, policy } = good
  if (billing) {
    shop.plan(shop.from, () =>
      shop.call('billing.set', { params: { id: goodOf(shop, good.key).id }, body: billing }),
    )
  }
  if (policy) {
    shop.plan(shop.from, async () => {
      for (const { id } of goodOf(shop, good.key).variants)
        await shop.call('license_policies.set', { params: { id }, body: policy })
    })
  }
}

function addFile(shop: Shop, key: string): Promise<unknown> {
  const content = `${key}: an example of a file that customers download.\n`
  const body = {
    name: `${key}.txt`,
    content_base64: Buffer.from(content.repeat(20)).toString('base64'),
    mime_type: 'text/plain',
  }
  return shop.call('files.create', { params: { id: goodOf(shop, key).id }, body })
}

/** Adds stock keys to the variant at this place. */
export async function addKeys(
  shop: Shop,
  key: string,
  { at, count, series }: { at: number; count: number; series: string },
): Promise<void> {
  const good = goodOf(shop, key)
  const variant = good.variants[at]
  if (!variant) throw new Error(`The good ${key} has no variant ${at}.`)
  const keys = Array.from({ length: count }, (_, no) => {
    const part = () => shop.random.whole(0x1000, 0xffff).toString(16).toUpperCase()
    return `DEMO-${series}${at}-${part()}-${part()}-${String(no).padStart(4, '0')}`
  })
  const params = { id: good.id, variant_id: variant.id }
  await shop.call('stock.add_keys', { params, body: { keys } })
}

async function addZone(shop: Shop, body: (typeof ZONES)[number]): Promise<void> {
  const { zone } = await shop.call<{ zone: { countries: string[]; rates: { id: number }[] } }>(
    'shipping.create_zone',
    { body },
  )
  const [rate] = zone.rates
  for (const country of zone.countries) if (rate) shop.rates.set(country, rate.id)
}

function addLocation(shop: Shop): Promise<unknown> {
  const body = { name: 'Depot', line1: '1 Sample Yard', city: 'Springfield', country: 'US' }
  return shop.call('shipping.create_location', { body: { ...body, is_default: true } })
}

/** The partners come a week after the shop. */
function planAffiliates(shop: Shop): void {
  const begin = shop.from + Math.min(7 * DAY_MS, (shop.until - shop.from) / 10)
  for (const { email, name, code } of PARTNERS) {
    shop.plan(begin, async () => {
      const { partner } = await shop.call<{ partner: { id: string } }>(
        'affiliates.invite_partner',
        { body: { email, name } },
      )
      const params = { id: partner.id }
      await shop.call('affiliates.create_link', { params, body: { code } })
      shop.partners.push({ id: partner.id, code })
    })
  }
  shop.plan(begin + DAY_MS, () => {
    const body = { email: 'new@glass-and-grain.example.org', name: 'Glass and Grain' }
    return shop.call('affiliates.apply', { body: { ...body, note: 'We write about film.' } })
  })
}
