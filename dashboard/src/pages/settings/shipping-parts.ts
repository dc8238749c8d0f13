import { type Request, storeRequest } from '../../api/action.ts'
import {
  type ShippingRate,
  type ShippingZone,
  type StoreContext,
  TradepostError,
} from '../../api/store.ts'
import type { Field, Typed } from '../../kit/fields.tsx'
import { formatMoney } from '../../kit/format.ts'
import { countryName, listAnd } from '../../kit/words.ts'
import { fill, language } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { shipping } from '../../text/shipping.ts'

const REST = '*'
const NAMES_SHOWN = 6

export const isRest = ({ countries }: Pick<ShippingZone, 'countries'>): boolean =>
  countries.every((code) => code === REST)

/** The countries of a zone in words. */
export function countriesOf(codes: readonly string[], shown = Number.POSITIVE_INFINITY): string {
  const names = codes.map((code) => (code === REST ? shipping.rest : countryName(code)))
  if (names.length <= shown) return listAnd(names)
  return `${names.slice(0, shown).join(', ')} + ${names.length - shown}`
}

export function placesOf({ countries, regions }: ShippingZone): string {
  const parts = Object.entries(regions).map(
    ([code, names]) => `${countryName(code)}: ${names.join(', ')}`,
  )
  return [countriesOf(countries, NAMES_SHOWN), ...parts].join(' · ')
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Codes by the name of the country, in the language of the reader. */
const codesByName = () => {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  return new Map(codes.map((code) => [countryName(code).toLocaleLowerCase(language), code]))
}

/** Reads codes and names of countries. What is unknown stays, so that the API can refuse it. */
export function countryCodes(text: unknown): string[] {
  const parts = String(text ?? '')
    .split(/[,;\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const names = parts.some((part) => part.length > 2) ? codesByName() : undefined
  const codes = parts.map(
    (part) => names?.get(part.toLocaleLowerCase(language)) ?? part.toUpperCase(),
  )
  return [...new Set(codes)]
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

export const zoneFields = (of?: ShippingZone): readonly Field[] => [
  { name: 'name', label: common.name, required: true, value: of?.name },
  {
    name: 'countries',
    label: shipping.countries,
    type: 'textarea',
    help: shipping.countriesHelp,
    value: of?.countries.filter((code) => code !== REST).join(', '),
  },
  {
    name: 'rest',
    label: shipping.rest,
    type: 'checkbox',
    value: of?.countries.includes(REST) ?? false,
  },
  {
    name: 'regions',
    label: shipping.regions,
    type: 'textarea',
    help: shipping.regionsHelp,
    value: of && regionsText(of.regions),
  },
  { name: 'active', label: shipping.active, type: 'checkbox', value: of?.active ?? true },
]

const chosenCountries = ({ countries, rest }: Typed): string[] => [
  ...countryCodes(countries),
  ...(rest === true ? [REST] : []),
]

export const zoneOf = (values: Typed) => ({
  name: String(values.name ?? ''),
  countries: chosenCountries(values),
  regions: regionsOf(values.regions),
  active: values.active === true,
})

/** The typed countries as a sentence. */
export const goesTo = (values: Typed): string => {
  const codes = chosenCountries(values)
  return codes.length === 0 ? '' : fill(shipping.goesTo, { countries: countriesOf(codes) })
}

/** An amount in the unit that the bands of a rate measure, in words. */
export function measureText(type: ShippingRate['calc_type'], n: number, currency: string): string {
  if (type === 'order_total') return formatMoney(n, currency)
  const unit = type === 'item_count' ? undefined : 'kilogram'
  const format = new Intl.NumberFormat(language, {
    ...(unit && { style: 'unit', unit }),
    maximumFractionDigits: 3,
  })
  return format.format(unit ? n / 1_000 : n)
}

/** The price of a rate in words: "€4.90 for 0 kg to 2 kg, €6.90 from 2 kg". */
export function priceText(rate: ShippingRate, currency: string): string {
  const { calc_type, tiers, price_cents, free_over_cents } = rate
  const bands = tiers.map(({ min, max, price_cents: cents }) =>
    fill(max === null ? shipping.bandOpen : shipping.band, {
      price: formatMoney(cents, currency),
      from: measureText(calc_type, min, currency),
      to: max === null ? '' : measureText(calc_type, max, currency),
    }),
  )
  const price = calc_type === 'flat' ? [formatMoney(price_cents, currency)] : bands
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

/**
 * The request that replaces the rates of a zone. A refusal names the fields of the rate at the place `at` as
 * the form of that rate does.
 */
export function ratesRequest(zone: number, rates: SentRates, at?: number): Request {
  const request = storeRequest('shipping', 'updateZone', zone, { rates })
  if (at === undefined) return request
  return {
    ...request,
    send: (store) =>
      Promise.resolve(request.send(store)).catch((error: unknown) => {
        throw withoutPrefix(error, `rates[${at}].`)
      }),
  }
}

function withoutPrefix(error: unknown, prefix: string): unknown {
  if (!(error instanceof TradepostError) || error.field === undefined) return error
  const { operation, status, code, requestId, field, details } = error
  const plain = (name: string) => name.replace(prefix, '')
  const errors = details?.errors as { field: string; message: string }[] | undefined
  return new TradepostError({
    operation,
    status,
    code,
    requestId,
    message: error.message.replace(`${field}: `, ''),
    details: {
      ...details,
      field: plain(field),
      ...(errors && { errors: errors.map((item) => ({ ...item, field: plain(item.field) })) }),
    },
  })
}
