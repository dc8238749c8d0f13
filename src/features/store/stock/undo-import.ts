import { inTransaction } from '../../../db/database.ts'
import { found, invalidState } from '../../../kernel/errors.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { deleteCounted } from './delete-keys.ts'
import type { KeyImport } from './queries/imports.ts'
import * as q from './queries/imports.ts'

/** How long an import can be undone after its last key, by the store's clock (decision 321). */
export const UNDO_MAX_MS = 10 * MINUTE_MS

export interface ImportPath {
  product: string
  variantId: number
  importId: string
}

/** Deletes all keys of an import. One key that is no longer available refuses the whole call. */
export async function undoImport(
  context: StoreContext,
  path: ImportPath,
): Promise<{ deleted: true; count: number }> {
  const { store, now } = context
  return inTransaction(context.db, (tx) =>
    deleteCounted(tx, context, path, async (variant, most) => {
      const imported = await q.selectImport(tx, store.id, variant.id, path.importId)
      const { count } = refuseChangedOrOld(found(imported, 'Key import'), now)
      if (count > most) {
        throw invalidState(
          'available',
          'Unpaid orders hold keys of this variant. Cancel them first.',
        )
      }
      return q.deleteImport(tx, store.id, variant.id, path.importId)
    }),
  )
}

function refuseChangedOrOld(imported: KeyImport, now: string): KeyImport {
  const { changed, last_at } = imported
  if (changed) {
    throw invalidState(
      changed,
      `A key of this import is ${changed}. Delete the keys that are available one at a time.`,
    )
  }
  if (Date.parse(now) - Date.parse(last_at) <= UNDO_MAX_MS) return imported
  throw invalidState(
    'available',
    'An import can be undone for 10 minutes. Delete its keys one at a time.',
  )
}
