import { useId, useRef, useState } from 'react'
import { type ListedProduct, TradepostError, type Variant } from '../../api/store.ts'
import { useCurrency } from '../../kit/currency.tsx'
import { formatMoney } from '../../kit/format.ts'
import { useProducts } from '../../kit/product-picker.tsx'
import { Failure } from '../../kit/states.tsx'
import { readNumber } from '../../kit/typed-number.ts'
import { fill } from '../../text/catalogue.ts'
import { newOrder } from '../../text/new-order.ts'
import { orders } from '../../text/orders.ts'
import { picking } from '../../text/picking.ts'
import { priceOf } from '../catalogue/preview.rules.ts'

/** The variants that a search shows. The form has more fields below them. */
const FOUND_SHOWN = 6

/** A variant in the form of a new order. */
export interface OrderItem {
  product_id: string
  variant_id: number
  name: string
  unit_price_cents: number
  isPhysical: boolean
  /** As typed. */
  quantity: string
}

export const itemsIn = (value: unknown): readonly OrderItem[] =>
  Array.isArray(value) ? (value as OrderItem[]) : []

/** The units of an item; 0 if the typed quantity is no positive integer. */
export function unitsOf({ quantity }: OrderItem): number {
  const units = readNumber(quantity)
  return Number.isInteger(units) && units > 0 ? units : 0
}

/** The items as the API takes them. A quantity that is no number is refused by the API. */
export const requestItems = (items: readonly OrderItem[]) =>
  items.map(({ product_id, variant_id, quantity }) => ({
    product_id,
    variant_id,
    quantity: readNumber(quantity),
  }))

export const totalOf = (items: readonly OrderItem[]): number =>
  items.reduce((sum, item) => sum + item.unit_price_cents * unitsOf(item), 0)

function itemOf(product: ListedProduct, variant: Variant): OrderItem {
  const hasMore = (product.variants?.length ?? 0) > 1
  return {
    product_id: product.id,
    variant_id: variant.id,
    name: hasMore ? `${product.name} · ${variant.name}` : product.name,
    unit_price_cents: priceOf(product, variant),
    isPhysical: variant.delivery_type === 'physical',
    quantity: '1',
  }
}

/** The name of a row in refusals. It stays if another row is removed, unlike the index of the API. */
const rowName = ({ variant_id }: Pick<OrderItem, 'variant_id'>): string => `item-${variant_id}`

/** The same refusal with the rows that it is about in place of indexes and variants. */
export function withRowNames(error: unknown, items: readonly OrderItem[]): unknown {
  if (!(error instanceof TradepostError)) return error
  const { operation, status, code, requestId, details } = error
  const problems = problemsIn(error).map(({ field, message }): RowProblem => {
    const [, index] = /^items\[(\d+)\]/.exec(field) ?? []
    const item = items[Number(index ?? Number.NaN)]
    return item ? { field: rowName(item), message, label: item.name } : { field, message }
  })
  const missingItem = items.find(({ variant_id }) => variant_id === details?.variant_id)
  if (code === 'OUT_OF_STOCK' && missingItem)
    problems.push({ field: rowName(missingItem), message: error.message, label: missingItem.name })
  // Other refusals keep their field, such as that of an address.
  if (problems.every(({ label }) => label === undefined)) return error
  return new TradepostError({
    ...{ operation, status, code, requestId, cause: error },
    message: error.message,
    details: { errors: problems, product_id: details?.product_id },
  })
}

interface RowProblem {
  field: string
  message: string
  label?: string
}

function problemsIn({ field, message, details }: TradepostError): RowProblem[] {
  const all = details?.errors
  if (Array.isArray(all)) return all as RowProblem[]
  return field === undefined ? [] : [{ field, message: message.replace(`${field}: `, '') }]
}

interface OrderItemsProps {
  items: readonly OrderItem[]
  onChange: (items: readonly OrderItem[]) => void
  errorOf: (row: string) => string | undefined
}

/** A search for products, and the chosen items with their quantities. */
export function OrderItems({ items, onChange, errorOf }: OrderItemsProps) {
  const currency = useCurrency()
  const search = useRef<HTMLInputElement>(null)
  const [changed, setChanged] = useState('')
  const change = (item: OrderItem, quantity: string) =>
    onChange(items.map((other) => (other === item ? { ...other, quantity } : other)))
  const add = (item: OrderItem) => {
    const chosen = items.find(({ variant_id }) => variant_id === item.variant_id)
    if (chosen) change(chosen, String(unitsOf(chosen) + 1))
    else onChange([...items, item])
    setChanged(fill(picking.addedNamed, { name: item.name }))
  }
  const remove = (item: OrderItem) => {
    onChange(items.filter((other) => other !== item))
    setChanged(fill(newOrder.removed, { name: item.name }))
    // The button that had the focus is gone.
    search.current?.focus()
  }
  return (
    <fieldset className="order-items">
      <legend>{orders.items}</legend>
      <Search inputRef={search} currency={currency} add={add} />
      {items.length === 0 ? (
        <p className="secondary-text">{newOrder.none}</p>
      ) : (
        <ul className="picker" aria-label={newOrder.chosen}>
          {items.map((item) => (
            <Row
              key={item.variant_id}
              item={item}
              currency={currency}
              error={errorOf(rowName(item))}
              onQuantity={(quantity) => change(item, quantity)}
              onRemove={() => remove(item)}
            />
          ))}
        </ul>
      )}
      <p className="visually-hidden" role="status">
        {changed}
      </p>
    </fieldset>
  )
}

interface SearchProps {
  inputRef: React.RefObject<HTMLInputElement | null>
  currency: string | undefined
  add: (item: OrderItem) => void
}

function Search({ inputRef, currency, add }: SearchProps) {
  const id = useId()
  const [text, setText] = useState('')
  const { data, error, refetch } = useProducts(text, { status: ['active'] })
  const found = (data ?? []).flatMap((product) =>
    (product.variants ?? []).map((variant) => itemOf(product, variant)),
  )
  return (
    <>
      {error && <Failure error={error} retry={() => refetch()} />}
      <div className="field">
        <label htmlFor={id}>{picking.search}</label>
        <input
          id={id}
          ref={inputRef}
          type="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
          // Enter would send the order.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </div>
      {data && found.length === 0 && <p>{picking.nothing}</p>}
      <ul className="picker" aria-label={newOrder.found}>
        {found.slice(0, FOUND_SHOWN).map((item) => (
          <li key={item.variant_id}>
            <span>{item.name}</span>
            <span className="money">
              {currency !== undefined && formatMoney(item.unit_price_cents, currency)}
            </span>
            <button
              type="button"
              aria-label={fill(picking.addNamed, { name: item.name })}
              onClick={() => add(item)}
            >
              {picking.add}
            </button>
          </li>
        ))}
      </ul>
      {found.length > FOUND_SHOWN && <p className="help">{picking.more}</p>}
    </>
  )
}

interface RowProps {
  item: OrderItem
  currency: string | undefined
  error: string | undefined
  onQuantity: (quantity: string) => void
  onRemove: () => void
}

function Row({ item, currency, error, onQuantity, onRemove }: RowProps) {
  const id = rowName(item)
  const units = unitsOf(item)
  return (
    <li>
      <span>{item.name}</span>
      <input
        id={id}
        className="quantity"
        inputMode="numeric"
        aria-label={fill(newOrder.quantityOf, { name: item.name })}
        aria-invalid={error !== undefined}
        {...(error !== undefined && { 'aria-describedby': `${id}-error` })}
        value={item.quantity}
        onChange={({ target }) => onQuantity(target.value)}
      />
      <span className="money">
        {currency !== undefined && units > 0
          ? formatMoney(item.unit_price_cents * units, currency)
          : '–'}
      </span>
      <button
        type="button"
        aria-label={fill(newOrder.removeNamed, { name: item.name })}
        onClick={onRemove}
      >
        {newOrder.remove}
      </button>
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </li>
  )
}
