import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { allRows, firstRow, firstValue, hasRows, send } from '../../../../db/rows.ts'
import type { SavedMethod } from '../../payment-providers/index.ts'
import type { PaymentMethod } from '../schema.ts'

const COLUMNS = sql`
  id, 'payment_method' as object, provider, label, last4, expires, is_default, created_at`

/** A customer has few methods. More than these are not listed. */
const METHODS_MAX = 100

/** Returns the saved methods of a customer, the newest first. */
export const selectMethods = (db: Db, storeId: number, customerId: number) =>
  allRows<PaymentMethod>(db)`
    select ${COLUMNS} from payment_method
     where store_id = ${storeId} and customer_id = ${customerId}
     order by id desc
     limit ${METHODS_MAX}`

/** The method that renewals of a customer charge. */
interface DefaultMethod {
  customer_id: number
  external_id: string
  provider_customer: string | null
}

export const selectDefaults = (
  db: Db,
  storeId: number,
  { provider, customerIds }: { provider: string; customerIds: readonly number[] },
) =>
  allRows<DefaultMethod>(db)`
    select customer_id, external_id, provider_customer from payment_method
     where store_id = ${storeId} and customer_id = any(${customerIds}::bigint[])
       and provider = ${provider} and is_default`

export const lockMethod = (tx: Tx, storeId: number, customerId: number, id: number) =>
  firstRow<{ provider: string; external_id: string; is_default: boolean }>(tx)`
    select provider, external_id, is_default from payment_method
     where store_id = ${storeId} and customer_id = ${customerId} and id = ${id}
       for update`

/** Inserts a method as the default one, unless it is known. Returns false if its customer is erased. */
export async function insertMethod(
  tx: Tx,
  storeId: number,
  row: SavedMethod & { customer_id: number; provider: string; now: string },
): Promise<boolean> {
  const { customer_id, provider, label, last4, expires } = row
  const id = await firstValue<number>(tx)`
    insert into payment_method
           (store_id, customer_id, provider, external_id, provider_customer, label, last4, expires, is_default, created_at)
    select store_id, id, ${provider}, ${row.external_id}, ${row.provider_customer}, ${label}, ${last4}, ${expires}, true,
           ${row.now}
      from customer
     where store_id = ${storeId} and id = ${customer_id} and erased_at is null
        on conflict (store_id, provider, external_id) do nothing
    returning id`
  if (id === undefined)
    return !(await hasRows(tx)`
      select from customer where store_id = ${storeId} and id = ${customer_id} and erased_at is not null`)
  await send(tx)`
    update payment_method set is_default = false
     where store_id = ${storeId} and customer_id = ${customer_id} and provider = ${provider} and is_default
       and id <> ${id}`
  return true
}

/** Deletes a method. If it was the default one, the newest other one of its provider becomes it. */
export async function deleteMethod(tx: Tx, storeId: number, id: number): Promise<void> {
  const next = await firstValue<number>(tx)`
    with deleted as (
      delete from payment_method where store_id = ${storeId} and id = ${id}
      returning customer_id, provider, is_default
    )
    select m.id
      from deleted d
      join payment_method m on m.store_id = ${storeId} and m.customer_id = d.customer_id and m.provider = d.provider
     where d.is_default and m.id <> ${id}
     order by m.id desc
     limit 1`
  if (next === undefined) return
  await send(tx)`
    update payment_method set is_default = true where store_id = ${storeId} and id = ${next}`
}

/** Moves the methods of a customer to another one, whose own stay the default ones. */
export async function moveMethods(
  tx: Tx,
  storeId: number,
  { from, into }: { from: number; into: number },
): Promise<void> {
  await send(tx)`
    update payment_method m
       set customer_id = ${into},
           is_default = m.is_default and not exists (
             select from payment_method d
              where d.store_id = m.store_id and d.customer_id = ${into} and d.provider = m.provider and d.is_default)
     where m.store_id = ${storeId} and m.customer_id = ${from}`
}
