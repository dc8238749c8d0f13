import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { updateRecord } from '../../../../db/records.ts'
import { allRows, execute, firstRow, hasRows } from '../../../../db/rows.ts'
import type { State, StateChange } from '../state.rules.ts'

/** The fields of a subscription that are needed to change it. */
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

export const lockSubscription = (tx: Tx, storeId: number, id: number) =>
  firstRow<SubscriptionRow>(tx)`
    select ${STATE} from subscription s
     where s.store_id = ${storeId} and s.id = ${id}
       for update`

/** Returns the id of the unpaid renewal order of a subscription. */
export const selectOpenInvoice = (db: Db, storeId: number, id: number) =>
  firstRow<{ open_invoice_id: string | null }>(db)`
    select open_invoice_id from subscription
     where store_id = ${storeId} and id = ${id}`

/** Locks those of these subscriptions that are due. Skips subscriptions that another worker has locked. */
export const lockDueSubscriptions = (
  tx: Tx,
  storeId: number,
  { ids, now }: { ids: readonly number[]; now: string },
) =>
  allRows<SubscriptionRow>(tx)`
    select ${STATE} from subscription s
     where s.store_id = ${storeId} and s.id = any(${ids}::bigint[]) and s.due_at <= ${now}
     order by s.id
       for update skip locked`

/** The subscription that an order created or renews. */
export interface SubscriptionOfOrder extends SubscriptionRow {
  order_id: string
  /** True for a free trial, if the customer of the order has had a free trial of the product (decision 176). */
  has_used_trial: boolean
}

const FREE_TRIAL = (alias: string) => sql`
  ${sql.ref(`${alias}.trial_days`)} > 0 and ${sql.ref(`${alias}.initial_price_cents`)} = 0`

/** Locks the subscriptions that one of these orders created or renews. */
export const lockSubscriptionsOfOrders = (tx: Tx, storeId: number, orderIds: readonly string[]) =>
  allRows<SubscriptionOfOrder>(tx)`
    select payment.order_id,
           s.started_at is null and ${FREE_TRIAL('s')}
             and exists (select from subscription earlier
                          where earlier.store_id = o.store_id and earlier.customer_id = o.customer_id
                            and earlier.product_id = s.product_id
                            and earlier.initial_invoice_id <> s.initial_invoice_id
                            and earlier.started_at is not null and ${FREE_TRIAL('earlier')}) as has_used_trial,
           ${STATE}
      from subscription_payment payment
      join subscription s on s.store_id = payment.store_id and s.id = payment.subscription_id
      join "order" o on o.store_id = payment.store_id and o.id = payment.order_id
     where payment.store_id = ${storeId} and payment.order_id = any(${orderIds}::text[])
     order by s.id
       for update of s`

/** Stops the renewals of the subscriptions that an order created or renews. */
export const holdSubscriptions = (tx: Tx, storeId: number, orderId: string) =>
  execute(tx)`
    update subscription s set on_hold = true
      from subscription_payment payment
     where payment.store_id = ${storeId} and payment.order_id = ${orderId}
       and s.store_id = payment.store_id and s.id = payment.subscription_id`

/** Renews the subscriptions of an order again, unless another of their orders is on hold. */
export const releaseSubscriptions = (tx: Tx, storeId: number, orderId: string) =>
  execute(tx)`
    update subscription s
       set on_hold = exists (
             select from subscription_payment other
               join "order" o on o.store_id = other.store_id and o.id = other.order_id
              where other.store_id = s.store_id and other.subscription_id = s.id and o.hold is not null)
      from subscription_payment payment
     where payment.store_id = ${storeId} and payment.order_id = ${orderId}
       and s.store_id = payment.store_id and s.id = payment.subscription_id`

type SubscriptionUpdate = StateChange & {
  customer_id?: number
  payment_method?: string
  last_invoice_id?: string
}

export async function updateSubscription(
  tx: Tx,
  storeId: number,
  id: number,
  { now, ...fields }: SubscriptionUpdate & { now: string },
): Promise<void> {
  await updateRecord(tx, 'subscription', { storeId, id }, { ...fields, updated_at: now })
}

interface NewBill {
  subscription_id: number
  order_id: string
  amount_cents: number
  period_start: string
  period_end: string
  /** The time from which the retries of the renewal are counted. */
  billed_at: string
}

/** Inserts the pending payments of renewal orders, and marks the orders as open in their subscriptions. */
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
                      as new_bill(subscription_id, order_id, amount_cents, period_start, period_end, billed_at)
    ), created as (
      insert into subscription_payment (store_id, subscription_id, order_id, amount_cents, status,
                                        period_start, period_end, created_at)
      select ${storeId}, subscription_id, order_id, amount_cents, 'pending', period_start, period_end,
             ${now}
        from bill
    )
    update subscription s
       set open_invoice_id = bill.order_id, last_invoice_id = bill.order_id, billed_at = bill.billed_at,
           updated_at = greatest(s.updated_at, ${now})
      from bill
     where s.store_id = ${storeId} and s.id = any(${column('subscription_id')}::bigint[])
       and s.id = bill.subscription_id`.execute(tx)
}

/** The order of a paid bill, and the new state of its locked subscription. */
interface PaidBill {
  order: { id: string }
  after: SubscriptionRow
  /** The period that began with the payment; undefined if none began. */
  period: { start: string; end: string } | undefined
}

/** Marks bills as paid, and writes the new states of their subscriptions. */
export async function payBills(
  tx: Tx,
  storeId: number,
  { now, paidBills }: { now: string; paidBills: readonly PaidBill[] },
): Promise<void> {
  const rows = paidBills.map(({ order, after, period }) => ({
    ...after,
    order_id: order.id,
    period_start: period?.start,
    period_end: period?.end,
  }))
  await sql`
    with bill as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)})
        as bill(id bigint, order_id text, period_start timestamptz, period_end timestamptz,
             customer_id bigint, payment_method text, status text, auto_renew boolean,
             started_at timestamptz, trial_ends_at timestamptz, anchor_at timestamptz,
             periods integer, current_period_start timestamptz, current_period_end timestamptz,
             renewals_count integer, open_invoice_id text, billed_at timestamptz, retries integer,
             due_at timestamptz, cancelled_at timestamptz)
    ), changed_payment as (
      update subscription_payment payment
         set status = 'paid', paid_at = ${now},
             period_start = coalesce(bill.period_start, payment.period_start),
             period_end = coalesce(bill.period_end, payment.period_end)
        from bill
       where payment.store_id = ${storeId} and payment.order_id = any(${rows.map((row) => row.order_id)}::text[])
         and payment.order_id = bill.order_id and payment.subscription_id = bill.id
    )
    update subscription s
       set customer_id = bill.customer_id, payment_method = bill.payment_method, status = bill.status,
           auto_renew = bill.auto_renew, started_at = bill.started_at, trial_ends_at = bill.trial_ends_at,
           anchor_at = bill.anchor_at, periods = bill.periods,
           current_period_start = bill.current_period_start,
           current_period_end = bill.current_period_end, renewals_count = bill.renewals_count,
           open_invoice_id = bill.open_invoice_id, billed_at = bill.billed_at, retries = bill.retries,
           due_at = bill.due_at, cancelled_at = bill.cancelled_at, updated_at = greatest(s.updated_at, ${now})
      from bill
     where s.store_id = ${storeId} and s.id = any(${rows.map((row) => row.id)}::bigint[])
       and s.id = bill.id`.execute(tx)
}

/** Moves the end of the current period in the payment that paid it. */
export const movePeriodEnd = (
  tx: Tx,
  storeId: number,
  { id, current_period_start }: Pick<SubscriptionRow, 'id' | 'current_period_start'>,
  end: string,
) =>
  execute(tx)`
    update subscription_payment set period_end = ${end}
     where store_id = ${storeId} and subscription_id = ${id} and period_start = ${current_period_start}
       and status in ('paid', 'refunded')`

/** Marks the bills of an order as failed or refunded. */
export async function closeBills(
  tx: Tx,
  storeId: number,
  { order_id, status }: { order_id: string; status: 'failed' | 'refunded' },
): Promise<void> {
  await tx
    .updateTable('subscription_payment')
    .set({ status })
    .where('store_id', '=', storeId)
    .where('order_id', '=', order_id)
    .execute()
}

/** Returns the payment methods of the product of a subscription; undefined if the product was deleted. */
export const selectMethods = (db: Db, storeId: number, { variant_id }: SubscriptionRow) =>
  firstRow<{ product_name: string; methods: { method: string; enabled: boolean }[] }>(db)`
    select p.name as product_name, p.methods
      from variant v
      join product p on p.store_id = v.store_id and p.id = v.product_id
     where v.store_id = ${storeId} and v.id = ${variant_id} and p.deleted_at is null`

/**
 * Stops the renewals of a product that is deleted: a subscription ends with its paid period. If its period is unpaid, it
 * is cancelled now, and the job cancels the renewal order. One whose first order is unpaid will end with its first period
 * (decision 177).
 */
export const stopRenewals = (
  tx: Tx,
  storeId: number,
  { productId, now }: { productId: number; now: string },
) =>
  execute(tx)`
    with live as (
      select id from subscription
       where store_id = ${storeId} and product_id = ${productId} and auto_renew
         and status in ('pending', 'trialing', 'active', 'past_due')
       order by id
         for update
    )
    update subscription s
       set auto_renew = false, cancelled_at = case when s.status <> 'pending' then ${now}::timestamptz end,
           status = case when s.status = 'past_due' then 'cancelled' else s.status end,
           billed_at = case when s.status = 'past_due' then null else s.billed_at end,
           due_at = case when s.status <> 'past_due' then s.current_period_end
                         when s.open_invoice_id is not null then ${now}::timestamptz end,
           updated_at = greatest(s.updated_at, ${now})
      from live
     where s.store_id = ${storeId} and s.id = live.id`

/** Locks the subscriptions of a customer that have not ended. */
export const lockLiveSubscriptionsOf = (tx: Tx, storeId: number, customerId: number) =>
  allRows<SubscriptionRow>(tx)`
    select ${STATE} from subscription s
     where s.store_id = ${storeId} and s.customer_id = ${customerId}
       and s.status in ('pending', 'trialing', 'active', 'past_due')
     order by s.id
       for update`

/** Moves the subscriptions of one customer to another. */
export const moveSubscriptions = (
  tx: Tx,
  storeId: number,
  { from, into }: { from: number; into: number },
) =>
  execute(tx)`
    update subscription set customer_id = ${into}
     where store_id = ${storeId} and customer_id = ${from}`

/** The next renewal of the subscriptions that an order began and that renew by one payment method. */
export interface NextRenewal {
  payment_method: string
  due_at: string
  amount_cents: number
}

/**
 * Returns the next renewals of the subscriptions that an order began, by payment method, the earliest first. Those of which
 * a renewal is unpaid are left out: the payment of that renewal saves a method.
 */
export const selectRenewalsOfOrder = (db: Db, storeId: number, orderId: string) =>
  allRows<NextRenewal>(db)`
    select coalesce(payment_method, 'manual') as payment_method, due_at,
           sum(unit_price_cents * quantity - discount_cents)::bigint as amount_cents
      from subscription
     where store_id = ${storeId} and initial_invoice_id = ${orderId} and auto_renew
       and status in ('trialing', 'active')
     group by 1, due_at
     order by due_at, 1`

const RENEWS = sql`auto_renew and status in ('trialing', 'active', 'past_due')`

/** Returns true if a subscription that an order began is renewed further. */
export const isRenewedFurther = (db: Db, storeId: number, orderId: string) =>
  hasRows(db)`
    select from subscription
     where store_id = ${storeId} and initial_invoice_id = ${orderId} and ${RENEWS}
     limit 1`

/**
 * Has the subscriptions that an order began and that renew manually renewed by a payment method. Others were given their
 * method by somebody.
 */
export const renewManualOnesBy = (
  tx: Tx,
  storeId: number,
  { orderId, method, now }: { orderId: string; method: string; now: string },
) =>
  execute(tx)`
    with begun as (
      select id from subscription
       where store_id = ${storeId} and initial_invoice_id = ${orderId} and ${RENEWS}
         and coalesce(payment_method, 'manual') = 'manual'
       order by id
         for update
    )
    update subscription s set payment_method = ${method}, updated_at = greatest(s.updated_at, ${now})
      from begun
     where s.store_id = ${storeId} and s.id = begun.id`

/** Returns true if an unpaid renewal is that of a subscription on hold. */
export const isRenewalOnHold = (tx: Tx, storeId: number, orderId: string) =>
  hasRows(tx)`
    select from subscription
     where store_id = ${storeId} and open_invoice_id = ${orderId} and on_hold`
