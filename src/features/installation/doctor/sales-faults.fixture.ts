import { type RawBuilder, sql } from 'kysely'

/** Faulty sales that doctor must find. */
export const SALES_FAULTS: [string, string, RawBuilder<unknown>[]][] = [
  [
    'sales_of_quarters',
    'a payment that no sale counts',
    [sql`delete from sales_delta where order_id is not null`],
  ],
  [
    'sales_of_quarters',
    'a sale that no order has',
    [
      sql`insert into sales_quarter (store_id, quarter, orders)
          select id, quarter_of('2020-01-01T00:00:00Z'), 1 from store limit 1`,
    ],
  ],
  [
    'sales_of_days',
    'a day with one order more than its quarters',
    [
      sql`insert into sales_quarter (store_id, quarter)
          select id, quarter_of('2020-01-01T00:00:00Z') from store limit 1`,
      sql`update sales_day set orders = 1 where day = '2020-01-01'`,
    ],
  ],
  [
    'sales_of_days',
    'a quarter that is in no day',
    [
      sql`insert into sales_quarter (store_id, quarter, refunded_cents)
          select id, quarter_of('2020-01-01T00:00:00Z'), 1 from store limit 1`,
      sql`delete from sales_day`,
    ],
  ],
  [
    'sales_of_parts',
    'a day with a payment method that no order has',
    [
      sql`insert into sales_day_part (store_id, day, kind, name, orders, gross_cents)
          select id, '2020-01-01', 'payment_method', 'manual', 1, 0 from store limit 1`,
    ],
  ],
  [
    'sales_of_products',
    'a product that sold more than its days say',
    [
      sql`insert into sales_product (store_id, product_id, gross_cents)
          select store_id, id, 1 from product limit 1`,
    ],
  ],
  [
    'dynamic_calls',
    'a call for a delivery that waits for nothing',
    [
      sql`insert into dynamic_call (store_id, delivery_id, due_at)
          select store_id, id, now() from delivery where status = 'delivered' limit 1`,
    ],
  ],
  [
    'refunds_of_sales',
    'a refund of a paid order that lowers no sales',
    [sql`update refund set of_sale = false, created_at = created_at + interval '1 day'`],
  ],
]
