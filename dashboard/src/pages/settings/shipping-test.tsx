import { useDeferredValue, useState } from 'react'
import { type ShippingZone, useRead } from '../../api/store.ts'
import { FieldInput } from '../../kit/fields.tsx'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { Receipt, Section } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { type ChosenVariant, VariantChoice } from '../../kit/variant-choice.tsx'
import { countryCodes, countryName } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { picking } from '../../text/picking.ts'
import { shipping } from '../../text/shipping.ts'
import { daysText, measureText } from './shipping-parts.ts'

interface TestAddressProps {
  zones: readonly ShippingZone[]
  currency: string
  initialCountry?: string | undefined
}

/**
 * Shows the rates that the API offers for an address. They are requested again when a rate changes.
 */
export function TestAddress({ zones, currency, initialCountry = '' }: TestAddressProps) {
  const [country, setCountry] = useState(initialCountry)
  const [region, setRegion] = useState('')
  const [chosenVariant, setChosenVariant] = useState<ChosenVariant>()
  const [quantity, setQuantity] = useState('1')
  const code = useDeferredValue(countryCodes(country)[0])
  return (
    <Section title={shipping.test}>
      <p>{shipping.testLead}</p>
      <div className="form">
        <FieldInput
          field={{ name: 'country', label: shipping.country }}
          value={country}
          error={undefined}
          onChange={(value) => setCountry(String(value))}
        />
        <FieldInput
          field={{ name: 'region', label: shipping.region }}
          value={region}
          error={undefined}
          onChange={(value) => setRegion(String(value))}
        />
        <VariantChoice
          query={{ type: ['physical'] }}
          isOffered={({ delivery_type }) => delivery_type === 'physical'}
          onChoose={setChosenVariant}
        />
        <p className="help">{shipping.onlyPhysical}</p>
        <FieldInput
          field={{ name: 'quantity', label: picking.quantity, type: 'number' }}
          value={quantity}
          error={undefined}
          onChange={(value) => setQuantity(String(value))}
        />
        {code?.length === 2 && chosenVariant && Number(quantity) > 0 && (
          <Quote
            zones={zones}
            currency={currency}
            address={{ country: code, region: region.trim() }}
            item={{ ...chosenVariant, quantity: Number(quantity) }}
          />
        )}
      </div>
    </Section>
  )
}

interface QuoteProps {
  zones: readonly ShippingZone[]
  currency: string
  address: { country: string; region: string }
  item: ChosenVariant & { quantity: number }
}

function Quote({ zones, currency, address, item }: QuoteProps) {
  const { product, variant, quantity } = item
  const shipment = {
    country: address.country,
    ...(address.region !== '' && { region: address.region }),
    items: [{ product_id: product.id, variant_id: variant.id, quantity }],
  }
  const read = useRead(
    ['shipping', 'quote', shipment],
    async ({ api }) => (await api.shipping.quote(shipment)).rates,
  )
  const parcel =
    variant.weight_grams === null
      ? `${formatNumber(quantity)} × ${product.name}`
      : measureText('weight', variant.weight_grams * quantity, currency)
  const destination = [address.region, countryName(address.country)].filter(Boolean).join(', ')
  const zoneNameOf = (id: number) => zones.find((zone) => zone.id === id)?.name ?? String(id)
  return (
    <Loaded read={read} rows={1}>
      {(rates) => (
        <div role="status">
          {rates.length === 0 ? (
            <p>{shipping.nothingFits}</p>
          ) : (
            <>
              <p>{fill(shipping.quoted, { what: parcel, where: destination })}</p>
              <Receipt
                lines={rates.map((rate) => ({
                  key: String(rate.rate_id),
                  name: [
                    fill(shipping.rateAndZone, { rate: rate.name, zone: zoneNameOf(rate.zone_id) }),
                    daysText(rate),
                  ]
                    .filter((part) => part !== '–')
                    .join(' · '),
                  amount: formatMoney(rate.price_cents, currency),
                }))}
              />
            </>
          )}
        </div>
      )}
    </Loaded>
  )
}
