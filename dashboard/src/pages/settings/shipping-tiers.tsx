import { useEffect, useId, useState } from 'react'
import type { ShippingRate, ShippingTier } from '../../api/store.ts'
import { exponentOf } from '../../kit/format.ts'
import { fill } from '../../text/catalogue.ts'
import { shipping } from '../../text/shipping.ts'

type CalcType = ShippingRate['calc_type']

interface TypedTier {
  key: number
  min: string
  max: string
  price: string
}

/** How many units of the API one typed unit holds. */
const scaleOf = (type: CalcType, currency: string): number => {
  if (type === 'order_total') return 10 ** exponentOf(currency)
  return type === 'item_count' ? 1 : 1_000
}

const unitOf = (type: CalcType, currency: string): string => {
  if (type === 'order_total') return currency
  return type === 'item_count' ? shipping.units : 'kg'
}

const numberOf = (text: string, scale: number) => Math.round(Number(text.replace(',', '.')) * scale)

const tiersOf = (typed: readonly TypedTier[], type: CalcType, currency: string): ShippingTier[] => {
  const scale = scaleOf(type, currency)
  return typed.map(({ min, max, price }) => ({
    min: numberOf(min, scale),
    max: max.trim() === '' ? null : numberOf(max, scale),
    price_cents: numberOf(price, 10 ** exponentOf(currency)),
  }))
}

function typedOf(tiers: readonly ShippingTier[], type: CalcType, currency: string): TypedTier[] {
  const scale = scaleOf(type, currency)
  const digits = exponentOf(currency)
  const rows = tiers.map(({ min, max, price_cents }, key) => ({
    key,
    min: String(min / scale),
    max: max === null ? '' : String(max / scale),
    price: (price_cents / 10 ** digits).toFixed(digits),
  }))
  return rows.length > 0 ? rows : [{ key: 0, min: '0', max: '', price: '' }]
}

interface TiersProps {
  tiers: readonly ShippingTier[]
  type: CalcType
  currency: string
  onChange: (tiers: ShippingTier[]) => void
}

/** The price bands of a rate, a row each. */
export function Tiers({ tiers, type, currency, onChange }: TiersProps) {
  const [rows, setRows] = useState(() => typedOf(tiers, type, currency))
  const unit = unitOf(type, currency)
  useEffect(() => {
    onChange(tiersOf(rows, type, currency))
  }, [rows, type, currency, onChange])
  const set = (key: number, change: Partial<TypedTier>) =>
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
          <Cell
            label={fill(shipping.from, { unit })}
            n={index + 1}
            value={row.min}
            onChange={(min) => set(row.key, { min })}
          />
          <Cell
            label={fill(shipping.to, { unit })}
            n={index + 1}
            value={row.max}
            isOptional
            onChange={(max) => set(row.key, { max })}
          />
          <Cell
            label={`${shipping.price} (${currency})`}
            n={index + 1}
            value={row.price}
            onChange={(price) => set(row.key, { price })}
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

interface CellProps {
  label: string
  n: number
  value: string
  isOptional?: boolean
  onChange: (value: string) => void
}

function Cell({ label, n, value, isOptional = false, onChange }: CellProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} title={label}>
        {label} <span className="unseen">{fill(shipping.bandField, { field: '', n })}</span>
      </label>
      <input
        id={id}
        inputMode="decimal"
        required={!isOptional}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
