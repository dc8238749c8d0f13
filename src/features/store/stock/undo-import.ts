import { inTransaction } from '../../../db/database.ts'
import { invalidState, requireRecord } from '../../../kernel/errors.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { deleteFromStock } from './delete-keys.ts'
import * as q from './queries/index.ts'

/** The time during which an import can be undone after its last key was added, by the store's clock. */
const UNDO_MAX_MS = 10 * MINUTE_MS

interface ImportPath {
  product: string
  variantId: number
  importId: string
}

/** Deletes all keys of an import. Refuses if one of them is no longer available. */
export async function undoImport(context: StoreContext, path: ImportPath) {
  const { store, now } = context
  return inTransaction(context.db, (tx) =>
    deleteFromStock(tx, context, path, async (variant, { unreserved }) => {
      const keyImport = await q.selectImport(tx, store.id, variant.id, path.importId)
      const { count } = refuseChangedOrOld(requireRecord(keyImport, 'Key import'), now)
      if (count > unreserved) {
        throw invalidState(
          'available',
          'Unpaid orders reserve keys of this variant. Cancel these orders first.',
        )
      }
      return q.deleteImport(tx, store.id, variant.id, path.importId)
    }),
  )
}

function refuseChangedOrOld(keyImport: q.KeyImport, now: string): q.KeyImport {
  const { changed_status, last_at } = keyImport
  if (changed_status) {
    throw invalidState(
      changed_status,
      `A key of this import is ${changed_status}. Delete the available keys one at a time.`,
    )
  }
  if (Date.parse(now) - Date.parse(last_at) <= UNDO_MAX_MS) return keyImport
  throw invalidState(
    'available',
    'An import can be undone for 10 minutes. Delete its keys one at a time.',
  )
}
