import { sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import { allRows, onlyValue } from '../../../../db/rows.ts'
import { countLimit, type Page } from '../../../../kernel/page.ts'
import type { OpenDispute } from '../payment-schema.ts'

const isOpen = (storeId: number) => sql`
  p.store_id = ${storeId} and p.status = 'disputed' and p.dispute ->> 'status' = 'open'`

/** Returns a page of open disputes, those that must be answered first in front. */
export const selectDisputes = (db: Db, storeId: number, { limit, offset }: Page) =>
  allRows<OpenDispute>(db)`
    select p.order_id, o.number as order_number, o.customer_email, p.id as payment_id, p.provider,
           p.dispute ->> 'reason' as reason, (p.dispute ->> 'amount_cents')::bigint as amount_cents, p.currency,
           p.dispute ->> 'due_at' as due_at
      from payment p
      join "order" o on o.store_id = p.store_id and o.id = p.order_id
     where ${isOpen(storeId)}
     order by p.dispute ->> 'due_at', p.id
     limit ${limit} offset ${offset}`

export const countDisputes = (db: Db, storeId: number, page: Page) =>
  onlyValue<number>(db)`
    select count(*)::int
      from (select from payment p where ${isOpen(storeId)} limit ${countLimit(page)}) d`
