import { inTransaction } from '../../../db/database.ts'
import { notFound, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type KeyActor, recordChanges } from '../../installation/index.ts'
import { lockAppOrDefault } from '../apps/index.ts'
import type { LicensePolicy, NewPolicy } from './policy-schema.ts'
import * as q from './queries/index.ts'

/** Sets the terms of the keys that future sales of a variant create. */
export function setPolicy(
  context: StoreContext,
  actor: KeyActor,
  variantId: number,
  { app_id, ...body }: NewPolicy,
): Promise<LicensePolicy> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    if (!(await q.variantExists(tx, store.id, variantId))) throw notFound('Variant')
    const app = await lockAppOrDefault(tx, context, app_id)
    const before = await q.lockPolicy(tx, store.id, variantId)
    const row = { ...body, app_id: app.id, variant_id: variantId, updated_at: now }
    const updated_at = await q.upsertPolicy(tx, store.id, row)
    const after = { object: 'license_policy', ...row, updated_at } as const
    const change = { action: 'license_policy.set', record_type: after.object }
    await recordChanges(tx, context, actor, [{ ...change, record_id: variantId, before, after }])
    return after
  })
}

export async function getPolicy(
  { db, store }: StoreContext,
  variantId: number,
): Promise<LicensePolicy> {
  const [policy] = await q.selectPolicies(db, store.id, [variantId])
  return requireRecord(policy, 'License policy')
}
