import {
  type ShippingRate,
  type ShippingZone,
  type StoreContext,
  TradepostError,
} from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { clearedAsNull, EditAction } from '../../kit/edit-action.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { formatNumber } from '../../kit/format.ts'
import { NAME_MAX } from '../../kit/text-limits.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { shipping } from '../../text/shipping.ts'
import { exampleText } from './shipping-example.ts'
import { bandsText, keepRates, ratesRequest } from './shipping-parts.ts'
import { type Bands, Tiers } from './shipping-tiers.tsx'

type CalcType = ShippingRate['calc_type']
const TYPES = ['flat', 'weight', 'volumetric', 'order_total', 'item_count'] as const
const DEFAULT_CARRIER = 'custom'

/** The limits of the API. */
const DIVISOR_MAX = 1_000_000
const DAYS_MAX = 365

const fieldsOf = (currency: string, rate?: ShippingRate): readonly Field[] => [
  { name: 'name', label: common.name, required: true, maxLength: NAME_MAX, value: rate?.name },
  {
    name: 'calc_type',
    label: shipping.calc,
    type: 'select',
    required: true,
    value: rate?.calc_type ?? 'flat',
    options: TYPES.map((value) => ({ value, label: shipping[value] })),
  },
  {
    name: 'price_cents',
    label: shipping.price,
    type: 'money',
    min: 0,
    currency,
    required: true,
    value: rate?.price_cents,
    when: ({ calc_type }) => calc_type === 'flat',
  },
  {
    name: 'tiers',
    label: shipping.tiers,
    // The type is part of the value: the same numbers mean other bands with another type.
    value: rate && bandsOf(rate),
    when: ({ calc_type }) => calc_type !== 'flat',
    control: ({ inputs, onChange }) => {
      const type = inputs.calc_type as CalcType
      const { tiers } = rate?.calc_type === type ? bandsOf(rate) : { tiers: [] }
      return <Tiers key={type} {...{ tiers, type, currency, onChange }} />
    },
    text: (bands) => bandsText(bands as Bands, currency),
  },
  {
    name: 'volumetric_divisor',
    label: shipping.divisor,
    type: 'number',
    min: 1,
    max: DIVISOR_MAX,
    help: shipping.divisorHelp,
    value: rate?.volumetric_divisor,
    when: ({ calc_type }) => calc_type === 'volumetric',
  },
  {
    name: 'free_over_cents',
    label: shipping.freeOver,
    type: 'money',
    min: 0,
    currency,
    value: rate?.free_over_cents,
  },
  {
    name: 'min_days',
    label: shipping.minDays,
    type: 'number',
    min: 0,
    max: DAYS_MAX,
    value: rate?.min_days,
  },
  {
    name: 'max_days',
    label: shipping.maxDays,
    type: 'number',
    min: 0,
    max: DAYS_MAX,
    value: rate?.max_days,
  },
  { name: 'carrier_code', label: shipping.carrier, value: rate?.carrier_code ?? DEFAULT_CARRIER },
  { name: 'description', label: shipping.description, value: rate?.description },
  { name: 'active', label: shipping.active, type: 'checkbox', value: rate?.active ?? true },
]

const bandsOf = ({ calc_type, tiers }: ShippingRate): Bands => ({
  type: calc_type,
  tiers: tiers.map(({ min, max, price_cents }) => ({ min, max, price_cents })),
})

/** The body that changes these fields of a rate. */
function rateBodyOf({ tiers, ...values }: FormValues) {
  const bands = tiers as Bands | undefined
  return {
    ...clearedAsNull(values),
    ...('carrier_code' in values && {
      carrier_code: String(values.carrier_code ?? DEFAULT_CARRIER),
    }),
    ...(bands && { calc_type: bands.type, tiers: [...bands.tiers] }),
  }
}

interface RateProps {
  zone: ShippingZone
  currency: string
}

/** Adds a rate to a zone. The other rates of the zone stay. */
export const NewRate = ({ zone, currency }: RateProps) => (
  <Action
    label={shipping.newRate}
    fields={fieldsOf(currency)}
    submit={shipping.saveRate}
    request={(values) =>
      ratesRequest(zone, (rates) => [
        ...keepRates(rates),
        { name: String(values.name ?? ''), ...rateBodyOf(values) },
      ])
    }
  >
    {(values) => <Example {...{ values, zone, currency }} />}
  </Action>
)

/** Changes a rate. The other rates of the zone, and fields of this one that were not changed, stay. */
export const EditRate = ({ zone, currency, rate }: RateProps & { rate: ShippingRate }) => (
  <EditAction
    label={common.edit}
    title={rate.name}
    record={rate}
    read={(store) => readRate(store, zone, rate)}
    fields={(current) => fieldsOf(currency, current)}
    submit={shipping.saveRate}
    request={(changed) =>
      ratesRequest(zone, (rates) =>
        rates.map(({ id }) => (id === rate.id ? { id, ...rateBodyOf(changed) } : { id })),
      )
    }
  >
    {(values) => <Example {...{ values, zone, currency }} />}
  </EditAction>
)

const Example = ({ values, zone, currency }: RateProps & { values: FormValues }) => (
  <p className="help" role="status">
    {exampleText(values, zone, currency)}
  </p>
)

async function readRate({ api }: StoreContext, zone: ShippingZone, { id, name }: ShippingRate) {
  const { rates } = (await api.shipping.getZone(zone.id)).zone
  const rate = rates.find((item) => item.id === id)
  if (!rate) {
    throw new TradepostError({
      ...{ operation: 'shipping.getZone', status: 404, code: 'NOT_FOUND' },
      message: fill(shipping.rateGone, { name }),
    })
  }
  return rate
}

/** The body that creates a deleted rate again, without its id. Only flat rates have a price of their own. */
function newRateOf({ id: _, price_cents, tiers, ...rate }: ShippingRate) {
  return { ...rate, ...(rate.calc_type === 'flat' ? { price_cents } : { tiers }) }
}

export const DeleteRate = ({ zone, rate }: { zone: ShippingZone; rate: ShippingRate }) => (
  <Action
    label={common.delete}
    title={shipping.deleteRate}
    isDanger
    lead={
      <p>
        {fill(shipping.deleteRateLead, {
          name: rate.name,
          n: formatNumber(zone.rates.filter(({ id, active }) => active && id !== rate.id).length),
        })}
      </p>
    }
    submit={shipping.deleteRate}
    request={() =>
      ratesRequest(zone, (rates) => keepRates(rates.filter(({ id }) => id !== rate.id)))
    }
    undo={() => ({
      text: fill(common.deleted, { name: rate.name }),
      request: ratesRequest(zone, (rates) =>
        keepRates(rates).toSpliced(zone.rates.indexOf(rate), 0, newRateOf(rate)),
      ),
    })}
  />
)
