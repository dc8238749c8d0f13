import { useId } from 'react'
import { useRead } from '../../api/store.ts'
import { useCurrency } from '../../kit/currency.tsx'
import { useDebounced } from '../../kit/debounced.ts'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { formatMoney } from '../../kit/format.ts'
import { countryCodes } from '../../kit/words.ts'
import { orders } from '../../text/orders.ts'
import { itemsIn, requestItems, unitsOf } from './order-items.tsx'

/** The rates are read after this pause in typing, so that not each letter of a country sends a request. */
const TYPING_PAUSE_MS = 400

/** The rates that are offered for the typed items and address. */
export function useOfferedRates(inputs: FormValues) {
  const countryText = String(inputs['shipping_address.country'] ?? '')
  const country = countryCodes(useDebounced(countryText, TYPING_PAUSE_MS))[0] ?? ''
  const region = useDebounced(
    String(inputs['shipping_address.region'] ?? '').trim(),
    TYPING_PAUSE_MS,
  )
  const items = itemsIn(inputs.items)
  const shipment = { country, ...(region !== '' && { region }), items: requestItems(items) }
  const { data = [] } = useRead(
    ['shipping', 'quote', shipment],
    async ({ api }) => (await api.shipping.quote(shipment)).rates,
    {
      enabled:
        /^[A-Z]{2}$/.test(country) &&
        items.some(({ isPhysical }) => isPhysical) &&
        items.every((item) => unitsOf(item) > 0),
    },
  )
  return data
}

interface RateSelectProps {
  value: unknown
  inputs: FormValues
  onChange: (value: unknown) => void
}

function RateSelect({ value, inputs, onChange }: RateSelectProps) {
  const id = useId()
  const currency = useCurrency()
  const rates = useOfferedRates(inputs)
  return (
    <>
      <label htmlFor={id}>{orders.rate}</label>
      <select
        id={id}
        name="shipping_rate_id"
        value={value === undefined ? '' : String(value)}
        onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
      >
        <option value="" />
        {rates.map((rate) => (
          <option key={rate.rate_id} value={rate.rate_id}>
            {currency ? `${rate.name} · ${formatMoney(rate.price_cents, currency)}` : rate.name}
          </option>
        ))}
      </select>
      <p className="help">{orders.rateHelp}</p>
    </>
  )
}

/** The field for the shipping rate of a new order. */
export const shippingRateField = (when: (inputs: FormValues) => boolean): Field => ({
  name: 'shipping_rate_id',
  label: orders.rate,
  when,
  control: (props) => <RateSelect {...props} />,
})
