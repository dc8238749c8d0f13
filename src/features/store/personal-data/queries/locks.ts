import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import { onlyValue } from '../../../../db/rows.ts'

/**
 * Locks the orders of a customer and then their subscriptions, in the order of their ids. The lock mode is
 * `no key update`, as in `lockOrder`.
 */
export async function lockRecords(tx: Tx, storeId: number, customerId: number): Promise<void> {
  await sql`
    select from "order"
     where store_id = ${storeId} and customer_id = ${customerId}
     order by id
       for no key update`.execute(tx)
  await sql`
    select from subscription
     where store_id = ${storeId} and customer_id = ${customerId}
     order by id
       for no key update`.execute(tx)
}

/**
 * Locks the orders and subscriptions of a customer without waiting. Returns false if another transaction has locked
 * some of them. The caller has locked the customer, so no record is added meanwhile.
 */
export const tryLockRecords = (tx: Tx, storeId: number, customerId: number) =>
  onlyValue<boolean>(tx)`
    with locked_order as materialized (
      select from "order"
       where store_id = ${storeId} and customer_id = ${customerId}
         for no key update skip locked
    ), locked_subscription as materialized (
      select from subscription
       where store_id = ${storeId} and customer_id = ${customerId}
         for no key update skip locked
    )
    select (select count(*) from locked_order) + (select count(*) from locked_subscription)
           = (select count(*) from "order" where store_id = ${storeId} and customer_id = ${customerId})
           + (select count(*) from subscription where store_id = ${storeId} and customer_id = ${customerId})
             as all_locked`
