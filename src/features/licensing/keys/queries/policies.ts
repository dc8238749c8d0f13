import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { allRows, firstRow, hasRows } from '../../../../db/rows.ts'
import type { LicensePolicy } from '../policy-schema.ts'

const COLUMNS = sql`
  variant_id, 'license_policy' as object, app_id, prefix, level, entitlements, duration_seconds,
  expiry_basis, max_devices, max_sessions, device_resets_left, reset_cooldown_seconds,
  max_device_changes, updated_at`

export const selectPolicies = (db: Db, storeId: number, variantIds: readonly number[]) =>
  allRows<LicensePolicy>(db)`
    select ${COLUMNS} from license_policy
     where store_id = ${storeId} and variant_id = any(${variantIds}::bigint[])`

/** Locks the policy of a variant, so that its former values can be compared with the new ones. */
export const lockPolicy = (tx: Tx, storeId: number, variantId: number) =>
  firstRow<LicensePolicy>(tx)`
    select ${COLUMNS} from license_policy
     where store_id = ${storeId} and variant_id = ${variantId}
       for no key update`

export const variantExists = (db: Db, storeId: number, id: number) =>
  hasRows(db)`
    select from variant
     where store_id = ${storeId} and id = ${id} and deleted_at is null`

/** Returns the stored `updated_at`. It is later than the given one if the clock was set back. */
export async function upsertPolicy(
  tx: Tx,
  storeId: number,
  policy: Omit<LicensePolicy, 'object'>,
): Promise<string> {
  const { updated_at } = await tx
    .insertInto('license_policy')
    .values({ ...policy, store_id: storeId })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'variant_id']).doUpdateSet((row) => ({
        ...policy,
        updated_at: sql<string>`greatest(${row.ref('license_policy.updated_at')}, ${policy.updated_at})`,
      })),
    )
    .returning('updated_at')
    .executeTakeFirstOrThrow()
  return updated_at
}

/** Returns the email address of an order's customer. */
export async function selectOrderEmail(
  tx: Tx,
  storeId: number,
  orderId: string,
): Promise<string | null> {
  const { rows } = await sql<{ customer_email: string }>`
    select customer_email from "order" where store_id = ${storeId} and id = ${orderId}`.execute(tx)
  return rows[0]?.customer_email ?? null
}
