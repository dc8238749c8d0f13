import { storeRequest } from '../../api/action.ts'
import type { Order } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { clearedAsNull, EditAction } from '../../kit/edit-action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { State } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { LONG_NOTE_MAX } from '../../kit/text-limits.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { orders } from '../../text/orders.ts'
import { BlockActions } from '../people/block-customer.tsx'
import { isOpenStatus, owedCentsOf } from './open-orders.ts'
import { activeDeliveries, pendingRefundCents, RefundAction } from './order-refund.tsx'
import { PayFromBalance, useCustomerOf } from './pay-from-balance.tsx'

/** The actions that the state of the order allows. */
export function OrderActions({ order }: { order: Order }) {
  const isAllowed = useMayWrite('orders')
  const customer = useCustomerOf(order, { enabled: isAllowed })
  if (!isAllowed) return <NotAllowed area="orders" />
  const isOpen = isOpenStatus(order.status)
  const refundableCents = order.paid_cents - order.refunded_cents - pendingRefundCents(order)
  return (
    <>
      {order.hold && <State state="on_hold" />}
      {order.refund_status === 'partial' && <State state="refunded">{orders.partlyRefunded}</State>}
      {isOpen && <MarkPaid order={order} />}
      {isOpen && customer.data && <PayFromBalance order={order} customer={customer.data} />}
      {order.hold && <Release order={order} />}
      {mayResend(order) && <Resend order={order} />}
      <EditNote order={order} />
      {!isOpen && refundableCents > 0 && (
        <RefundAction order={order} refundableCents={refundableCents} />
      )}
      {!order.hold && !hasEnded(order) && <Hold order={order} />}
      {isOpen && <CancelOrder order={order} />}
      {!customer.data?.erased_at && (
        <BlockActions
          customer={order.customer}
          // If the customer cannot be read, blocking is offered, which changes nothing for a blocked customer.
          isBlocked={customer.isError ? false : customer.data?.blocked}
        />
      )}
    </>
  )
}

function MarkPaid({ order }: { order: Order }) {
  const { id, currency } = order
  const owedCents = owedCentsOf(order)
  return (
    <Action
      label={orders.markPaid}
      isPrimary
      lead={<p>{orders.markPaidLead}</p>}
      fields={[
        { name: 'amount_cents', label: common.amount, type: 'money', currency, value: owedCents },
        { name: 'reference', label: orders.reference },
        { name: 'note', label: common.note, type: 'textarea' },
      ]}
      submit={({ amount_cents }) =>
        fill(orders.recordPayment, {
          amount: formatMoney(Number(amount_cents ?? owedCents), currency),
        })
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

/** True if the order has deliveries that its buyer may have. */
export const mayResend = (order: Order): boolean =>
  !order.hold && activeDeliveries(order).length > 0

interface ResendProps {
  order: Order
  label?: string
}

export const Resend = ({ order, label = orders.resend }: ResendProps) => (
  <Action
    label={label}
    title={orders.resend}
    lead={<p>{orders.resendLead}</p>}
    fields={[{ name: 'to', label: orders.resendTo, type: 'email', help: orders.resendToHelp }]}
    submit={orders.resend}
    done={orders.resent}
    request={({ to }) =>
      storeRequest(
        'orders',
        'resendDeliveries',
        order.id,
        to === undefined ? {} : { to: String(to) },
      )
    }
  />
)

const hasEnded = ({ status }: Order): boolean =>
  !isOpenStatus(status) && status !== 'paid' && status !== 'completed'

const Hold = ({ order }: { order: Order }) => (
  <Action
    label={orders.hold}
    isDanger
    lead={<p>{orders.holdLead}</p>}
    submit={orders.hold}
    request={() => storeRequest('orders', 'hold', order.id, {})}
  />
)

const Release = ({ order }: { order: Order }) => (
  <Action
    label={orders.release}
    lead={<p>{orders.releaseLead}</p>}
    submit={orders.release}
    request={() => storeRequest('orders', 'release', order.id)}
  />
)

const EditNote = ({ order }: { order: Order }) => (
  <EditAction
    label={orders.editNote}
    record={order}
    read={async ({ api }) => (await api.orders.get(order.id)).order}
    fields={({ note }) => [
      { name: 'note', label: common.note, type: 'textarea', maxLength: LONG_NOTE_MAX, value: note },
    ]}
    request={(changed) => storeRequest('orders', 'update', order.id, clearedAsNull(changed))}
  />
)

const CancelOrder = ({ order }: { order: Order }) => (
  <Action
    label={orders.cancelOrder}
    isDanger
    lead={
      <p>
        {fill(orders.cancelLead, {
          amount: formatMoney(order.total_cents, order.currency),
          units: formatNumber(order.items.reduce((sum, { quantity }) => sum + quantity, 0)),
        })}
        {order.paid_cents > 0 && ` ${orders.cancelPaid}`}
      </p>
    }
    fields={[{ name: 'reason', label: common.reason }]}
    submit={orders.cancelOrder}
    request={({ reason }) =>
      storeRequest('orders', 'cancel', order.id, {
        ...(reason !== undefined && { reason: String(reason) }),
      })
    }
  />
)
