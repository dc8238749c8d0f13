import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../../db/database.ts'
import { type DuePage, dueRows, nextDue, type TimedRows } from '../../../../db/due.ts'
import { allRows, firstValue } from '../../../../db/rows.ts'
import type { Store } from '../../../../store-context.ts'

/** The time of a notice, which two indexes have: 14 days before a yearly renewal, 3 days before others. */
const NOTICE_AT = sql`
  ((s.due_at at time zone 'UTC' - case s.billing_cycle when 'yearly' then interval '14 days' else interval '3 days' end)
    at time zone 'UTC')`

/** Renewals without a notice so far. A daily renewal has no notice, because it would follow the last one. */
const IS_UNNOTICED = sql`
  s.due_at is not null and s.auto_renew and not s.on_hold and s.status in ('trialing', 'active')
  and s.billing_cycle <> 'daily' and s.noticed_due_at is distinct from s.due_at`

const NOTICED: TimedRows = {
  from: sql`subscription s`,
  store_id: sql`s.store_id`,
  due_at: NOTICE_AT,
  where: IS_UNNOTICED,
}

export interface DueNotice {
  store_id: number
  id: number
}

/** Returns subscriptions whose notices are due by the clock of their store. */
export const selectDueNotices = (db: Db, page: DuePage) =>
  allRows<DueNotice>(db)`
    select n.store_id, n.id
      from (${dueRows(NOTICED, sql`s.store_id, s.id, s.due_at`, page)}) n
     limit ${page.limit}`

/**
 * Returns the time of the next notice of a store. Subscriptions whose customers get no mail are ignored, so that they do
 * not stop a clock that is moved ahead.
 */
export const selectNextNotice = (
  db: Db,
  { id, mail_api_orders }: Pick<Store, 'id' | 'mail_api_orders'>,
) =>
  firstValue<string>(db)`
    select ${NOTICE_AT}
      from subscription s
      join "order" o on o.store_id = s.store_id and o.id = s.initial_invoice_id
     where s.store_id = ${id} and ${IS_UNNOTICED}
       and (${mail_api_orders}::boolean or o.source <> 'api' or o.by_user)
     order by ${NOTICE_AT}
     limit 1`

/** The machine time of the next notice of any store. */
export const nextNotice: Expression = nextDue(NOTICED)

interface NoticedRenewal {
  id: number
  customer_id: number
  due_at: string
  order_id: string
  order_item_id: number
  amount_cents: number
  /** The source of the first order. */
  source: 'storefront' | 'api' | 'embed'
  /** True if a user of the dashboard made the first order. */
  by_user: boolean
}

/**
 * Records that these subscriptions have a notice of their next renewal. Subscriptions that another worker
 * has locked are skipped.
 */
export const markNoticed = (tx: Tx, storeId: number, ids: readonly number[]) =>
  allRows<NoticedRenewal>(tx)`
    with noticed as (
      update subscription set noticed_due_at = due_at
       where store_id = ${storeId} and id = any(array(
         select s.id from subscription s
          where s.store_id = ${storeId} and s.id = any(${ids}::bigint[]) and ${IS_UNNOTICED}
          order by s.id
            for update skip locked))
      returning *
    )
    select n.id, n.customer_id, n.due_at, n.initial_invoice_id as order_id, n.order_item_id,
           n.unit_price_cents * n.quantity - n.discount_cents as amount_cents, o.source, o.by_user
      from noticed n
      join "order" o on o.store_id = n.store_id and o.id = n.initial_invoice_id
     order by n.id`
