import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { firstRow } from '../../../db/rows.ts'
import type { Billing, NewBilling } from './schema.ts'

const BILLING = sql`
  'product_billing' as object, p.hash_id as product_id, b.billing_cycle, b.trial_days,
  b.recurring_price_cents, b.created_at, b.updated_at`

export const selectBilling = (db: Db, storeId: number, productId: number) =>
  firstRow<Billing>(db)`
    select ${BILLING}
      from product_billing b
      join product p on p.store_id = b.store_id and p.id = b.product_id
     where b.store_id = ${storeId} and b.product_id = ${productId}`

export async function selectProductKind(
  db: Db,
  storeId: number,
  productId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('product')
    .select('product_kind')
    .where('store_id', '=', storeId)
    .where('id', '=', productId)
    .executeTakeFirst()
  return row?.product_kind
}

export async function upsertBilling(
  tx: Tx,
  storeId: number,
  { product_id, now, ...fields }: NewBilling & { product_id: number; now: string },
): Promise<void> {
  await tx
    .insertInto('product_billing')
    .values({ ...fields, store_id: storeId, product_id, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'product_id']).doUpdateSet((row) => ({
        ...fields,
        updated_at: sql<string>`greatest(${row.ref('product_billing.updated_at')}, ${now})`,
      })),
    )
    .execute()
}
