import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import type { Change, State } from '../state.rules.ts'

/** The fields of a subscription that its changes read. */
export interface SubscriptionRow extends State {
  id: number
  customer_id: number
  variant_id: number
  order_item_id: number
  initial_invoice_id: string
  quantity: number
  unit_price_cents: number
  discount_cents: number
  currency: string
  payment_method: string | null
}

const STATE = sql`
  s.id, s.customer_id, s.variant_id, s.order_item_id, s.initial_invoice_id, s.quantity,
  s.unit_price_cents, s.discount_cents, s.currency, s.payment_method, s.status, s.auto_renew,
  s.billing_cycle, s.trial_days, s.started_at, s.trial_ends_at, s.anchor_at, s.periods,
  s.current_period_start, s.current_period_end, s.renewals_count, s.open_invoice_id, s.billed_at,
  s.retries, s.due_at, s.cancelled_at`

export async function lockSubscription(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<SubscriptionRow | undefined> {
  const { rows } = await sql<SubscriptionRow>`
    select ${STATE} from subscription s
     where s.store_id = ${storeId} and s.id = ${id}
       for update`.execute(tx)
  return rows[0]
}

/** The renewal order that waits for its payment. */
export async function selectOpenInvoice(
  db: Db,
  storeId: number,
  id: number,
): Promise<{ open_invoice_id: string | null } | undefined> {
  const { rows } = await sql<{ open_invoice_id: string | null }>`
    select open_invoice_id from subscription
     where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows[0]
}

/** Locks a subscription if it is due; undefined if another worker has it. */
export async function lockDue(
  tx: Tx,
  storeId: number,
  { id, now }: { id: number; now: string },
): Promise<SubscriptionRow | undefined> {
  const { rows } = await sql<SubscriptionRow>`
    select ${STATE} from subscription s
     where s.store_id = ${storeId} and s.id = ${id} and s.due_at <= ${now}
       for update skip locked`.execute(tx)
  return rows[0]
}

/** Locks the due ones of these subscriptions, except those that another worker has. */
export async function lockAllDue(
  tx: Tx,
  storeId: number,
  { ids, now }: { ids: readonly number[]; now: string },
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    select ${STATE} from subscription s
     where s.store_id = ${storeId} and s.id = any(${ids}::bigint[]) and s.due_at <= ${now}
     order by s.id
       for update skip locked`.execute(tx)
  return rows
}

/** The subscriptions that an order pays: those it started, or the one that it renews. */
export async function lockOfOrder(
  tx: Tx,
  storeId: number,
  orderId: string,
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    select ${STATE}
      from subscription_payment y
      join subscription s on s.store_id = y.store_id and s.id = y.subscription_id
     where y.store_id = ${storeId} and y.order_id = ${orderId}
     order by s.id
       for update of s`.execute(tx)
  return rows
}

export type Update = Change & {
  customer_id?: number
  payment_method?: string
  last_invoice_id?: string
}

export async function updateSubscription(
  tx: Tx,
  storeId: number,
  id: number,
  { now, ...fields }: Update & { now: string },
): Promise<void> {
  await tx
    .updateTable('subscription')
    .set((row) => ({
      ...fields,
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${now})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

/** A line that started a subscription, and the cost of its renewal. */
export interface StartedLine {
  order_item_id: number
  recurring_price_cents: number
}

/**
 * Creates a subscription for each line of an order whose product has a billing, with its first
 * payment. A coupon that applies to renewals lowers their price for good.
 */
export async function insertSubscriptions(
  tx: Tx,
  storeId: number,
  { orderId, now }: { orderId: string; now: string },
): Promise<StartedLine[]> {
  const { rows } = await sql<StartedLine>`
    with line as (
      select i.*, o.customer_id, o.currency, b.billing_cycle, b.trial_days,
             coalesce(b.recurring_price_cents, i.unit_price_cents) as price_cents,
             c.type as coupon_type, c.discount_percent as percent
        from order_item i
        join "order" o on o.store_id = i.store_id and o.id = i.order_id
        join product p
          on p.store_id = i.store_id and p.id = i.product_id and p.product_kind = 'subscription'
        join product_billing b on b.store_id = i.store_id and b.product_id = i.product_id
        left join coupon c
          on c.store_id = o.store_id and upper(c.code) = upper(o.coupon ->> 'code')
         and c.applies_to_renewals and i.discount_cents > 0
       where i.store_id = ${storeId} and i.order_id = ${orderId}
    ), made as (
      insert into subscription
             (store_id, status, customer_id, product_id, variant_id, initial_invoice_id,
              order_item_id, quantity, unit_price_cents, discount_cents, discount_percent,
              initial_price_cents, billing_cycle, trial_days, currency, last_invoice_id, created_at,
              updated_at)
      select store_id, 'pending', customer_id, product_id, variant_id, order_id, id, quantity,
             price_cents,
             case coupon_type
               when 'percentage' then round(price_cents * quantity * percent / 100)
               when 'fixed' then least(discount_cents, price_cents * quantity)
               else 0 end,
             coalesce(percent, 0), total_cents, billing_cycle, trial_days, currency, order_id,
             ${now}, ${now}
        from line
       order by id
      returning *
    ), bill as (
      insert into subscription_payment
             (store_id, subscription_id, order_id, amount_cents, status, created_at)
      select store_id, id, initial_invoice_id, initial_price_cents, 'pending', ${now} from made
    )
    select order_item_id, unit_price_cents * quantity - discount_cents as recurring_price_cents
      from made`.execute(tx)
  return rows
}

export interface NewBill {
  subscription_id: number
  order_id: string
  amount_cents: number
  period_start: string
  period_end: string
  /** Since when the renewal counts as due. */
  billed_at: string
}

/** Records the payments of renewal orders, and that their subscriptions wait for them. */
export async function insertBills(
  tx: Tx,
  storeId: number,
  { now, bills }: { now: string; bills: readonly NewBill[] },
): Promise<void> {
  const column = <K extends keyof NewBill>(name: K) => bills.map((bill) => bill[name])
  await sql`
    with bill as (
      select * from unnest(${column('subscription_id')}::bigint[], ${column('order_id')}::text[],
                           ${column('amount_cents')}::bigint[], ${column('period_start')}::timestamptz[],
                           ${column('period_end')}::timestamptz[], ${column('billed_at')}::timestamptz[])
                      as b(subscription_id, order_id, amount_cents, period_start, period_end, billed_at)
    ), made as (
      insert into subscription_payment (store_id, subscription_id, order_id, amount_cents, status,
                                        period_start, period_end, created_at)
      select ${storeId}, subscription_id, order_id, amount_cents, 'pending', period_start, period_end,
             ${now}
        from bill
    )
    update subscription s
       set open_invoice_id = b.order_id, last_invoice_id = b.order_id, billed_at = b.billed_at,
           updated_at = greatest(s.updated_at, ${now})
      from bill b
     where s.store_id = ${storeId} and s.id = any(${column('subscription_id')}::bigint[])
       and s.id = b.subscription_id`.execute(tx)
}

export interface BillUpdate {
  order_id: string
  status: 'paid' | 'failed' | 'refunded'
  period_start?: string
  period_end?: string
  paid_at?: string
}

/** Updates the bills of an order: that of one subscription, or all. */
export async function updateBills(
  tx: Tx,
  storeId: number,
  { order_id, ...fields }: BillUpdate,
  subscriptionId?: number,
): Promise<void> {
  let update = tx
    .updateTable('subscription_payment')
    .set(fields)
    .where('store_id', '=', storeId)
    .where('order_id', '=', order_id)
  if (subscriptionId !== undefined) update = update.where('subscription_id', '=', subscriptionId)
  await update.execute()
}

/** Moves the subscriptions of one customer to another. */
export async function moveSubscriptions(
  tx: Tx,
  storeId: number,
  { from, into }: { from: number; into: number },
): Promise<void> {
  await sql`
    update subscription set customer_id = ${into}
     where store_id = ${storeId} and customer_id = ${from}`.execute(tx)
}
