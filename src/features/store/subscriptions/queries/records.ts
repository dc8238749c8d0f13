import { sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import { namedAmong } from '../../../../db/named.ts'
import { countedTo } from '../../../../kernel/page.ts'
import type {
  AutoRenewal,
  AutoRenewalQuery,
  ListedSubscription,
  Subscription,
  SubscriptionQuery,
} from '../schema.ts'

const PRODUCT = sql`json_build_object('id', p.hash_id, 'name', p.name)`
const PRICE = sql`s.unit_price_cents * s.quantity - s.discount_cents`

/** One that is to end with its period is cancelled as an auto-renewal already. */
const RENEWAL_STATUS = sql`
  case when s.status in ('past_due', 'expired') then s.status
       when s.status = 'cancelled' or not s.auto_renew then 'cancelled'
       else 'active' end`

const AUTO_RENEWAL = sql`
  json_build_object(
    'id', s.id, 'object', 'auto_renewal', 'status', ${RENEWAL_STATUS},
    'provider', coalesce(s.payment_method, 'manual'), 'customer_email', c.email,
    'product', ${PRODUCT}, 'origin_invoice_id', s.initial_invoice_id,
    'last_invoice_id', s.last_invoice_id,
    'period_days', round(extract(epoch from s.current_period_end - s.current_period_start) / 86400),
    'price_cents', ${PRICE}, 'currency', s.currency, 'discount_percent', s.discount_percent,
    'renewals_count', s.renewals_count, 'current_period_end', iso(s.current_period_end),
    'cancelled_at', iso(s.cancelled_at), 'can_cancel', ${RENEWAL_STATUS} in ('active', 'past_due'),
    'created_at', iso(s.started_at))`

const SUBSCRIPTION = sql`
  s.id, 'subscription' as object, s.status, c.email as customer_email, ${PRODUCT} as product,
  s.initial_invoice_id, s.billing_cycle, s.currency, s.initial_price_cents,
  ${PRICE} as recurring_price_cents, s.trial_days, s.trial_ends_at, s.current_period_start,
  s.current_period_end,
  case when s.auto_renew and s.status in ('trialing', 'active', 'past_due') then s.due_at end
    as next_billing_date,
  s.auto_renew, s.cancelled_at, s.created_at, s.updated_at,
  case when s.started_at is not null then ${AUTO_RENEWAL} end as auto_renewal`

const PAYMENTS = sql`
  (select json_agg(json_build_object(
            'id', y.id, 'invoice_id', y.order_id, 'invoice_status', o.status,
            'amount_cents', y.amount_cents, 'status', y.status, 'period_start', iso(y.period_start),
            'period_end', iso(y.period_end), 'paid_at', iso(y.paid_at),
            'created_at', iso(y.created_at)) order by y.id)
     from subscription_payment y
     join "order" o on o.store_id = y.store_id and o.id = y.order_id
    where y.store_id = s.store_id and y.subscription_id = s.id) as payments`

const JOINS = sql`
  join product p on p.store_id = s.store_id and p.id = s.product_id
  join customer c on c.store_id = s.store_id and c.id = s.customer_id`

export async function selectSubscription(
  db: Db,
  storeId: number,
  id: number,
): Promise<Subscription | undefined> {
  const { rows } = await sql<Subscription>`
    select ${SUBSCRIPTION}, ${PAYMENTS}
      from subscription s ${JOINS}
     where s.store_id = ${storeId} and s.id = ${id}`.execute(db)
  return rows[0]
}

/** A page of subscriptions, the newest first, and how many match. */
export async function selectSubscriptions(
  db: Db,
  storeId: number,
  { status, customer_email, product_id, auto_renew, ...page }: SubscriptionQuery,
): Promise<{ subscriptions: ListedSubscription[]; total: number }> {
  const wheres = [
    sql`s.store_id = ${storeId}`,
    status && sql`s.status in (${sql.join(status.map((item) => sql.lit(item)))})`,
    customer_email !== undefined &&
      sql`s.customer_id = (select id from customer
                            where store_id = ${storeId} and email = ${customer_email})`,
    product_id !== undefined &&
      sql`s.product_id = (select id from product
                           where store_id = ${storeId} and ${namedAmong('product', [product_id])})`,
    auto_renew !== undefined && sql`s.auto_renew = ${sql.lit(auto_renew)}`,
  ].filter((item) => item !== false && item !== undefined)
  const where = sql.join(wheres, sql` and `)
  const { rows } = await sql<ListedSubscription>`
    select ${SUBSCRIPTION}
      from (select * from subscription s
             where ${where}
             order by s.created_at desc, s.id desc
             limit ${page.limit} offset ${page.offset}) s ${JOINS}
     order by s.created_at desc, s.id desc`.execute(db)
  return { subscriptions: rows, total: await count(db, where, page) }
}

export async function selectAutoRenewal(
  db: Db,
  storeId: number,
  id: number,
): Promise<AutoRenewal | undefined> {
  const { rows } = await sql<{ record: AutoRenewal }>`
    select ${AUTO_RENEWAL} as record
      from subscription s ${JOINS}
     where s.store_id = ${storeId} and s.id = ${id} and s.started_at is not null`.execute(db)
  return rows[0]?.record
}

/** A page of auto-renewals, the newest subscription first, and how many there are. */
export async function selectAutoRenewals(
  db: Db,
  storeId: number,
  page: AutoRenewalQuery,
): Promise<{ auto_renewals: AutoRenewal[]; total: number }> {
  const where = sql`s.store_id = ${storeId} and s.started_at is not null`
  const { rows } = await sql<{ record: AutoRenewal }>`
    select ${AUTO_RENEWAL} as record
      from (select * from subscription s
             where ${where}
             order by s.created_at desc, s.id desc
             limit ${page.limit} offset ${page.offset}) s ${JOINS}
     order by s.created_at desc, s.id desc`.execute(db)
  return { auto_renewals: rows.map((row) => row.record), total: await count(db, where, page) }
}

async function count(
  db: Db,
  where: ReturnType<typeof sql>,
  page: { limit: number; offset: number },
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
      from (select from subscription s where ${where} limit ${countedTo(page)}) s`.execute(db)
  return rows[0]?.total ?? 0
}
