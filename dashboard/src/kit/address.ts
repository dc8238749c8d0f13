import type { AddressInput, Order } from '../api/store.ts'
import { addresses } from '../text/addresses.ts'
import type { Field, FormValues } from './fields.tsx'
import { countryCodes, countryName } from './words.ts'

export type Address = NonNullable<Order['shipping_address']>

const LABELS = [
  ['name', addresses.name],
  ['line1', addresses.line1],
  ['line2', addresses.line2],
  ['postal_code', addresses.postalCode],
  ['city', addresses.city],
  ['region', addresses.region],
  ['country', addresses.country],
  ['phone', addresses.phone],
] as const

/** The fields of an address. Their names are those of the API, so that its refusals appear next to them. */
export const addressFields = (
  parent: string,
  address: Address | null,
  when?: (typed: FormValues) => boolean,
): readonly Field[] =>
  LABELS.map(([name, label]) => ({
    name: `${parent}.${name}`,
    label,
    value: address?.[name],
    ...(name === 'country' && { help: addresses.countryHelp }),
    ...(when && { when }),
  }))

/** The typed address; null if every field is empty. */
export function typedAddress(parent: string, typed: FormValues): AddressInput | null {
  const text = (name: string) => String(typed[`${parent}.${name}`] ?? '')
  const orNull = (name: string) => text(name) || null
  if (LABELS.every(([name]) => text(name) === '')) return null
  return {
    name: text('name'),
    line1: text('line1'),
    line2: orNull('line2'),
    postal_code: orNull('postal_code'),
    city: text('city'),
    region: orNull('region'),
    country: countryCodes(text('country'))[0] ?? '',
    phone: orNull('phone'),
  }
}

/** An address in one line. */
export const addressText = (address: Address): string => {
  const { name, line1, line2, postal_code, city, region, country, phone } = address
  const town = [postal_code, city].filter(Boolean).join(' ')
  return [name, line1, line2, town, region, countryName(country), phone].filter(Boolean).join(', ')
}
