import { storeRequest } from '../../api/action.ts'
import type { Order } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { type Field, type FormValues, requestValues } from '../../kit/fields.tsx'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { reasonText } from '../../kit/reasons.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { orderRefund } from '../../text/order-refund.ts'
import { orders } from '../../text/orders.ts'

const REASONS = ['requested_by_customer', 'duplicate', 'fraudulent', 'other'] as const

export const activeDeliveries = ({ deliveries }: Order) =>
  deliveries.filter(({ status }) => status === 'delivered')

/** The amount of refunds that a provider has not confirmed. */
export const pendingRefundCents = ({ refunds }: Order): number =>
  refunds.reduce(
    (sum, { status, amount_cents }) => sum + (status === 'pending' ? amount_cents : 0),
    0,
  )

/** A line of an order with what its refunds gave back. */
interface RefundableLine {
  id: number
  name: string
  quantity: number
  total_cents: number
  refundedUnits: number
  refundedCents: number
}

/** The lines of an order with units that can be refunded. */
function refundableLines({ items, refunds }: Order): RefundableLine[] {
  const refunded = refunds.filter(({ status }) => status !== 'failed').flatMap((one) => one.items)
  return items
    .map(({ id, name, variant_name, quantity, total_cents }) => {
      const ofLine = refunded.filter(({ order_item_id }) => order_item_id === id)
      return {
        id,
        name: variant_name === 'Default' ? name : `${name} · ${variant_name}`,
        quantity,
        total_cents,
        refundedUnits: ofLine.reduce((sum, line) => sum + line.quantity, 0),
        refundedCents: ofLine.reduce((sum, line) => sum + line.amount_cents, 0),
      }
    })
    .filter(({ quantity, refundedUnits }) => quantity > refundedUnits)
}

/** The price of units, as the API rounds it: shares of a line are rounded down, and the last unit has the remainder. */
function priceOf(line: RefundableLine, units: number): number {
  const { quantity, total_cents, refundedUnits, refundedCents } = line
  const priceOfFirst = (count: number) =>
    Number((BigInt(total_cents) * BigInt(count)) / BigInt(quantity))
  const cents = priceOfFirst(refundedUnits + units) - priceOfFirst(refundedUnits)
  return Math.min(cents, Math.max(0, total_cents - refundedCents))
}

const fieldName = ({ id }: RefundableLine): string => `units_${id}`

const unitsIn = (values: FormValues, line: RefundableLine): number => {
  const units = values[fieldName(line)]
  return typeof units === 'number' && Number.isInteger(units) && units > 0 ? units : 0
}

const namesItems = ({ what }: FormValues): boolean => what === 'items'

/** Refunds an amount, or units of lines by their price. */
export function RefundAction({
  order,
  refundableCents,
}: {
  order: Order
  refundableCents: number
}) {
  const { id, currency } = order
  const activeCount = activeDeliveries(order).length
  const lines = refundableLines(order)
  const amountField: Field = {
    name: 'amount_cents',
    label: common.amount,
    type: 'money',
    currency,
    value: refundableCents,
    when: (inputs) => !namesItems(inputs),
  }
  const amountOf = (values: FormValues) => {
    if (namesItems(values))
      return lines.reduce((sum, line) => sum + priceOf(line, unitsIn(values, line)), 0)
    return typeof values.amount_cents === 'number' && Number.isFinite(values.amount_cents)
      ? values.amount_cents
      : refundableCents
  }
  return (
    <Action
      label={orders.refund}
      isDanger
      lead={
        <p>
          {fill(orders.refundLead, { left: formatMoney(refundableCents, currency) })}
          {activeCount > 0 && ` ${fill(orders.refundRevokes, { n: formatNumber(activeCount) })}`}
        </p>
      }
      fields={[
        ...(lines.length > 0 ? [WHAT] : []),
        amountField,
        ...lines.map((line) => unitsField(line)),
        REASON,
        { name: 'note', label: common.note, type: 'textarea' },
        GOES_TO,
        // A part of the amount names no goods, and units that the buyer has come back by a return.
        {
          name: 'restock',
          label: orders.restock,
          type: 'checkbox',
          when: (inputs) =>
            namesItems(inputs)
              ? order.status === 'paid'
              : amountOf(requestValues([amountField], inputs)) === refundableCents,
        },
      ]}
      submit={(values) =>
        fill(orders.refundAmount, { amount: formatMoney(amountOf(values), currency) })
      }
      request={(values) => {
        const { amount_cents, reason, note, restock, to_balance } = values
        return storeRequest('orders', 'refund', id, {
          ...(namesItems(values)
            ? { items: itemsOf(lines, values) }
            : // A full refund omits the amount, so that a stale page cannot refund a wrong sum.
              amount_cents !== refundableCents && { amount_cents: amount_cents as number }),
          reason: reason as (typeof REASONS)[number],
          ...(note !== undefined && { note: String(note) }),
          ...(restock === true && { restock: true }),
          // Without this field, the part that was paid from the balance goes back to the balance.
          ...(to_balance === 'balance' && { to_balance: true }),
        })
      }}
    />
  )
}

const WHAT: Field = {
  name: 'what',
  label: orderRefund.what,
  type: 'select',
  required: true,
  value: 'amount',
  options: [
    { value: 'amount', label: orderRefund.anAmount },
    { value: 'items', label: orderRefund.units },
  ],
  help: orderRefund.unitsHelp,
}

const REASON: Field = {
  name: 'reason',
  label: common.reason,
  type: 'select',
  required: true,
  value: 'requested_by_customer',
  options: REASONS.map((value) => ({ value, label: reasonText(value) })),
}

const GOES_TO: Field = {
  name: 'to_balance',
  label: orders.refundTo,
  type: 'select',
  required: true,
  value: 'payment',
  options: [
    { value: 'payment', label: orders.refundToPayment },
    { value: 'balance', label: orders.refundToBalance },
  ],
}

const unitsField = (line: RefundableLine): Field => {
  const max = line.quantity - line.refundedUnits
  return {
    name: fieldName(line),
    label: fill(orderRefund.unitsOf, { name: line.name, n: formatNumber(max) }),
    type: 'number',
    value: 0,
    min: 0,
    max,
    when: namesItems,
  }
}

const itemsOf = (lines: readonly RefundableLine[], values: FormValues) =>
  lines
    .map((line) => ({ order_item_id: line.id, quantity: unitsIn(values, line) }))
    .filter(({ quantity }) => quantity > 0)
