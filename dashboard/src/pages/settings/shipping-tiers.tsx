import { useEffect, useId, useState } from 'react'
import type { ShippingRate, ShippingTier } from '../../api/store.ts'
import { exponentOf } from '../../kit/currency-digits.ts'
import { numberProblem } from '../../kit/fields.tsx'
import { readAmount, readNumber, typedNumber } from '../../kit/typed-number.ts'
import { fill } from '../../text/catalogue.ts'
import { shipping } from '../../text/shipping.ts'

type CalcType = ShippingRate['calc_type']

interface TypedTier {
  key: number
  min: string
  max: string
  price: string
}

/** The number of API units in one typed unit, such as 1,000 g in 1 kg. */
const scaleOf = (type: CalcType, currency: string): number => {
  if (type === 'order_total') return 10 ** exponentOf(currency)
  return type === 'item_count' ? 1 : 1_000
}

const unitOf = (type: CalcType, currency: string): string => {
  if (type === 'order_total') return currency
  return type === 'item_count' ? shipping.units : 'kg'
}

/** The typed number in units of the API. It is NaN for an empty field, but the form is not sent with one. */
const numberOf = (text: string, scale: number) => Math.round(readNumber(text) * scale)

const tiersOf = (
  typedTiers: readonly TypedTier[],
  type: CalcType,
  currency: string,
): ShippingTier[] => {
  const scale = scaleOf(type, currency)
  return typedTiers.map(({ min, max, price }) => ({
    min: numberOf(min, scale),
    max: max.trim() === '' ? null : numberOf(max, scale),
    price_cents: readAmount(price, exponentOf(currency)),
  }))
}

function typedTiersOf(
  tiers: readonly ShippingTier[],
  type: CalcType,
  currency: string,
): TypedTier[] {
  const scale = scaleOf(type, currency)
  const digits = exponentOf(currency)
  const rows = tiers.map(({ min, max, price_cents }, key) => ({
    key,
    min: typedNumber(min / scale),
    max: max === null ? '' : typedNumber(max / scale),
    price: typedNumber(price_cents / 10 ** digits, digits),
  }))
  return rows.length > 0 ? rows : [{ key: 0, min: '0', max: '', price: '' }]
}

/** The price bands of a rate, with the amount on which they depend. */
export interface Bands {
  type: CalcType
  tiers: readonly ShippingTier[]
}

interface TiersProps extends Bands {
  currency: string
  onChange: (bands: Bands) => void
}

/** The price bands of a rate, one row each. */
export function Tiers({ tiers, type, currency, onChange }: TiersProps) {
  const [rows, setRows] = useState(() => typedTiersOf(tiers, type, currency))
  const unit = unitOf(type, currency)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form makes a new `onChange` with each change.
  useEffect(() => {
    onChange({ type, tiers: tiersOf(rows, type, currency) })
  }, [rows, type, currency])
  const changeRow = (key: number, change: Partial<TypedTier>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  const add = () => {
    const last = rows.at(-1)
    const key = (last?.key ?? 0) + 1
    setRows([...rows, { key, min: last?.max ?? '0', max: '', price: '' }])
  }
  return (
    <fieldset className="field">
      <legend>{shipping.tiers}</legend>
      <p className="help">{shipping.tiersHelp}</p>
      {rows.map((row, index) => (
        <div className="tier" key={row.key}>
          <BandInput
            label={fill(shipping.from, { unit })}
            bandNumber={index + 1}
            value={row.min}
            onChange={(min) => changeRow(row.key, { min })}
          />
          <BandInput
            label={fill(shipping.to, { unit })}
            bandNumber={index + 1}
            value={row.max}
            isOptional
            onChange={(max) => changeRow(row.key, { max })}
          />
          <BandInput
            label={`${shipping.price} (${currency})`}
            bandNumber={index + 1}
            value={row.price}
            currency={currency}
            onChange={(price) => changeRow(row.key, { price })}
          />
          {rows.length > 1 && (
            <button
              type="button"
              aria-label={fill(shipping.removeBand, { n: index + 1 })}
              onClick={() => setRows(rows.filter(({ key }) => key !== row.key))}
            >
              ×
            </button>
          )}
        </div>
      ))}
      <div>
        <button type="button" onClick={add}>
          {shipping.addBand}
        </button>
      </div>
    </fieldset>
  )
}

/**
 * Says why a typed text is no number or amount, or one below 0. An empty text is a missing one, which the browser
 * finds.
 */
function problemOf(typed: string, currency: string | undefined): string {
  if (typed.trim() === '') return ''
  const field = {
    name: '',
    label: '',
    min: 0,
    ...(currency && { type: 'money' as const, currency }),
  }
  const value = currency ? readAmount(typed, exponentOf(currency)) : readNumber(typed)
  if (Number.isNaN(value)) return numberProblem(field, typed)
  return value < 0 ? numberProblem(field, value) : ''
}

interface BandInputProps {
  label: string
  bandNumber: number
  value: string
  isOptional?: boolean
  /** The currency of an amount. */
  currency?: string
  onChange: (value: string) => void
}

function BandInput(props: BandInputProps) {
  const { label, bandNumber, value, isOptional = false, currency, onChange } = props
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} title={label}>
        {label}{' '}
        <span className="visually-hidden">
          {fill(shipping.bandField, { field: '', n: bandNumber })}
        </span>
      </label>
      <input
        id={id}
        ref={(input) => input?.setCustomValidity(problemOf(value, currency))}
        inputMode="decimal"
        required={!isOptional}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
