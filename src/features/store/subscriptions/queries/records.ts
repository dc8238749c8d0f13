import { sql } from 'kysely'
import { createdWithin } from '../../../../db/created.ts'
import type { Db } from '../../../../db/database.ts'
import { hasEmail } from '../../../../db/has-email.ts'
import { selectNewest } from '../../../../db/newest.ts'
import { isOneOf } from '../../../../db/one-of.ts'
import { hasOneOfRefs } from '../../../../db/refs.ts'
import { firstRow, firstValue } from '../../../../db/rows.ts'
import type {
  AutoRenewal,
  AutoRenewalQuery,
  ListedSubscription,
  Subscription,
  SubscriptionQuery,
} from '../schema.ts'

const PRODUCT = sql`json_build_object('id', p.hash_id, 'name', p.name)`
const PRICE = sql`s.unit_price_cents * s.quantity - s.discount_cents`

/** The auto-renewal of a subscription that ends with its period is already cancelled. */
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

/** Must be the same expression as in the index. */
const NEXT_BILLING = sql`
  case when s.auto_renew and s.status in ('trialing', 'active', 'past_due') then s.due_at end`

const SUBSCRIPTION = sql`
  s.id, 'subscription' as object, s.status, c.email as customer_email, ${PRODUCT} as product,
  s.initial_invoice_id, s.billing_cycle, s.currency, s.initial_price_cents,
  ${PRICE} as recurring_price_cents, s.trial_days, s.trial_ends_at, s.current_period_start,
  s.current_period_end,
  ${NEXT_BILLING} as next_billing_date,
  s.auto_renew, s.cancelled_at, s.created_at, s.updated_at,
  case when s.started_at is not null then ${AUTO_RENEWAL} end as auto_renewal`

const PAYMENTS = sql`
  (select json_agg(json_build_object(
            'id', payment.id, 'invoice_id', payment.order_id, 'invoice_status', o.status,
            'amount_cents', payment.amount_cents, 'status', payment.status, 'period_start', iso(payment.period_start),
            'period_end', iso(payment.period_end), 'paid_at', iso(payment.paid_at),
            'created_at', iso(payment.created_at)) order by payment.id)
     from subscription_payment payment
     join "order" o on o.store_id = payment.store_id and o.id = payment.order_id
    where payment.store_id = s.store_id and payment.subscription_id = s.id) as payments`

const JOINS = sql`
  join product p on p.store_id = s.store_id and p.id = s.product_id
  join customer c on c.store_id = s.store_id and c.id = s.customer_id`

export const selectSubscription = (db: Db, storeId: number, id: number) =>
  firstRow<Subscription>(db)`
    select ${SUBSCRIPTION}, ${PAYMENTS}
      from subscription s ${JOINS}
     where s.store_id = ${storeId} and s.id = ${id}`

const SORT_COLUMNS = {
  '-created_at': sql`s.created_at desc, s.id desc`,
  next_billing_date: sql`${NEXT_BILLING}, s.id`,
}

/** Returns a page of subscriptions and the number of matches. */
export const selectSubscriptions = (
  db: Db,
  storeId: number,
  { status, customer_email, product_id, auto_renew, sort, ...page }: SubscriptionQuery,
) =>
  selectNewest<ListedSubscription>(db, {
    table: 'subscription',
    alias: 's',
    columns: SUBSCRIPTION,
    joins: JOINS,
    storeId,
    ...page,
    sortedBy: SORT_COLUMNS[sort],
    filters: [
      isOneOf('s.status', status),
      customer_email !== undefined &&
        sql`s.customer_id = (select id from customer
                              where store_id = ${storeId} and ${hasEmail('email', customer_email)}
                              order by id
                              limit 1)`,
      product_id !== undefined &&
        sql`s.product_id = (select id from product
                             where store_id = ${storeId} and ${hasOneOfRefs('product', [product_id])})`,
      auto_renew !== undefined && sql`s.auto_renew = ${sql.lit(auto_renew)}`,
    ],
  })

export const selectAutoRenewal = (db: Db, storeId: number, id: number) =>
  firstValue<AutoRenewal>(db)`
    select ${AUTO_RENEWAL} as record
      from subscription s ${JOINS}
     where s.store_id = ${storeId} and s.id = ${id} and s.started_at is not null`

/** Returns a page of auto-renewals, those of the newest subscriptions first, and the number of auto-renewals. */
export const selectAutoRenewals = (
  db: Db,
  storeId: number,
  { limit, offset, ...started }: AutoRenewalQuery,
) =>
  selectNewest<{ auto_renewal: AutoRenewal }>(db, {
    table: 'subscription',
    alias: 's',
    columns: sql`${AUTO_RENEWAL} as auto_renewal`,
    joins: JOINS,
    storeId,
    limit,
    offset,
    filters: [sql`s.started_at is not null`, ...createdWithin('s.started_at', started)],
  })
