import type { Tx } from '../../../../db/database.ts'
import { allRows } from '../../../../db/rows.ts'

/** An order item that created a subscription, and the price of each renewal. */
interface SubscribedItem {
  order_item_id: number
  recurring_price_cents: number
}

interface NewSubscriptions {
  orderId: string
  /** The payment method that the buyer chose for the order; null without one. */
  payment_method: string | null
  /** The items that the coupon of the order applies to, also if it took 0 off them. */
  couponItemIds: readonly number[]
  now: string
}

/**
 * Creates a subscription and its first payment for each item of an order whose product has a billing. A coupon
 * that applies to renewals reduces the price of all renewals: a percentage as it is, an amount by what it took off
 * the first order.
 */
export const insertSubscriptions = (
  tx: Tx,
  storeId: number,
  { orderId, payment_method, couponItemIds, now }: NewSubscriptions,
) =>
  allRows<SubscribedItem>(tx)`
    with item as (
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
         and c.applies_to_renewals and i.id = any(${couponItemIds}::bigint[])
       where i.store_id = ${storeId} and i.order_id = ${orderId}
    ), created as (
      insert into subscription
             (store_id, status, customer_id, product_id, variant_id, initial_invoice_id,
              order_item_id, quantity, unit_price_cents, discount_cents, discount_percent,
              initial_price_cents, billing_cycle, trial_days, currency, payment_method,
              last_invoice_id, created_at, updated_at)
      select store_id, 'pending', customer_id, product_id, variant_id, order_id, id, quantity,
             price_cents,
             case coupon_type
               when 'percentage' then round(price_cents * quantity * percent / 100)
               when 'fixed' then least(discount_cents, price_cents * quantity)
               else 0 end,
             coalesce(percent, 0), total_cents, billing_cycle, trial_days, currency,
             ${payment_method}::text, order_id, ${now}, ${now}
        from item
       order by id
      returning *
    ), bill as (
      insert into subscription_payment
             (store_id, subscription_id, order_id, amount_cents, status, created_at)
      select store_id, id, initial_invoice_id, initial_price_cents, 'pending', ${now} from created
    )
    select order_item_id, unit_price_cents * quantity - discount_cents as recurring_price_cents
      from created`
