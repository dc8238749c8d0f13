import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import { allValues, execute } from '../../../../db/rows.ts'
import type { KeyRow } from './keys.ts'

/** Remembers the bans that keys had before a hold has banned them. */
export const setBansBeforeHold = (tx: Tx, storeId: number, keys: readonly KeyRow[]) =>
  execute(tx)`
    update license_key k
       set ban_before_hold = to_jsonb(b) - 'id'
      from jsonb_to_recordset(${JSON.stringify(keys)})
        as b(id bigint, ban_reason text, public_ban_reason text, banned_at timestamptz, ban_expires_at timestamptz,
             banned_by bigint)
     where k.store_id = ${storeId} and k.id = b.id`

/** The ids of the keys of an order: those that it sold, and those that it renews. */
const keysOf = (storeId: number, orderId: string) => sql`
  select k.id from license_key k where k.store_id = ${storeId} and k.order_id = ${orderId}
   union
  select k.id
    from subscription_payment p
    join subscription s on s.store_id = p.store_id and s.id = p.subscription_id
    join license_key k
      on k.store_id = s.store_id and k.order_id = s.initial_invoice_id and k.order_item_id = s.order_item_id
   where p.store_id = ${storeId} and p.order_id = ${orderId}`

export const selectKeysOfHold = (tx: Tx, storeId: number, orderId: string) =>
  allValues<number>(tx)`${keysOf(storeId, orderId)}`

/** Locks the keys of an order that a hold has banned, and returns their ids. Those of another order on hold are left out. */
export const lockHeldKeys = (tx: Tx, storeId: number, orderId: string) =>
  allValues<number>(tx)`
    select k.id from license_key k
     where k.store_id = ${storeId} and k.id in (${keysOf(storeId, orderId)}) and k.ban_before_hold is not null
       and not exists (
             select from (select k.order_id as id
                           union all
                          select p.order_id
                            from subscription s
                            join subscription_payment p on p.store_id = s.store_id and p.subscription_id = s.id
                           where s.store_id = k.store_id and s.initial_invoice_id = k.order_id
                             and s.order_item_id = k.order_item_id) own
               join "order" o on o.store_id = k.store_id and o.id = own.id
              where o.hold is not null)
     order by k.id
       for update`

/** Gives keys the bans that they had before a hold. */
export const restoreBans = (
  tx: Tx,
  storeId: number,
  { ids, now }: { ids: readonly number[]; now: string },
) =>
  execute(tx)`
    update license_key
       set ban_reason = ban_before_hold ->> 'ban_reason',
           public_ban_reason = ban_before_hold ->> 'public_ban_reason',
           banned_at = (ban_before_hold ->> 'banned_at')::timestamptz,
           ban_expires_at = (ban_before_hold ->> 'ban_expires_at')::timestamptz,
           banned_by = (ban_before_hold ->> 'banned_by')::bigint,
           ban_before_hold = null,
           updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and id = any(${ids}::bigint[])`

export const deleteBansBeforeHold = (tx: Tx, storeId: number, orderId: string) =>
  execute(tx)`
    update license_key set ban_before_hold = null
     where store_id = ${storeId} and id in (${keysOf(storeId, orderId)}) and ban_before_hold is not null`
