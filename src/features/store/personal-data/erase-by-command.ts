import { type App, storeContextOf } from '../../../app.ts'
import { inTransaction } from '../../../db/database.ts'
import { asStore } from '../../installation/index.ts'
import { eraseCustomer } from './erase-customer.ts'

/** Erases a customer for an operator, and records it in the audit trail. */
export const eraseByCommand = (app: App, row: Parameters<typeof asStore>[0], id: number) =>
  inTransaction(app.db, async (tx) => {
    const context = storeContextOf(app, asStore(row), tx)
    const erased = await eraseCustomer(context, id)
    const act = { action: 'customer.erase', object: 'customer', object_id: String(id) }
    await context.audit.record(tx, [{ ...act, changes: {} }])
    return erased
  })
