import { type Request, storeRequest } from '../../api/action.ts'
import {
  type ShippingRate,
  type ShippingZone,
  type StoreContext,
  TradepostError,
} from '../../api/store.ts'
import { initialValues } from '../../kit/edit-action.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { formatMoney } from '../../kit/format.ts'
import { NAME_MAX } from '../../kit/text-limits.ts'
import { countryCodes, countryName, listAnd } from '../../kit/words.ts'
import { fill, language } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { shipping } from '../../text/shipping.ts'
import type { Bands } from './shipping-tiers.tsx'

const REST = '*'
const SHOWN_NAMES_MAX = 6

export const isRestOfWorld = ({ countries }: Pick<ShippingZone, 'countries'>): boolean =>
  countries.every((code) => code === REST)

/** The countries of a zone in words. */
export function countriesText(
  codes: readonly string[],
  namesMax = Number.POSITIVE_INFINITY,
): string {
  const names = codes.map((code) => (code === REST ? shipping.rest : countryName(code)))
  if (names.length <= namesMax) return listAnd(names)
  return `${names.slice(0, namesMax).join(', ')} + ${names.length - namesMax}`
}

export function destinationsText({ countries, regions }: ShippingZone): string {
  const parts = Object.entries(regions).map(
    ([code, names]) => `${countryName(code)}: ${names.join(', ')}`,
  )
  return [countriesText(countries, SHOWN_NAMES_MAX), ...parts].join(' · ')
}

const regionsText = (regions: ShippingZone['regions']): string =>
  Object.entries(regions)
    .map(([code, names]) => `${code}: ${names.join(', ')}`)
    .join('\n')

function regionsOf(text: unknown): Record<string, string[]> {
  const lines = String(text ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [code = '', ...rest] = line.split(':')
      const names = rest.join(':').split(',')
      return [countryCodes(code)[0] ?? code, names.map((name) => name.trim()).filter(Boolean)]
    }),
  )
}

export const zoneFields = (zone?: ShippingZone): readonly Field[] => [
  { name: 'name', label: common.name, required: true, maxLength: NAME_MAX, value: zone?.name },
  {
    name: 'countries',
    label: shipping.countries,
    type: 'textarea',
    help: shipping.countriesHelp,
    value: zone?.countries.filter((code) => code !== REST).join(', '),
  },
  {
    name: 'rest',
    label: shipping.rest,
    type: 'checkbox',
    value: zone?.countries.includes(REST) ?? false,
  },
  {
    name: 'regions',
    label: shipping.regions,
    type: 'textarea',
    help: shipping.regionsHelp,
    value: zone && regionsText(zone.regions),
  },
  { name: 'active', label: shipping.active, type: 'checkbox', value: zone?.active ?? true },
]

const chosenCountries = ({ countries, rest }: FormValues): string[] => [
  ...countryCodes(countries),
  ...(rest === true ? [REST] : []),
]

export const zoneBodyOf = (values: FormValues) => ({
  name: String(values.name ?? ''),
  countries: chosenCountries(values),
  regions: regionsOf(values.regions),
  active: values.active === true,
})

/** The change of a zone. Countries and "rest of the world" are one field of the API. */
export function zoneChange(
  zone: ShippingZone,
  changed: FormValues,
): Partial<ReturnType<typeof zoneBodyOf>> {
  const { countries, ...next } = zoneBodyOf({ ...initialValues(zoneFields(zone)), ...changed })
  const fields = Object.entries(next).filter(([name]) => name in changed)
  const hasCountries = 'countries' in changed || 'rest' in changed
  return { ...Object.fromEntries(fields), ...(hasCountries && { countries }) }
}

/** The typed countries as a sentence: "Ships to: …". */
export const shipsToText = (values: FormValues): string => {
  const codes = chosenCountries(values)
  return codes.length === 0 ? '' : fill(shipping.shipsTo, { countries: countriesText(codes) })
}

/** Formats an amount in the unit of a rate's price bands. */
export function measureText(type: ShippingRate['calc_type'], n: number, currency: string): string {
  if (type === 'order_total') return formatMoney(n, currency)
  const unit = type === 'item_count' ? undefined : 'kilogram'
  const format = new Intl.NumberFormat(language, {
    ...(unit && { style: 'unit', unit }),
    maximumFractionDigits: 3,
  })
  return format.format(unit ? n / 1_000 : n)
}

const bandTexts = ({ type, tiers }: Bands, currency: string): string[] =>
  tiers.map(({ min, max, price_cents }) =>
    fill(max === null ? shipping.bandOpen : shipping.band, {
      price: formatMoney(price_cents, currency),
      from: measureText(type, min, currency),
      to: max === null ? '' : measureText(type, max, currency),
    }),
  )

/** Price bands in words, with the amount on which they depend. */
export const bandsText = (bands: Bands, currency: string): string =>
  `${shipping[bands.type]}: ${bandTexts(bands, currency).join(', ')}`

/** The price of a rate in words: "€4.90 for 0 kg to 2 kg, €6.90 from 2 kg". */
export function priceText(rate: ShippingRate, currency: string): string {
  const { calc_type, tiers, price_cents, free_over_cents } = rate
  const price =
    calc_type === 'flat'
      ? [formatMoney(price_cents, currency)]
      : bandTexts({ type: calc_type, tiers }, currency)
  const free =
    free_over_cents === null
      ? []
      : [fill(shipping.freeFrom, { amount: formatMoney(free_over_cents, currency) })]
  return [...price, ...free].join(', ')
}

export function daysText({ min_days, max_days }: Pick<ShippingRate, 'min_days' | 'max_days'>) {
  if (min_days !== null && max_days !== null) {
    return fill(shipping.days, { min: min_days, max: max_days })
  }
  if (max_days !== null) return fill(shipping.daysUpTo, { max: max_days })
  return min_days === null ? '–' : fill(shipping.daysFrom, { min: min_days })
}

type SentRates = NonNullable<Parameters<StoreContext['api']['shipping']['updateZone']>[1]['rates']>

/** Makes the list of rates to send from the rates that the zone has. */
type ChangeRates = (rates: readonly ShippingRate[]) => SentRates

export const keepRates = (rates: readonly ShippingRate[]): SentRates =>
  rates.map(({ id }) => ({ id }))

/**
 * The request that replaces the rates of a zone. The zone is read again first, so that rates which
 * another user added are kept. A refusal names the fields of a rate as its form does.
 */
export function ratesRequest(zone: ShippingZone, change: ChangeRates): Request {
  const requestWith = (rates: readonly ShippingRate[]) =>
    storeRequest('shipping', 'updateZone', zone.id, { rates: change(rates) })
  return {
    ...requestWith(zone.rates),
    async send(store) {
      const currentZone = (await store.api.shipping.getZone(zone.id)).zone
      try {
        return await requestWith(currentZone.rates).send(store)
      } catch (error) {
        throw withoutPrefix(error, /^rates\[\d+\]\./)
      }
    },
  }
}

function withoutPrefix(error: unknown, prefix: RegExp): unknown {
  if (!(error instanceof TradepostError) || error.field === undefined) return error
  const { operation, status, code, requestId, field, details } = error
  const shortName = (name: string) => name.replace(prefix, '')
  const errors = details?.errors as { field: string; message: string }[] | undefined
  return new TradepostError({
    operation,
    status,
    code,
    requestId,
    message: error.message.replace(`${field}: `, ''),
    details: {
      ...details,
      field: shortName(field),
      ...(errors && { errors: errors.map((item) => ({ ...item, field: shortName(item.field) })) }),
    },
  })
}
