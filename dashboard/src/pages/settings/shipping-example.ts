import type { ShippingRate, ShippingZone } from '../../api/store.ts'
import { exponentOf } from '../../kit/currency-digits.ts'
import type { FormValues } from '../../kit/fields.tsx'
import { formatMoney } from '../../kit/format.ts'
import { countryName } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { shipping } from '../../text/shipping.ts'
import { isRestOfWorld, measureText } from './shipping-parts.ts'
import type { Bands } from './shipping-tiers.tsx'

type CalcType = ShippingRate['calc_type']

/** The parcel of the example. */
const EXAMPLE_WEIGHT_G = 2_400
const EXAMPLE_ITEMS = 3
/** The order total of the example, in units of the currency. */
const EXAMPLE_TOTAL = 50

/** The amount of the example in the unit of the bands. */
const measureOf = (type: CalcType, currency: string): number => {
  if (type === 'order_total') return EXAMPLE_TOTAL * 10 ** exponentOf(currency)
  return type === 'item_count' ? EXAMPLE_ITEMS : EXAMPLE_WEIGHT_G
}

/** The first band that contains the amount. Both bounds belong to a band, as in the API. */
const bandFor = ({ tiers }: Bands, amount: number) =>
  tiers.find(({ min, max }) => min <= amount && (max === null || amount <= max))

/** The typed price of a rate for an example, as a sentence; empty while the values are incomplete. */
export function exampleText(values: FormValues, zone: ShippingZone, currency: string): string {
  const type = values.calc_type as CalcType
  const bands = values.tiers as Bands | undefined
  const amount = measureOf(type, currency)
  const destination = isRestOfWorld(zone) ? shipping.rest : countryName(zone.countries[0] ?? '')
  const parcelText = parcelTextOf(type, amount, currency)
  const price = type === 'flat' ? values.price_cents : bands && bandFor(bands, amount)?.price_cents
  if (price === undefined) {
    return bands ? fill(shipping.exampleNone, { what: parcelText, where: destination }) : ''
  }
  if (typeof price !== 'number' || !Number.isFinite(price)) return ''
  return fill(shipping.example, {
    what: parcelText,
    where: destination,
    price: formatMoney(price, currency),
  })
}

function parcelTextOf(type: CalcType, amount: number, currency: string): string {
  if (type === 'flat') return shipping.parcel
  const text = measureText(type, amount, currency)
  return type === 'item_count' ? `${text} ${shipping.units}` : text
}
