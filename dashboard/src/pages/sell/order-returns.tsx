import { storeRequest } from '../../api/action.ts'
import { type Order, type Return, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { Field } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { Table } from '../../kit/list.tsx'
import { reasonText } from '../../kit/reasons.ts'
import { Section, State, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { returns } from '../../text/returns.ts'
import { RETURNS_MAX, unitsOf } from './return-parts.ts'

const RETURNABLE_STATUSES: readonly string[] = ['paid', 'completed', 'refunded']
const REASONS = [
  'changed_mind',
  'damaged_or_defective',
  'not_as_described',
  'wrong_item',
  'too_small',
  'too_large',
  'other',
] as const
/** The maximum number of units of a line that can be chosen for one return. */
const UNITS_MAX = 100

/** A physical line of an order with units that are in no return. */
interface ReturnableLine {
  id: number
  name: string
  units: number
}

/** The returns of an order with physical goods, and the request of another one. */
export function OrderReturns({ order }: { order: Order }) {
  const isAllowed = useMayWrite('returns')
  const isPhysical = order.items.some(({ delivery_type }) => delivery_type === 'physical')
  const read = useRead(
    ['returns', 'of order', order.id],
    async ({ api }) => (await api.returns.list({ order_id: order.id, limit: RETURNS_MAX })).returns,
    { enabled: isPhysical },
  )
  const isReturnable = RETURNABLE_STATUSES.includes(order.status)
  if (!isPhysical || (!isReturnable && !read.data?.length)) return null
  const lines = isReturnable && read.data ? returnableLines(order, read.data) : []
  return (
    <Section
      title={returns.title}
      actions={isAllowed && lines.length > 0 && <RequestReturn order={order} lines={lines} />}
    >
      <Loaded read={read} rows={1}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{returns.noneOfOrder}</Empty>
          ) : (
            <Table
              label={returns.title}
              rows={rows}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => `/returns/${id}`}
              columns={[
                { label: returns.number, show: ({ rma }) => rma },
                { label: common.status, show: ({ status }) => <State state={status} /> },
                { label: returns.units, isRightAligned: true, show: unitsOf },
                {
                  label: returns.requestedAt,
                  show: ({ requested_at }) => <Time at={requested_at} />,
                },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

/** The units that a return claims: the requested ones until it is received, and then the received ones. */
const claimedUnits = ({ status, received_at, items }: Return, lineId: number): number => {
  if (status === 'rejected' || status === 'cancelled') return 0
  const item = items.find(({ order_item_id }) => order_item_id === lineId)
  return (received_at === null ? item?.quantity : item?.received_quantity) ?? 0
}

/** A seller who records no parcels may have sent units that were refunded before. */
const sentUnits = ({ fulfillment_status }: Order, line: Order['items'][number]): number =>
  ['partial', 'fulfilled'].includes(fulfillment_status)
    ? line.quantity - line.cancelled_quantity
    : line.quantity

const returnableLines = (order: Order, rows: readonly Return[]): ReturnableLine[] =>
  order.items
    .filter(({ delivery_type }) => delivery_type === 'physical')
    .map((line) => ({
      id: line.id,
      name: line.name,
      units: rows.reduce((left, row) => left - claimedUnits(row, line.id), sentUnits(order, line)),
    }))
    .filter(({ units }) => units > 0)

const fieldOf = ({ id, name, units }: ReturnableLine, isOnly: boolean): Field => ({
  name: `units_${id}`,
  label: fill(returns.unitsBack, { name, n: units }),
  type: 'select',
  required: true,
  value: isOnly ? '1' : '0',
  options: Array.from({ length: Math.min(units, UNITS_MAX) + 1 }, (_, n) => ({
    value: String(n),
    label: String(n),
  })),
})

function RequestReturn({ order, lines }: { order: Order; lines: readonly ReturnableLine[] }) {
  return (
    <Action
      label={returns.record}
      lead={<p>{returns.recordLead}</p>}
      fields={[
        ...lines.map((line) => fieldOf(line, lines.length === 1)),
        {
          name: 'reason',
          label: common.reason,
          type: 'select',
          required: true,
          value: 'other',
          options: REASONS.map((value) => ({ value, label: reasonText(value) })),
        },
        { name: 'note', label: returns.customerNote, type: 'textarea' },
      ]}
      submit={returns.record}
      request={({ reason, note, ...units }) =>
        storeRequest('returns', 'create', {
          order_id: order.id,
          items: lines
            .map(({ id }) => ({
              order_item_id: id,
              quantity: Number(units[`units_${id}`]),
              reason: reason as (typeof REASONS)[number],
              ...(note !== undefined && { note: String(note) }),
            }))
            .filter(({ quantity }) => quantity > 0),
        })
      }
      pageOf={(answer) => `/returns/${(answer as { return: Return }).return.id}`}
    />
  )
}
