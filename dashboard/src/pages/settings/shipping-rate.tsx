import { useState } from 'react'
import type { ShippingRate, ShippingTier, ShippingZone } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { Field, Typed } from '../../kit/fields.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { shipping } from '../../text/shipping.ts'
import { ratesRequest } from './shipping-parts.ts'
import { Tiers } from './shipping-tiers.tsx'

type CalcType = ShippingRate['calc_type']
const TYPES = ['flat', 'weight', 'volumetric', 'order_total', 'item_count'] as const

const fieldsOf = (currency: string, of?: ShippingRate): readonly Field[] => [
  { name: 'name', label: common.name, required: true, value: of?.name },
  {
    name: 'calc_type',
    label: shipping.calc,
    type: 'select',
    required: true,
    value: of?.calc_type ?? 'flat',
    options: TYPES.map((value) => ({ value, label: shipping[value] })),
  },
  {
    name: 'price_cents',
    label: shipping.price,
    type: 'money',
    currency,
    required: true,
    value: of?.price_cents,
    when: ({ calc_type }) => calc_type === 'flat',
  },
  {
    name: 'volumetric_divisor',
    label: shipping.divisor,
    type: 'number',
    help: shipping.divisorHelp,
    value: of?.volumetric_divisor,
    when: ({ calc_type }) => calc_type === 'volumetric',
  },
  {
    name: 'free_over_cents',
    label: shipping.freeOver,
    type: 'money',
    currency,
    value: of?.free_over_cents,
  },
  { name: 'min_days', label: shipping.minDays, type: 'number', value: of?.min_days },
  { name: 'max_days', label: shipping.maxDays, type: 'number', value: of?.max_days },
  { name: 'carrier_code', label: shipping.carrier, value: of?.carrier_code ?? 'custom' },
  { name: 'description', label: shipping.description, value: of?.description },
  { name: 'active', label: shipping.active, type: 'checkbox', value: of?.active ?? true },
]

const numberOf = (value: unknown) => (value === undefined ? null : (value as number))

const rateOf = (values: Typed, tiers: ShippingTier[]) => ({
  name: String(values.name ?? ''),
  calc_type: values.calc_type as CalcType,
  ...(values.calc_type === 'flat' ? { price_cents: Number(values.price_cents) } : { tiers }),
  ...(values.calc_type === 'volumetric' && {
    volumetric_divisor: numberOf(values.volumetric_divisor),
  }),
  free_over_cents: numberOf(values.free_over_cents),
  min_days: numberOf(values.min_days),
  max_days: numberOf(values.max_days),
  carrier_code: String(values.carrier_code ?? 'custom'),
  description: values.description === undefined ? null : String(values.description),
  active: values.active === true,
})

interface RateActionProps {
  zone: ShippingZone
  currency: string
  /** The rate to change; a new one if undefined. */
  of?: ShippingRate
}

/** Adds a rate to a zone, or changes one. The other rates of the zone stay as they are. */
export function RateAction({ zone, currency, of }: RateActionProps) {
  const [tiers, setTiers] = useState<ShippingTier[]>([])
  const request = (values: Typed) => {
    const rate = rateOf(values, tiers)
    const others = zone.rates.map(({ id }) => ({ id }))
    const at = of ? others.findIndex(({ id }) => id === of.id) : others.length
    const rates = of
      ? others.map(({ id }) => (id === of.id ? { id, ...rate } : { id }))
      : [...others, rate]
    return ratesRequest(zone.id, rates, at)
  }
  return (
    <Action
      label={of ? common.edit : shipping.newRate}
      title={of?.name ?? shipping.newRate}
      fields={fieldsOf(currency, of)}
      submit={shipping.saveRate}
      request={request}
    >
      {({ calc_type }) =>
        calc_type !== 'flat' && (
          <Tiers
            key={calc_type as CalcType}
            tiers={calc_type === of?.calc_type ? (of?.tiers ?? []) : []}
            type={calc_type as CalcType}
            currency={currency}
            onChange={setTiers}
          />
        )
      }
    </Action>
  )
}

export const DeleteRate = ({ zone, of }: { zone: ShippingZone; of: ShippingRate }) => (
  <Action
    label={common.delete}
    title={shipping.deleteRate}
    isDanger
    lead={<p>{fill(shipping.deleteRateLead, { name: of.name })}</p>}
    submit={shipping.deleteRate}
    request={() =>
      ratesRequest(
        zone.id,
        zone.rates.filter(({ id }) => id !== of.id).map(({ id }) => ({ id })),
      )
    }
  />
)
