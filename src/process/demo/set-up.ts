import { DAY_MS } from '../../kernel/time.ts'
import { CATEGORIES, COUPONS, type DemoProduct, PRODUCTS, ZONES } from './catalogue.ts'
import { PARTNERS } from './people.ts'
import { drawPng } from './picture.ts'
import { productOf, type Scenario, type VariantRef } from './scenario.ts'

/** Plans the records that the seller created before the first sale. */
export function planSetUp(scenario: Scenario): void {
  const categories = new Map<string, number>()
  for (const body of CATEGORIES) {
    scenario.plan(scenario.from, async () => {
      const { category } = await scenario.call<{ category: { id: number } }>('categories.create', {
        body,
      })
      categories.set(body.slug, category.id)
    })
  }
  for (const demoProduct of PRODUCTS) planProduct(scenario, demoProduct, categories)
  for (const body of ZONES) scenario.plan(scenario.from, () => addZone(scenario, body))
  for (const body of COUPONS)
    scenario.plan(scenario.from, () => scenario.call('coupons.create', { body }))
  scenario.plan(scenario.from, () => addLocation(scenario))
  planAffiliates(scenario)
}

function planProduct(
  scenario: Scenario,
  demoProduct: DemoProduct,
  categories: ReadonlyMap<string, number>,
): void {
  scenario.plan(scenario.from, async () => {
    const categoryId = categories.get(demoProduct.category)
    const body = { ...demoProduct.body, ...(categoryId && { category_ids: [categoryId] }) }
    const { product, variants } = await scenario.call<{
      product: { id: string }
      variants: VariantRef[]
    }>('products.create', { body })
    const { key, demand } = demoProduct
    scenario.products.set(key, {
      id: product.id,
      key,
      type: demoProduct.body.type,
      demand,
      variants,
    })
  })
  scenario.plan(scenario.from, () => {
    const file = { name: `${demoProduct.key}.png`, bytes: drawPng(demoProduct.picture) }
    return scenario.call('media.create', {
      params: { id: productOf(scenario, demoProduct.key).id },
      file,
    })
  })
  if (demoProduct.body.type === 'file')
    scenario.plan(scenario.from, () => addFile(scenario, demoProduct.key))
  for (const [variantIndex, count] of (demoProduct.keys ?? []).entries())
    scenario.plan(scenario.from, () =>
      addKeys(scenario, demoProduct.key, { variantIndex, count, series: 'A' }),
    )
  const { billing, policy } = demoProduct
  if (billing) {
    scenario.plan(scenario.from, () =>
      scenario.call('billing.set', {
        params: { id: productOf(scenario, demoProduct.key).id },
        body: billing,
      }),
    )
  }
  if (policy) {
    scenario.plan(scenario.from, async () => {
      for (const { id } of productOf(scenario, demoProduct.key).variants)
        await scenario.call('license_policies.set', { params: { id }, body: policy })
    })
  }
}

function addFile(scenario: Scenario, productKey: string): Promise<unknown> {
  const content = `${productKey}: an example of a file that customers download.\n`
  const body = {
    name: `${productKey}.txt`,
    content_base64: Buffer.from(content.repeat(20)).toString('base64'),
    mime_type: 'text/plain',
  }
  return scenario.call('files.create', { params: { id: productOf(scenario, productKey).id }, body })
}

/** Adds stock keys to a variant of a product. */
export async function addKeys(
  scenario: Scenario,
  productKey: string,
  { variantIndex, count, series }: { variantIndex: number; count: number; series: string },
): Promise<void> {
  const product = productOf(scenario, productKey)
  const variant = product.variants[variantIndex]
  if (!variant) throw new Error(`The product ${productKey} has no variant ${variantIndex}.`)
  const keys = Array.from({ length: count }, (_, index) => {
    const part = () => scenario.random.whole(0x1000, 0xffff).toString(16).toUpperCase()
    return `DEMO-${series}${variantIndex}-${part()}-${part()}-${String(index).padStart(4, '0')}`
  })
  const params = { id: product.id, variant_id: variant.id }
  await scenario.call('stock.add_keys', { params, body: { keys } })
}

async function addZone(scenario: Scenario, body: (typeof ZONES)[number]): Promise<void> {
  const { zone } = await scenario.call<{ zone: { countries: string[]; rates: { id: number }[] } }>(
    'shipping.create_zone',
    { body },
  )
  const [rate] = zone.rates
  for (const country of zone.countries) if (rate) scenario.rates.set(country, rate.id)
}

function addLocation(scenario: Scenario): Promise<unknown> {
  const body = { name: 'Depot', line1: '1 Sample Yard', city: 'Springfield', country: 'US' }
  return scenario.call('shipping.create_location', { body: { ...body, is_default: true } })
}

/** Plans the partners, who join a week after the shop opened. */
function planAffiliates(scenario: Scenario): void {
  const joinTime = scenario.from + Math.min(7 * DAY_MS, (scenario.until - scenario.from) / 10)
  for (const { email, name, code } of PARTNERS) {
    scenario.plan(joinTime, async () => {
      const { partner } = await scenario.call<{ partner: { id: string } }>(
        'affiliates.invite_partner',
        { body: { email, name } },
      )
      const params = { id: partner.id }
      await scenario.call('affiliates.create_link', { params, body: { code } })
      scenario.partners.push({ id: partner.id, code })
    })
  }
  scenario.plan(joinTime + DAY_MS, () => {
    const body = { email: 'new@glass-and-grain.example.org', name: 'Glass and Grain' }
    return scenario.call('affiliates.apply', { body: { ...body, note: 'We write about film.' } })
  })
}
