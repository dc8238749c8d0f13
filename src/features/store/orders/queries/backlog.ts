import type { Db } from '../../../../db/database.ts'
import { onlyRow } from '../../../../db/rows.ts'

/** The limit up to which orders are counted, so that metrics stay cheap. */
const COUNTED_MAX = 10_000

/** The orders of all stores that wait for something. */
interface OrderBacklog {
  pending: number
  on_hold: number
  to_ship: number
}

/** Counts along the index of each state, whose order the limits follow, so that no other order is read. */
export const selectOrderBacklog = (db: Db) =>
  onlyRow<OrderBacklog>(db)`
    select (select count(*)::integer
              from (select from "order"
                     where status in ('pending', 'partially_paid')
                     order by expires_at
                     limit ${COUNTED_MAX}) o) as pending,
           (select count(*)::integer
              from (select from "order"
                     where hold is not null
                     order by store_id, created_at desc, id desc
                     limit ${COUNTED_MAX}) o) as on_hold,
           (select count(*)::integer
              from (select from "order"
                     where status = 'completed' and fulfillment_status in ('unfulfilled', 'partial')
                     order by store_id, id
                     limit ${COUNTED_MAX}) o) as to_ship`
