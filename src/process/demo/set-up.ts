import { DAY_MS } from '../../kernel/time.ts'
import { CATEGORIES, COUPONS, GOODS, type Good, ZONES } from './catalogue.ts'
import { PARTNERS } from './people.ts'
import { drawPng } from './picture.ts'
import { goodOf, type Trade, type VariantRef } from './trade.ts'

/** Plans everything that the seller made before the first sale. */
export function planSetUp(trade: Trade): void {
  const categories = new Map<string, number>()
  for (const body of CATEGORIES) {
    trade.plan(trade.from, async () => {
      const { category } = await trade.call<{ category: { id: number } }>('categories.create', {
        body,
      })
      categories.set(body.slug, category.id)
    })
  }
  for (const good of GOODS) planGood(trade, good, categories)
  for (const body of ZONES) trade.plan(trade.from, () => addZone(trade, body))
  for (const body of COUPONS) trade.plan(trade.from, () => trade.call('coupons.create', { body }))
  trade.plan(trade.from, () => addLocation(trade))
  planAffiliates(trade)
}

function planGood(trade: Trade, good: Good, categories: ReadonlyMap<string, number>): void {
  trade.plan(trade.from, async () => {
    const category = categories.get(good.category)
    const body = { ...good.body, ...(category && { category_ids: [category] }) }
    const { product, variants } = await trade.call<{
      product: { id: string }
      variants: VariantRef[]
    }>('products.create', { body })
    const { key, demand } = good
    trade.goods.set(key, { id: product.id, key, type: good.body.type, demand, variants })
  })
  trade.plan(trade.from, () => {
    const file = { name: `${good.key}.png`, bytes: drawPng(good.picture) }
    return trade.call('media.create', { params: { id: goodOf(trade, good.key).id }, file })
  })
  if (good.body.type === 'file') trade.plan(trade.from, () => addFile(trade, good.key))
  for (const [at, count] of (good.keys ?? []).entries())
    trade.plan(trade.from, () => addKeys(trade, good.key, { at, count, series: 'A' }))
  const { billing, policy } = good
  if (billing) {
    trade.plan(trade.from, () =>
      trade.call('billing.set', { params: { id: goodOf(trade, good.key).id }, body: billing }),
    )
  }
  if (policy) {
    trade.plan(trade.from, async () => {
      for (const { id } of goodOf(trade, good.key).variants)
        await trade.call('license_policies.set', { params: { id }, body: policy })
    })
  }
}

function addFile(trade: Trade, key: string): Promise<unknown> {
  const content = `${key}: an example of a file that customers download.\n`
  const body = {
    name: `${key}.txt`,
    content_base64: Buffer.from(content.repeat(20)).toString('base64'),
    mime_type: 'text/plain',
  }
  return trade.call('files.create', { params: { id: goodOf(trade, key).id }, body })
}

/** Adds stock keys to the variant at this place. */
export async function addKeys(
  trade: Trade,
  key: string,
  { at, count, series }: { at: number; count: number; series: string },
): Promise<void> {
  const good = goodOf(trade, key)
  const variant = good.variants[at]
  if (!variant) throw new Error(`The good ${key} has no variant ${at}.`)
  const keys = Array.from({ length: count }, (_, no) => {
    const part = () => trade.random.whole(0x1000, 0xffff).toString(16).toUpperCase()
    return `DEMO-${series}${at}-${part()}-${part()}-${String(no).padStart(4, '0')}`
  })
  const params = { id: good.id, variant_id: variant.id }
  await trade.call('stock.add_keys', { params, body: { keys } })
}

async function addZone(trade: Trade, body: (typeof ZONES)[number]): Promise<void> {
  const { zone } = await trade.call<{ zone: { countries: string[]; rates: { id: number }[] } }>(
    'shipping.create_zone',
    { body },
  )
  const [rate] = zone.rates
  for (const country of zone.countries) if (rate) trade.rates.set(country, rate.id)
}

function addLocation(trade: Trade): Promise<unknown> {
  const body = { name: 'Depot', line1: '1 Sample Yard', city: 'Springfield', country: 'US' }
  return trade.call('shipping.create_location', { body: { ...body, is_default: true } })
}

/** The partners come a week after the shop. */
function planAffiliates(trade: Trade): void {
  const begin = trade.from + Math.min(7 * DAY_MS, (trade.until - trade.from) / 10)
  for (const { email, name, code } of PARTNERS) {
    trade.plan(begin, async () => {
      const { partner } = await trade.call<{ partner: { id: string } }>(
        'affiliates.invite_partner',
        { body: { email, name } },
      )
      const params = { id: partner.id }
      await trade.call('affiliates.create_link', { params, body: { code } })
      trade.partners.push({ id: partner.id, code })
    })
  }
  trade.plan(begin + DAY_MS, () => {
    const body = { email: 'new@glass-and-grain.example.org', name: 'Glass and Grain' }
    return trade.call('affiliates.apply', { body: { ...body, note: 'We write about film.' } })
  })
}
