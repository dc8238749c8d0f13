import { storeRequest } from '../../api/action.ts'
import type { Order, Return } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { FormValues } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { NotAllowed } from '../../kit/states.tsx'
import { textOrNull } from '../../kit/values.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { orders } from '../../text/orders.ts'
import { returns } from '../../text/returns.ts'
import { paidForReceived, productNameOf, unitsOf } from './return-parts.ts'

interface ReturnProps {
  record: Return
  order: Order
  /** The ended returns of the order. */
  endedReturns: readonly Return[]
}

/** The next steps of a return, by its state. */
export function ReturnActions({ record, order, endedReturns }: ReturnProps) {
  const isAllowed = useMayWrite('returns')
  if (!isAllowed) return <NotAllowed area="returns" />
  switch (record.status) {
    case 'requested':
      return (
        <>
          <Approve record={record} />
          <Reject record={record} />
          <Cancel record={record} />
        </>
      )
    case 'approved':
      return (
        <>
          <Receive record={record} order={order} />
          <Cancel record={record} />
        </>
      )
    case 'received':
      return <Refund record={record} order={order} endedReturns={endedReturns} />
    default:
      return null
  }
}

const Approve = ({ record }: { record: Return }) => (
  <Action
    label={returns.approve}
    isPrimary
    lead={<p>{fill(returns.approveLead, { units: formatNumber(unitsOf(record)) })}</p>}
    fields={[
      { name: 'tracking_number', label: returns.tracking, value: record.tracking_number },
      { name: 'carrier_code', label: returns.carrier, value: record.carrier_code },
    ]}
    submit={returns.approve}
    request={({ tracking_number, carrier_code }) =>
      storeRequest('returns', 'approve', record.id, {
        tracking_number: textOrNull(tracking_number),
        carrier_code: textOrNull(carrier_code),
      })
    }
  />
)

const Reject = ({ record }: { record: Return }) => (
  <Action
    label={returns.reject}
    isDanger
    lead={<p>{fill(returns.rejectLead, { units: formatNumber(unitsOf(record)) })}</p>}
    fields={[{ name: 'note', label: common.reason }]}
    submit={returns.reject}
    request={({ note }) => storeRequest('returns', 'reject', record.id, { note: textOrNull(note) })}
  />
)

const Cancel = ({ record }: { record: Return }) => (
  <Action
    label={returns.cancel}
    isDanger
    lead={<p>{fill(returns.cancelLead, { units: formatNumber(unitsOf(record)) })}</p>}
    submit={returns.cancel}
    request={() => storeRequest('returns', 'cancel', record.id)}
  />
)

const Receive = ({ record, order }: Omit<ReturnProps, 'endedReturns'>) => (
  <Action
    label={returns.receive}
    isPrimary
    lead={<p>{returns.receiveLead}</p>}
    // The names are those of the API, so that its refusals appear next to their fields.
    fields={record.items.flatMap(({ order_item_id, quantity }, index) => {
      const name = productNameOf(order, order_item_id)
      return [
        {
          name: `items[${index}].received_quantity`,
          label: fill(returns.arrivedOf, { name, units: quantity }),
          type: 'number' as const,
          required: true,
          value: quantity,
        },
        {
          name: `items[${index}].damaged_quantity`,
          label: fill(returns.damagedOf, { name }),
          type: 'number' as const,
          required: true,
          value: 0,
        },
      ]
    })}
    submit={returns.receive}
    request={(values) =>
      storeRequest('returns', 'receive', record.id, {
        items: record.items.map(({ order_item_id }, index) => ({
          order_item_id,
          received_quantity: values[`items[${index}].received_quantity`] as number,
          damaged_quantity: values[`items[${index}].damaged_quantity`] as number,
        })),
      })
    }
  />
)

function Refund({ record, order, endedReturns }: ReturnProps) {
  const { currency } = order
  const paidCents = paidForReceived(record, order, endedReturns)
  const refundableCents = order.paid_cents - order.refunded_cents
  const amountOf = ({ amount_cents }: FormValues) =>
    typeof amount_cents === 'number' ? amount_cents : paidCents
  return (
    <Action
      label={returns.refund}
      isPrimary
      lead={
        <p>
          {fill(returns.refundLead, {
            paid: formatMoney(paidCents, currency),
            left: formatMoney(refundableCents, currency),
          })}
        </p>
      }
      fields={[
        {
          name: 'amount_cents',
          label: common.amount,
          type: 'money',
          currency,
          value: Math.min(paidCents, refundableCents),
        },
      ]}
      submit={(values) =>
        amountOf(values) === 0
          ? returns.endUnrefunded
          : fill(orders.refundAmount, { amount: formatMoney(amountOf(values), currency) })
      }
      request={(values) => {
        const amount_cents = amountOf(values)
        // The default amount is omitted, so that a stale page cannot refund a wrong sum.
        return storeRequest('returns', 'refund', record.id, {
          ...(amount_cents !== paidCents && { amount_cents }),
        })
      }}
    />
  )
}
