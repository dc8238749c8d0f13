import { storeRequest } from '../../api/action.ts'
import type { Order, Return } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { Typed } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { returns } from '../../text/returns.ts'
import { nameOf, unitsOf } from './return-parts.ts'

interface Of {
  record: Return
  order: Order
}

/** The next steps of a return, by its state. */
export function ReturnActions({ record, order }: Of) {
  const isAllowed = useMayWrite('returns')
  if (!isAllowed) return <span className="quiet">{common.notAllowed}</span>
  switch (record.status) {
    case 'requested':
      return (
        <>
          <Approve record={record} />
          <Reject id={record.id} />
          <Cancel id={record.id} />
        </>
      )
    case 'approved':
      return (
        <>
          <Receive record={record} order={order} />
          <Cancel id={record.id} />
        </>
      )
    case 'received':
      return <Refund record={record} order={order} />
    default:
      return null
  }
}

const textOrNull = (value: Typed[string]) => (value === undefined ? null : String(value))

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

const Reject = ({ id }: { id: number }) => (
  <Action
    label={returns.reject}
    isDanger
    lead={<p>{returns.rejectLead}</p>}
    fields={[{ name: 'note', label: common.reason }]}
    submit={returns.reject}
    request={({ note }) => storeRequest('returns', 'reject', id, { note: textOrNull(note) })}
  />
)

const Cancel = ({ id }: { id: number }) => (
  <Action
    label={returns.cancel}
    isDanger
    lead={<p>{returns.cancelLead}</p>}
    submit={returns.cancel}
    request={() => storeRequest('returns', 'cancel', id)}
  />
)

const Receive = ({ record, order }: Of) => (
  <Action
    label={returns.receive}
    isPrimary
    lead={<p>{returns.receiveLead}</p>}
    fields={record.items.flatMap(({ order_item_id, quantity }) => {
      const name = nameOf(order, order_item_id)
      return [
        {
          name: `arrived_${order_item_id}`,
          label: fill(returns.arrivedOf, { name, units: quantity }),
          type: 'number' as const,
          required: true,
          value: quantity,
        },
        {
          name: `damaged_${order_item_id}`,
          label: fill(returns.damagedOf, { name }),
          type: 'number' as const,
          required: true,
          value: 0,
        },
      ]
    })}
    submit={returns.receive}
    request={(typed) =>
      storeRequest('returns', 'receive', record.id, {
        items: record.items.map(({ order_item_id }) => ({
          order_item_id,
          received_quantity: typed[`arrived_${order_item_id}`] as number,
          damaged_quantity: typed[`damaged_${order_item_id}`] as number,
        })),
      })
    }
  />
)

const Refund = ({ record, order: { currency } }: Of) => (
  <Action
    label={returns.refund}
    isPrimary
    lead={<p>{returns.refundLead}</p>}
    fields={[{ name: 'amount_cents', label: common.amount, type: 'money', currency }]}
    submit={returns.refundSubmit}
    request={({ amount_cents }) =>
      storeRequest('returns', 'refund', record.id, {
        ...(amount_cents !== undefined && { amount_cents: amount_cents as number }),
      })
    }
  />
)
