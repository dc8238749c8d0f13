import { type App, storeContextOf } from '../../../app.ts'
import { type Changes, changesOf } from '../../../audit/changes.rules.ts'
import { inTransaction } from '../../../db/database.ts'
import { asStore } from '../../installation/index.ts'
import * as q from './queries/withdrawals.ts'

/**
 * Recomputes a wallet, and records the wrong totals in the audit trail. Payments and withdrawals
 * may go on meanwhile (decision 281).
 */
export const repairWallet = (
  app: App,
  row: Parameters<typeof asStore>[0],
): Promise<{ id: string; changes: Changes }> =>
  inTransaction(app.db, async (tx) => {
    const context = storeContextOf(app, asStore(row), tx)
    const before = await q.lockWallet(tx, row.id)
    const changes = changesOf({ ...before }, { ...(await q.recountWallet(tx, row.id)) })
    if (Object.keys(changes).length > 0) {
      const act = { action: 'wallet.repair', object: 'wallet', object_id: row.hash }
      await context.audit.record(tx, [{ ...act, changes }])
    }
    return { id: row.hash, changes }
  })
