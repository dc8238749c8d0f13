import { type RawBuilder, sql } from 'kysely'
import { AFFILIATE_FAULTS } from './affiliate-faults.ts'
import { CUSTOMER_FAULTS } from './customer-faults.ts'
import { PAYMENT_FAULTS } from './payment-faults.ts'
import { SALES_FAULTS } from './sales-faults.ts'
import { SUBSCRIPTION_FAULTS } from './subscription-faults.ts'
import { SUPPORT_FAULTS } from './support-faults.ts'
import { USER_FAULTS } from './user-faults.ts'
import { WALLET_FAULTS } from './wallet-faults.ts'

const endpoint = sql`(select store_id, id as endpoint_id from webhook_endpoint limit 1)`

/** The faults that doctor must find: a check, a description, and the statements that create the fault. */
export const FAULTS: [invariant: string, fault: string, statements: RawBuilder<unknown>[]][] = [
  ...CUSTOMER_FAULTS,
  ...USER_FAULTS,
  ...SALES_FAULTS,
  ...PAYMENT_FAULTS,
  [
    'products_are_counted',
    'a product that is counted twice',
    [sql`update product_tally set products = products + 1`],
  ],
  [
    'products_are_counted',
    'a product that is counted as a draft',
    [sql`update product_tally set status = 'draft'`],
  ],
  [
    'categories_are_counted',
    'a category whose count has a product too many',
    [
      sql`insert into category (store_id, name, slug, visibility, position, product_count, created_at, updated_at)
          select min(id), 'Fun', 'fun', 'public', 0, 1, now(), now() from store`,
    ],
  ],
  [
    'lists_know_stock',
    'a sale missing from the list of products',
    [sql`update product_stock set sold = sold + 1`],
  ],
  [
    'lists_know_stock',
    'an available product that lists show as sold out',
    [sql`update product_stock set sellable = 0 where sellable > 0`],
  ],
  [
    'files_are_counted',
    'a file with a use but without a record',
    [sql`insert into blob (store_id, id, uses) select min(id), 'lost', 1 from store`],
  ],
  [
    'delivered_keys',
    'a delivery without its key',
    [
      sql`delete from delivery_key where stock_key_id = (select min(stock_key_id) from delivery_key)`,
    ],
  ],
  [
    'shipped_is_shipped',
    'an order that is marked as fulfilled but only partly shipped',
    [sql`update "order" set fulfillment_status = 'fulfilled' where fulfillment_status = 'partial'`],
  ],
  [
    'shipped_is_shipped',
    'a parcel with more units than were bought',
    [
      sql`update fulfillment_item set quantity = 3`,
      sql`update "order" set fulfillment_status = 'fulfilled' where fulfillment_status = 'partial'`,
    ],
  ],
  [
    'key_once',
    'one key in two deliveries',
    [
      sql`drop index delivery_key_once`,
      sql`insert into delivery_key (store_id, delivery_id, stock_key_id)
          select d.store_id, d.id, k.stock_key_id
            from delivery d
            join (select store_id, min(stock_key_id) as stock_key_id, min(delivery_id) as delivery_id
                    from delivery_key
                   group by store_id) k
              on k.store_id = d.store_id and k.delivery_id < d.id
           order by d.id desc limit 1`,
    ],
  ],
  [
    'stock_counts_keys',
    'a stock count that differs from its keys',
    [sql`update stock set on_hand = on_hand + 1 where sold > 0`],
  ],
  [
    'batches_count_keys',
    'a batch of keys with a wrong count',
    [sql`update stock_key_batch set sold = sold + 1`],
  ],
  ['batches_count_keys', 'a batch of keys without its counts', [sql`delete from stock_key_batch`]],
  [
    'stock_counts_reservations',
    'reserved stock without an order',
    [sql`update stock set reserved = reserved - 1 where reserved > 0`],
  ],
  [
    'stock_counts_reservations',
    'more reserved units than stock',
    [
      sql`update stock set reserved = on_hand + 1 where reserved > 0`,
      sql`update order_item i set reserved = s.reserved from stock s
           where i.reserved > 0 and s.store_id = i.store_id and s.variant_id = i.variant_id`,
    ],
  ],
  [
    'ended_orders_hold_nothing',
    'a cancelled order that holds stock',
    [
      sql`update order_item i set reserved = 1 from "order" o
           where o.store_id = i.store_id and o.id = i.order_id and o.status = 'cancelled'`,
    ],
  ],
  [
    'order_events',
    'an order without a creation event',
    [sql`delete from event where type = 'order.created'`],
  ],
  [
    'order_events',
    'a completion with two events',
    [
      sql`insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
          select store_id, nextval('event_no'), 1, type, object_id, payload_enc, created_at
            from event where type = 'order.completed' limit 1`,
    ],
  ],
  [
    'order_events',
    'an expiry without an event',
    [sql`delete from event where type = 'order.expired'`],
  ],
  [
    'order_events',
    'a completion event of an order that is not completed',
    [sql`update "order" set status = 'paid' where status = 'completed'`],
  ],
  [
    'orders_are_counted',
    'an order number without an order',
    [sql`update order_counter set last_number = last_number + 1`],
  ],
  ['orders_are_found', 'an order missing from the search index', [sql`delete from order_search`]],
  [
    'orders_are_found',
    'an order whose search entry has another email address',
    [sql`update "order" set customer_email = 'other@example.com'`],
  ],
  [
    'refunded_is_refunded',
    'a refunded amount without a refund',
    [
      sql`update "order" set refunded_cents = 1, refund_status = 'partial' where status = 'completed'`,
    ],
  ],
  [
    'refunded_is_refunded',
    'a refund without an event',
    [
      sql`insert into refund (store_id, order_id, amount_cents, currency, reason, restock, created_at)
          select store_id, id, 1, currency, 'other', false, now() from "order"
           where status = 'completed' limit 1`,
      sql`update "order" o set refunded_cents = 1, refund_status = 'partial'
            from refund r where r.order_id = o.id`,
    ],
  ],
  [
    'refunds_fit_payments',
    'a payment that went back without a refund',
    [sql`update payment set provider = 'test', refunded_cents = 1 where status = 'approved'`],
  ],
  [
    'refunds_fit_payments',
    'a refund of more than its payment holds',
    [
      sql`update payment set provider = 'test', refunded_cents = 0 where status = 'approved'`,
      sql`insert into refund_request (store_id, order_id, payment_id, status, amount_cents, currency, reason,
                                      restock, items, check_at, created_at)
          select store_id, order_id, id, 'pending', amount_cents + 1, currency, 'other', false, '[]', now(), now()
            from payment where status = 'approved'`,
    ],
  ],
  [
    'coupon_uses',
    'a coupon use without an order',
    [
      sql`insert into coupon (store_id, code, type, amount_cents, uses, product_ids, variant_ids,
                              category_ids, payment_methods, allowed_emails, applies_to_renewals,
                              active, created_at, updated_at)
          select store_id, 'LOST', 'fixed', 1, 1, '{}', '{}', '{}', '{}', '{}', false, true, now(), now()
            from "order" limit 1`,
    ],
  ],
  [
    'events_have_orders',
    'an order event without an order',
    [
      sql`insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
          select store_id, nextval('event_no'), 1, 'order.created', 'ord_gone', '', now() from ${endpoint} e`,
    ],
  ],
  [
    'paid_is_paid',
    'a paid amount without a payment',
    [sql`update "order" set paid_cents = paid_cents + 1`],
  ],
  [
    'paid_is_paid',
    'a completed order that was not paid in full',
    [
      sql`update payment set amount_cents = amount_cents - 1 where amount_cents = 1000`,
      sql`update "order" set paid_cents = paid_cents - 1 where status = 'completed' and paid_cents = 1000`,
    ],
  ],
  [
    'open_payments_are_checked',
    'an open payment whose provider is never asked',
    [
      sql`update payment set status = 'processing', provider = 'test', refunded_cents = 0
           where status = 'approved'`,
    ],
  ],
  [
    'reviews_can_end',
    'a payment to be reviewed on a cancelled order',
    [sql`update "order" set status = 'cancelled' where status = 'manual_review'`],
  ],
  [
    'waiting_deliveries',
    'a pending delivery that is not in the retry lane',
    [
      sql`insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, created_at, updated_at)
          select store_id, 1, endpoint_id, 'pending', 1, now(), now() from ${endpoint} e`,
    ],
  ],
  [
    'waiting_deliveries',
    'a completed delivery that is still in the retry lane',
    [
      sql`insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, created_at, updated_at)
          select store_id, 1, endpoint_id, 'succeeded', 1, now(), now() from ${endpoint} e`,
      sql`insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
          select store_id, 1, endpoint_id, 1, now() from ${endpoint} e`,
    ],
  ],
  [
    'finished_fanouts',
    'a fan-out that remains although all its deliveries are recorded',
    // An event has up to 32 deliveries, whose ids follow from its number.
    [
      sql`insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, created_at, updated_at)
          select f.store_id, f.no * 32 + x.place - 1, x.endpoint_id, 'succeeded', 1, now(), now()
            from webhook_fanout f, unnest(f.endpoint_ids) with ordinality as x(endpoint_id, place)`,
    ],
  ],
  ...SUBSCRIPTION_FAULTS,
  ...SUPPORT_FAULTS,
  ...AFFILIATE_FAULTS,
  ...WALLET_FAULTS,
]
