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

/** Locks the keys of an order that its hold has banned, and returns their ids. */
export const lockHeldKeys = (tx: Tx, storeId: number, orderId: string) =>
  allValues<number>(tx)`
    select id from license_key
     where store_id = ${storeId} and order_id = ${orderId} and ban_before_hold is not null
     order by id
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
     where store_id = ${storeId} and order_id = ${orderId} and ban_before_hold is not null`
