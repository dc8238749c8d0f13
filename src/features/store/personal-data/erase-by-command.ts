import { type App, storeContextOf } from '../../../app.ts'
import { inTransaction } from '../../../db/database.ts'
import type { StoreRow } from '../../installation/index.ts'
import { eraseCustomer } from './erase-customer.ts'

/** Erases a customer for an operator, and records the erasure in the audit trail. */
export const eraseByCommand = (app: App, store: StoreRow, id: number) =>
  inTransaction(app.db, async (tx) => {
    const context = storeContextOf(app, store, tx)
    const erasure = await eraseCustomer(context, id)
    const wasErasedBefore = erasure.erased_at !== context.now
    if (wasErasedBefore) return erasure
    const auditEvent = { action: 'customer.erase', object: 'customer', object_id: String(id) }
    await context.audit.record(tx, [{ ...auditEvent, changes: {} }])
    return erasure
  })
