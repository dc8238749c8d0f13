import { storeRequest } from '../../api/action.ts'
import type { Order, Payment } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatMoney, humanize } from '../../kit/format.ts'
import { Table } from '../../kit/list.tsx'
import { Money, Section, State, Time } from '../../kit/show.tsx'
import { Empty } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { orders } from '../../text/orders.ts'

export function OrderPayments({ order }: { order: Order }) {
  const isAllowed = useMayWrite('orders')
  const needsReview = order.payments.some(({ status }) => status === 'pending_review')
  return (
    <Section title={orders.payments}>
      {order.payments.length === 0 ? (
        <Empty>{orders.noPayments}</Empty>
      ) : (
        <Table
          label={orders.payments}
          rows={order.payments}
          keyOf={({ id }) => id}
          columns={[
            { label: orders.method, show: ({ kind }) => humanize(kind) },
            { label: common.status, show: ({ status }) => <State state={status} /> },
            {
              label: orders.reference.split(',')[0] ?? '',
              show: ({ reference }) => reference ?? '–',
            },
            { label: common.created, show: ({ created_at }) => <Time at={created_at} /> },
            {
              label: common.amount,
              isRightAligned: true,
              show: ({ amount_cents, currency }) => (
                <Money cents={amount_cents} currency={currency} />
              ),
            },
          ]}
          {...(isAllowed &&
            needsReview && {
              rowActions: (payment: Payment) =>
                payment.status === 'pending_review' && <Review order={order} payment={payment} />,
            })}
        />
      )}
    </Section>
  )
}

const NOTE = [{ name: 'note', label: common.note, type: 'textarea' as const }]
const noteOf = ({ note }: Record<string, unknown>) =>
  note === undefined ? undefined : { note: String(note) }

const Review = ({ order, payment }: { order: Order; payment: Payment }) => (
  <>
    <Action
      label={orders.approve}
      isPrimary
      fields={NOTE}
      submit={orders.approve}
      request={(values) =>
        storeRequest('orders', 'approveManualPayment', order.id, payment.id, noteOf(values))
      }
    />
    <Action
      label={orders.reject}
      isDanger
      lead={
        <p>
          {fill(orders.rejectLead, {
            amount: formatMoney(payment.amount_cents, payment.currency),
          })}
        </p>
      }
      fields={NOTE}
      submit={orders.reject}
      request={(values) =>
        storeRequest('orders', 'rejectManualPayment', order.id, payment.id, noteOf(values))
      }
    />
  </>
)
