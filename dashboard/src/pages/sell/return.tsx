import { useParams } from '@tanstack/react-router'
import { type Order, type Return, useRead } from '../../api/store.ts'
import { Link } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { reasonText } from '../../kit/reasons.ts'
import { Copy, Facts, Money, Raw, Section, Stamp, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { returns } from '../../text/returns.ts'
import { ReturnActions } from './return-actions.tsx'
import { productNameOf, RETURNS_MAX } from './return-parts.ts'
import { ReturnPhotos } from './return-photos.tsx'

/** A return and its order, which has the names and prices of the items. */
interface ReturnProps {
  record: Return
  order: Order
}

interface ReturnWithOthers extends ReturnProps {
  /** The ended returns of the order. */
  endedReturns: readonly Return[]
}

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const returnId = Number(id)
  const read = useRead(['returns', returnId], async ({ api }): Promise<ReturnWithOthers> => {
    const record = (await api.returns.get(returnId)).return
    const { order_id } = record
    const [{ order }, { returns: endedReturns }] = await Promise.all([
      api.orders.get(order_id),
      api.returns.list({ order_id, status: ['refunded', 'closed'], limit: RETURNS_MAX }),
    ])
    return { record, order, endedReturns }
  })
  return (
    <Loaded read={read}>
      {({ record, order, endedReturns }) => (
        <Frame
          title={record.rma}
          parent={{ to: '/returns', label: returns.title }}
          lead={record.customer_email}
          actions={<ReturnActions record={record} order={order} endedReturns={endedReturns} />}
        >
          <div className="split">
            <div>
              <Items record={record} order={order} />
              <ReturnPhotos id={record.id} />
              <Decision record={record} order={order} />
            </div>
            <div>
              <Summary record={record} order={order} />
              <Raw record={record} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

const Items = ({ record, order }: ReturnProps) => (
  <Section title={returns.items}>
    <Table
      label={returns.items}
      rows={record.items}
      keyOf={({ order_item_id }) => order_item_id}
      columns={[
        {
          label: returns.product,
          show: ({ order_item_id }) => productNameOf(order, order_item_id),
        },
        { label: common.reason, show: ({ reason }) => reasonText(reason) },
        { label: common.note, show: ({ note }) => note ?? '–' },
        { label: returns.sent, isRightAligned: true, show: ({ quantity }) => quantity },
        {
          label: returns.arrived,
          isRightAligned: true,
          show: ({ received_quantity }) => received_quantity,
        },
        {
          label: returns.damaged,
          isRightAligned: true,
          show: ({ damaged_quantity }) => damaged_quantity,
        },
      ]}
    />
  </Section>
)

const Summary = ({ record, order }: ReturnProps) => (
  <Section title={common.details}>
    <Facts
      rows={[
        [
          returns.order,
          <Link key="order" to={`/orders/${record.order_id}`}>
            #{order.number}
          </Link>,
        ],
        [
          returns.tracking,
          record.tracking_number && <Copy key="tracking" text={record.tracking_number} />,
        ],
        [returns.carrier, record.carrier_code],
        [returns.requestedAt, <Time key="requested" at={record.requested_at} />],
      ]}
    />
  </Section>
)

const timeFact = (name: string, at: string | null) =>
  [name, at === null ? undefined : <Time key={name} at={at} />] as const

/** The decision on a return, and what followed. Steps that did not happen are left out. */
const Decision = ({ record, order }: ReturnProps) => (
  <Section title={returns.decision} actions={<Stamp state={record.status} />}>
    {record.status === 'requested' ? (
      <p>{returns.noDecision}</p>
    ) : (
      <Facts
        rows={[
          [common.reason, record.rejection_note ?? undefined],
          timeFact(returns.approvedAt, record.approved_at),
          timeFact(returns.receivedAt, record.received_at),
          timeFact(returns.closedAt, record.closed_at),
          [
            returns.refunded,
            record.refund_amount_cents === null ? undefined : (
              <Money key="refunded" cents={record.refund_amount_cents} currency={order.currency} />
            ),
          ],
        ]}
      />
    )}
  </Section>
)
