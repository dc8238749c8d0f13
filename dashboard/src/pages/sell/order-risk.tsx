import type { ReactNode } from 'react'
import { type Order, type StoreContext, useRead } from '../../api/store.ts'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Section, State } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { countText, listAnd } from '../../kit/words.ts'
import { affiliates } from '../../text/affiliates.ts'
import { fill } from '../../text/catalogue.ts'
import { risk } from '../../text/risk.ts'
import { useConversion } from './order-conversion.ts'

const DAY_MS = 86_400_000
/** A customer with at least this many orders within a day gets a note. */
const ORDERS_IN_DAY_MIN = 3

/** Reads the records that hint at a risk: matching entries of the blocklist, and other orders of the buyer. */
async function readRiskRecords({ api, readDashboard }: StoreContext, order: Order) {
  const { customer, ip, created_at } = order
  const from = new Date(Date.parse(created_at) - DAY_MS).toISOString()
  const buyerQuery = { customer_id: customer.id, limit: 1 }
  const [matches, dayList, refundedList] = await Promise.all([
    readDashboard<'blocklist.match'>('/blocklist-matches', { email: customer.email, ip }),
    api.orders.list({ ...buyerQuery, created_from: from, created_to: created_at }),
    api.orders.list({ ...buyerQuery, refund_status: ['partial', 'full'] }),
  ])
  return {
    entries: matches.blocklist_entries,
    ordersInDay: dayList.pagination.total,
    refundedOrders: refundedList.pagination.total - (order.refund_status === 'none' ? 0 : 1),
  }
}

interface Note {
  key: string
  content: ReactNode
}

/** Notes on the risk of an order, only from what the store recorded. */
export function OrderRisk({ order }: { order: Order }) {
  const read = useRead(['orders', order.id, 'risk'], (store) => readRiskRecords(store, order))
  const conversion = useConversion(order).data
  return (
    <Section title={risk.title}>
      <Loaded read={read} rows={2}>
        {(records) => {
          const notes = [
            ...records.entries.map(entryNote),
            ...(conversion && conversion.flags.length > 0 ? [conversionNote(conversion)] : []),
            ...countNotes(records),
          ]
          return notes.length === 0 ? (
            <p className="secondary-text">{risk.none}</p>
          ) : (
            <ul className="notes">
              {notes.map(({ key, content }) => (
                <li key={key}>{content}</li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Section>
  )
}

type RiskRecords = Awaited<ReturnType<typeof readRiskRecords>>

const entryNote = ({ id, value, reason, hits }: RiskRecords['entries'][number]): Note => ({
  key: `entry ${id}`,
  content: (
    <>
      <Link to={`/blocklist?value=${encodeURIComponent(value)}`}>
        {fill(risk.onBlocklist, { value })}
      </Link>{' '}
      {countText(hits, risk.refusedOne, risk.refusedMany)} {reason}
    </>
  ),
})

type Conversion = NonNullable<ReturnType<typeof useConversion>['data']>

const conversionNote = ({ partner, flags, status }: Conversion): Note => ({
  key: 'conversion',
  content: (
    <>
      <Link to={`/affiliates/partners/${partner.id}`}>
        {fill(risk.flagged, { partner: partner.name ?? partner.email })}
      </Link>{' '}
      {listAnd(flags.map((flag) => affiliates[flag]))} <State state={status} />
    </>
  ),
})

function countNotes({ ordersInDay, refundedOrders }: RiskRecords): Note[] {
  const notes: Note[] = []
  if (ordersInDay >= ORDERS_IN_DAY_MIN) {
    notes.push({ key: 'day', content: fill(risk.inDay, { n: formatNumber(ordersInDay) }) })
  }
  if (refundedOrders > 0) {
    const content = countText(refundedOrders, risk.refundedOne, risk.refundedMany)
    notes.push({ key: 'refunded', content })
  }
  return notes
}
