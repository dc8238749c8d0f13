import { type RawBuilder, sql } from 'kysely'

/** Faulty sales that doctor must find. */
export const SALES_FAULTS: [invariant: string, fault: string, statements: RawBuilder<unknown>[]][] =
  [
    [
      'sales_of_quarters',
      'a payment missing from the sales',
      [sql`delete from sales_delta where order_id is not null`],
    ],
    [
      'sales_of_quarters',
      'a sale without an order',
      [
        sql`insert into sales_quarter (store_id, quarter, orders)
          select id, quarter_of('2020-01-01T00:00:00Z'), 1 from store limit 1`,
      ],
    ],
    [
      'sales_of_days',
      'a day that counts one order more than its quarter hours',
      [
        sql`insert into sales_quarter (store_id, quarter)
          select id, quarter_of('2020-01-01T00:00:00Z') from store limit 1`,
        sql`update sales_day set orders = 1 where day = '2020-01-01'`,
      ],
    ],
    [
      'sales_of_days',
      'a quarter hour without its day',
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
      'a product with more sales than the sum of its days',
      [
        sql`insert into sales_product (store_id, product_id, gross_cents)
          select store_id, id, 1 from product limit 1`,
      ],
    ],
    [
      'dynamic_calls',
      "a call of the seller's server for a delivery that is not pending",
      [
        sql`insert into dynamic_call (store_id, delivery_id, due_at)
          select store_id, id, now() from delivery where status = 'delivered' limit 1`,
      ],
    ],
    [
      'refunds_of_sales',
      'a refund of a paid order that does not reduce the sales',
      [sql`update refund set of_sale = false, created_at = created_at + interval '1 day'`],
    ],
  ]
