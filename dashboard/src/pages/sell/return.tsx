import { useParams } from '@tanstack/react-router'
import { type Order, type Return, useRead } from '../../api/store.ts'
import { humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Money, Raw, Section, Stamp, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { returns } from '../../text/returns.ts'
import { ReturnActions } from './return-actions.tsx'
import { nameOf } from './return-parts.ts'

/** A return with its order, which knows the names and prices of the items. */
interface Read {
  record: Return
  order: Order
}

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const number = Number(id)
  const read = useRead(['returns', number], async ({ api }): Promise<Read> => {
    const record = (await api.returns.get(number)).return
    return { record, order: (await api.orders.get(record.order_id)).order }
  })
  return (
    <Loaded read={read}>
      {({ record, order }) => (
        <Frame
          title={record.rma}
          parent={{ to: '/returns', label: returns.title }}
          lead={record.customer_email}
          actions={<ReturnActions record={record} order={order} />}
        >
          <div className="split">
            <div>
              <Items record={record} order={order} />
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

const Items = ({ record, order }: Read) => (
  <Section title={returns.items}>
    <Table
      label={returns.items}
      rows={record.items}
      keyOf={({ order_item_id }) => order_item_id}
      columns={[
        { label: returns.product, show: ({ order_item_id }) => nameOf(order, order_item_id) },
        { label: common.reason, show: ({ reason }) => humanize(reason) },
        { label: common.note, show: ({ note }) => note ?? '–' },
        { label: returns.sent, isNumber: true, show: ({ quantity }) => quantity },
        {
          label: returns.arrived,
          isNumber: true,
          show: ({ received_quantity }) => received_quantity,
        },
        {
          label: returns.damaged,
          isNumber: true,
          show: ({ damaged_quantity }) => damaged_quantity,
        },
      ]}
    />
  </Section>
)

const Summary = ({ record, order }: Read) => (
  <Section title={common.details} actions={<Stamp state={record.status} />}>
    <Facts
      of={[
        [
          returns.order,
          <Link key="order" to={`/orders/${record.order_id}`}>
            #{order.number}
          </Link>,
        ],
        [
          returns.refunded,
          record.refund_amount_cents !== null && (
            <Money key="refunded" cents={record.refund_amount_cents} currency={order.currency} />
          ),
        ],
        [
          returns.tracking,
          record.tracking_number && <Copy key="tracking" text={record.tracking_number} />,
        ],
        [returns.carrier, record.carrier_code],
        [returns.requestedAt, <Time key="requested" at={record.requested_at} />],
        [returns.approvedAt, record.approved_at && <Time key="approved" at={record.approved_at} />],
        [returns.receivedAt, record.received_at && <Time key="received" at={record.received_at} />],
        [returns.closedAt, record.closed_at && <Time key="closed" at={record.closed_at} />],
        [common.reason, record.rejection_note],
      ]}
    />
  </Section>
)
