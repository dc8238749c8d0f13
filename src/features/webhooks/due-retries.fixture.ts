import type { Db } from '../../db/database.ts'

/** Inserts deliveries that are due for a retry now, as if all slots of their endpoints had been taken. */
export async function insertDueRetries(
  db: Db,
  rows: { store_id: number; endpoint_id: number; delivery_id: number }[],
): Promise<void> {
  const now = new Date().toISOString()
  const fields = { status: 'pending', attempts: 0, created_at: now, updated_at: now }
  const deliveries = rows.map(({ delivery_id, ...row }) => ({ ...row, ...fields, id: delivery_id }))
  await db.insertInto('webhook_delivery').values(deliveries).execute()
  await db
    .insertInto('webhook_retry')
    .values(rows.map((row) => ({ ...row, step: 0, due_at: now })))
    .execute()
}
