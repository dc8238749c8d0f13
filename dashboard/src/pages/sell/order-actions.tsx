import { storeRequest } from '../../api/action.ts'
import type { Order } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatMoney, humanize } from '../../kit/format.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { orders } from '../../text/orders.ts'

const REASONS = ['requested_by_customer', 'duplicate', 'fraudulent', 'other'] as const
const OPEN: readonly string[] = ['pending', 'partially_paid', 'manual_review']

/** The actions that the state of the order allows. */
export function OrderActions({ order }: { order: Order }) {
  const isAllowed = useMayWrite('orders')
  if (!isAllowed) return <span className="quiet">{common.notAllowed}</span>
  const isOpen = OPEN.includes(order.status)
  const left = order.paid_cents - order.refunded_cents
  return (
    <>
      {isOpen && <MarkPaid order={order} />}
      {!isOpen && left > 0 && <RefundAction order={order} left={left} />}
      {order.deliveries.some(({ status }) => status === 'delivered') && <Resend order={order} />}
      <EditNote order={order} />
      {isOpen && order.paid_cents === 0 && <CancelOrder order={order} />}
      <Block order={order} />
    </>
  )
}

function RefundAction({ order, left }: { order: Order; left: number }) {
  const { id, currency } = order
  const amountOf = (values: Record<string, unknown>) =>
    typeof values.amount_cents === 'number' && Number.isFinite(values.amount_cents)
      ? values.amount_cents
      : left
  return (
    <Action
      label={orders.refund}
      isDanger
      lead={<p>{fill(orders.refundLead, { left: formatMoney(left, currency) })}</p>}
      fields={[
        { name: 'amount_cents', label: common.amount, type: 'money', currency, value: left },
        {
          name: 'reason',
          label: common.reason,
          type: 'select',
          required: true,
          value: 'requested_by_customer',
          options: REASONS.map((value) => ({ value, label: humanize(value) })),
        },
        { name: 'note', label: common.note, type: 'textarea' },
        { name: 'restock', label: orders.restock, type: 'checkbox' },
      ]}
      submit={(values) =>
        fill(orders.refundAmount, { amount: formatMoney(amountOf(values), currency) })
      }
      request={({ amount_cents, reason, note, restock }) =>
        storeRequest('orders', 'refund', id, {
          // All that is left is said by leaving the amount out, so that a stale page refunds no wrong sum.
          ...(amount_cents !== left && { amount_cents: amount_cents as number }),
          reason: reason as (typeof REASONS)[number],
          ...(note !== undefined && { note: String(note) }),
          ...(restock === true && { restock: true }),
        })
      }
    />
  )
}

function MarkPaid({ order }: { order: Order }) {
  const { id, currency } = order
  const owed = order.total_cents - order.paid_cents
  return (
    <Action
      label={orders.markPaid}
      isPrimary
      lead={<p>{orders.markPaidLead}</p>}
      fields={[
        { name: 'amount_cents', label: common.amount, type: 'money', currency, value: owed },
        { name: 'reference', label: orders.reference },
        { name: 'note', label: common.note, type: 'textarea' },
      ]}
      submit={({ amount_cents }) =>
        fill(orders.recordPayment, { amount: formatMoney(Number(amount_cents ?? owed), currency) })
      }
      request={({ amount_cents, reference, note }) =>
        storeRequest('orders', 'addManualPayment', id, {
          ...(amount_cents !== undefined && { amount_cents: Number(amount_cents) }),
          ...(reference !== undefined && { reference: String(reference) }),
          ...(note !== undefined && { note: String(note) }),
        })
      }
    />
  )
}

const Resend = ({ order }: { order: Order }) => (
  <Action
    label={orders.resend}
    lead={<p>{orders.resendLead}</p>}
    submit={orders.resend}
    done={orders.resent}
    request={() => storeRequest('orders', 'resendDeliveries', order.id)}
  />
)

const EditNote = ({ order }: { order: Order }) => (
  <Action
    label={orders.editNote}
    fields={[{ name: 'note', label: common.note, type: 'textarea', value: order.note }]}
    submit={common.save}
    request={({ note }) =>
      storeRequest('orders', 'update', order.id, { note: note === undefined ? null : String(note) })
    }
  />
)

const CancelOrder = ({ order }: { order: Order }) => (
  <Action
    label={orders.cancelOrder}
    isDanger
    lead={<p>{orders.cancelLead}</p>}
    fields={[{ name: 'reason', label: common.reason }]}
    submit={orders.cancelOrder}
    request={({ reason }) =>
      storeRequest('orders', 'cancel', order.id, {
        ...(reason !== undefined && { reason: String(reason) }),
      })
    }
  />
)

const Block = ({ order: { customer } }: { order: Order }) => (
  <Action
    label={orders.block}
    isDanger
    lead={<p>{fill(orders.blockLead, { email: customer.email })}</p>}
    fields={[
      { name: 'note', label: common.reason },
      { name: 'block_ips', label: orders.blockAddresses, type: 'checkbox' },
    ]}
    submit={orders.block}
    request={({ note, block_ips }) =>
      storeRequest('customers', 'block', customer.id, {
        ...(note !== undefined && { note: String(note) }),
        ...(block_ips === true && { block_ips: true }),
      })
    }
  />
)
