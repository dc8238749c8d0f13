import type { AffiliateProgram, ProductSections } from '../../api/store.ts'
import { formatMoney } from '../../kit/format.ts'
import { Receipt, Section } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { orders } from '../../text/orders.ts'
import { products } from '../../text/products.ts'
import { percentText, useProgram } from '../people/affiliates-frame.tsx'
import { priceOf } from './preview.rules.ts'

/** The commission of a partner; half a cent is rounded down. */
const commissionOf = (cents: number, { commission_percent }: AffiliateProgram): number =>
  Math.ceil((cents * commission_percent) / 100 - 0.5)

/** The amount that the seller keeps of one unit, sold directly and through a partner. */
export function ProductProceeds({
  sections: { product, variants },
}: {
  sections: ProductSections
}) {
  const read = useProgram()
  const variant = variants.find(({ is_default }) => is_default) ?? variants[0]
  if (!variant) return null
  const price = priceOf(product, variant)
  const money = (cents: number) => formatMoney(cents, product.currency)
  const discount = variant.price_cents - price
  const directLines = [
    { key: 'price', name: products.price, amount: money(variant.price_cents) },
    ...(discount > 0 ? [{ key: 'discount', name: orders.discount, amount: money(-discount) }] : []),
    { key: 'keep', name: orders.youKeep, amount: money(price), isSum: true },
  ]
  const partnerLines = (program: AffiliateProgram) => {
    const commission = commissionOf(price, program)
    const percent = percentText(program.commission_percent)
    return [
      {
        key: 'commission',
        name: fill(products.partnerCommission, { percent }),
        amount: money(-commission),
      },
      {
        key: 'referred',
        name: products.keepReferred,
        amount: money(price - commission),
        isSum: true,
      },
    ]
  }
  return (
    <Section title={products.keepOfUnit}>
      <Loaded read={read} rows={3}>
        {(program) => (
          <Receipt lines={[...directLines, ...(program.enabled ? partnerLines(program) : [])]} />
        )}
      </Loaded>
      <p className="secondary-text">{products.keepHelp}</p>
    </Section>
  )
}
