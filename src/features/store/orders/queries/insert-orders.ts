import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import { foldedColumn } from '../../../../kernel/fold.ts'
import { ORDER_LIFE } from '../../order-life.ts'
import type { OrderLine, OrderTotals } from '../lines.rules.ts'
import type { Order, StoredOrder } from '../schema.ts'
import { deliveryParts, type NewDelivery } from './deliveries.ts'
import { orderColumns, SEARCH_INDEX, type SealedOrder } from './orders.ts'
import { insertPaymentsSql, type NewPaymentRow } from './payments.ts'

export interface NewOrderRow extends OrderTotals {
  id: string
  fulfillment_status: string
  source: string
  currency: string
  payment_method: string | null
  customer_id: number
  customer_email: string
  customer_name: string | null
  customer_country: string | null
  shipping_address: unknown
  coupon: Order['coupon']
  affiliate: Order['affiliate']
  shipping: Order['shipping']
  custom_fields: Record<string, string>
  metadata: Record<string, string>
  ip?: string | null
  user_agent?: string | null
  return_url?: string | null
  expires_at: string | null
  recurring: StoredOrder['recurring']
  language: Order['language']
  by_user: boolean
  created_at: string
}

/** A line of a new order, with the units of stock that it reserves. */
interface NewOrderLine extends OrderLine {
  reserved: number
  /** The units that the line of a paid order waits for; by default 0. */
  owed?: number
  /** True if stock was taken for the line, or it needed none; by default false. */
  served?: boolean
}

interface NewOrderWithLines {
  row: NewOrderRow
  lines: readonly NewOrderLine[]
  /** The reason of the first entry of the history; by default null. */
  reason?: string | null
}

/** The payment of an order that is inserted as paid, and the deliveries of its lines in their sequence. */
interface PaymentAtOnce {
  payment: NewPaymentRow
  deliveries: readonly NewDelivery[]
  isComplete: boolean
}

/** Inserts an order, and returns it without its payment and deliveries. */
export async function insertOrder(
  tx: Tx,
  storeId: number,
  { paid, ...order }: NewOrderWithLines & { paid?: PaymentAtOnce },
): Promise<SealedOrder> {
  const state = paid ? paidState(order.row, paid) : unpaidState(order)
  const parts = paid ? paymentParts(tx, storeId, paid) : sql``
  const [inserted] = await insertRows(tx, storeId, [{ ...order, state }], parts)
  if (!inserted) throw new Error('The store has no order counter.')
  return inserted
}

/** Inserts unpaid orders, and returns them in sequence. */
export const insertOrders = (
  tx: Tx,
  storeId: number,
  orders: readonly NewOrderWithLines[],
): Promise<SealedOrder[]> =>
  insertRows(
    tx,
    storeId,
    orders.map((order) => ({ ...order, state: unpaidState(order) })),
    sql``,
  )

const unpaidState = ({ row, reason = null }: NewOrderWithLines) => ({
  status: 'pending',
  paid_cents: 0,
  status_history: [{ status: 'pending', at: row.created_at, reason }],
})

function paidState(row: NewOrderRow, { payment, isComplete }: PaymentAtOnce) {
  const at = row.created_at
  const statuses = isComplete ? ['pending', 'paid', 'completed'] : ['pending', 'paid']
  return {
    status: statuses.at(-1),
    paid_cents: payment.amount_cents,
    payment_method: payment.kind === 'free' ? 'free' : (row.payment_method ?? payment.kind),
    expires_at: null,
    paid_at: at,
    completed_at: isComplete ? at : null,
    status_history: statuses.map((status) => ({ status, at, reason: null })),
  }
}

/** Returns the CTEs that insert the payment of the order that is inserted, its deliveries, and its sale. */
function paymentParts(
  tx: Tx,
  storeId: number,
  { payment, deliveries, isComplete }: PaymentAtOnce,
): RawBuilder<unknown> {
  // Physical lines have fulfillments instead of deliveries.
  const rows = deliveries
    .map((delivery, index) => ({ ...delivery, line_no: index + 1 }))
    .filter(({ type }) => type !== 'physical')
  return sql`, payment_row as (
      ${insertPaymentsSql(tx, storeId, [payment])}
    ), sale as (
      ${ORDER_LIFE.createdPaid.analytics.deltas('inserted', { isPaid: true, isCompleted: isComplete, items: 'line' })}
    ), wallet as (
      ${ORDER_LIFE.createdPaid.wallet.deltas(sql`inserted`)}
    ), new_delivery as (
      select l.order_id, l.id as order_item_id, l.served, d.*
        from (select *, row_number() over (order by id) as no from line) l
        join jsonb_to_recordset(${JSON.stringify(rows)})
          as d(line_no bigint, product_id bigint, product_hash text, variant_id bigint, type text,
               delivered boolean, key_ids bigint[])
          on d.line_no = l.no
    ), ${deliveryParts(storeId, {
      now: payment.created_at,
      deliveries: sql`new_delivery`,
      keys: sql`(select order_item_id, unnest(key_ids) as stock_key_id from new_delivery) k`,
      servedIds: sql`any (select order_item_id from new_delivery where served)`,
    })}`
}

/** The columns of a line. Those of an order are the fields of its row. */
const LINE_COLUMNS = [
  ...['order_id', 'product_id', 'product_hash', 'variant_id', 'name', 'variant_name', 'sku'],
  ...['delivery_type', 'quantity', 'reserved', 'owed', 'served', 'unit_price_cents'],
  ...[
    'discount_cents',
    'total_cents',
    'bundle_product_id',
    'bundle_hash',
    'bundle_name',
    'bundle_units',
  ],
]

const columnsSql = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/**
 * Inserts orders with their lines and the next numbers of their store, and returns them in sequence. `parts` are CTEs
 * that read `inserted` and `line`.
 * The row of the order counter stays locked until the commit. Therefore this is one statement that
 * runs as late as possible in its transaction (decision 36).
 */
async function insertRows(
  tx: Tx,
  storeId: number,
  orders: readonly (NewOrderWithLines & { state: object })[],
  parts: RawBuilder<unknown>,
): Promise<SealedOrder[]> {
  const orderRows = orders.map(({ row, state }, index) => ({
    ...row,
    ...state,
    updated_at: row.created_at,
    folded_email: foldedColumn(row.customer_email),
    // Added to the last number of the store.
    number: index + 1,
  }))
  const lines = orders.flatMap((order) =>
    order.lines.map((line) => ({ owed: 0, served: false, ...line, order_id: order.row.id })),
  )
  const orderColumnsSql = columnsSql(
    Object.keys(orderRows[0] ?? {}).filter((name) => name !== 'number'),
  )
  const lineColumnsSql = columnsSql(LINE_COLUMNS)
  const { rows } = await sql<
    Omit<SealedOrder, 'payments' | 'refunds' | 'deliveries' | 'mail_problem'>
  >`
    with counter as (
      update order_counter set last_number = last_number + ${orders.length}
       where store_id = ${storeId}
      returning last_number - ${orders.length} as last_number
    ), inserted as (
      insert into "order" (store_id, number, ${orderColumnsSql})
      select ${storeId}, last_number + r.number, ${orderColumnsSql}
        from counter
       cross join jsonb_populate_recordset(null::"order", ${JSON.stringify(orderRows)}::jsonb) r
       order by r.number
      returning *
    ), search_entry as (
      insert into order_search (store_id, order_id, runs)
      select store_id, id, ${SEARCH_INDEX} from inserted o
    ), sales_summary as (
      ${ORDER_LIFE.created.analytics.deltas('inserted')}
    ), line as (
      insert into order_item (store_id, ${lineColumnsSql})
      select ${storeId}, ${lineColumnsSql}
        from jsonb_populate_recordset(null::order_item, ${JSON.stringify(lines)}::jsonb)
      returning *
    )${parts}
    select ${orderColumns('line')}, o.status_history
      from inserted o
     order by o.number`.execute(tx)
  return rows.map((order) => ({
    ...order,
    payments: [],
    refunds: [],
    deliveries: [],
    mail_problem: null,
  }))
}
