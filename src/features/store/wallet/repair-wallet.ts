import { type App, storeContextOf } from '../../../app.ts'
import { type Changes, changesOf } from '../../../audit/changes.rules.ts'
import { inTransaction } from '../../../db/database.ts'
import type { StoreRow } from '../../installation/index.ts'
import * as q from './queries/index.ts'

/**
 * Recomputes a wallet and records corrected totals in the audit trail. Payments and withdrawals can continue
 * at the same time.
 */
export const repairWallet = (
  app: App,
  store: StoreRow,
): Promise<{ id: string; changes: Changes }> =>
  inTransaction(app.db, async (tx) => {
    const context = storeContextOf(app, store, tx)
    const before = await q.lockWallet(tx, store.id)
    const changes = changesOf({ ...before }, { ...(await q.recountWallet(tx, store.id)) })
    if (Object.keys(changes).length > 0) {
      const auditEvent = { action: 'wallet.repair', object: 'wallet', object_id: store.hash }
      await context.audit.record(tx, [{ ...auditEvent, changes }])
    }
    return { id: store.hash, changes }
  })
