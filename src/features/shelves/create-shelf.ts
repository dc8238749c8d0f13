import { inTransaction, type Tx } from '../../db/database.ts'
import { found, invalid, taken } from '../../kernel/errors.ts'
import { randomText } from '../../kernel/ids.ts'
import { slugOf } from '../../kernel/slug.ts'
import type { Shop } from '../../shop.ts'
import type { Kind } from './kinds.ts'
import * as q from './queries.ts'
import { type NewCategory, type NewGroup, SHELVES_MAX, type Shelf } from './schema.ts'

/** Makes a category or a group, behind the others. */
export function createShelf<S extends Shelf>(
  { db, store, now }: Shop,
  kind: Kind<S>,
  sent: NewCategory | NewGroup,
): Promise<S> {
  return inTransaction(db, async (tx) => {
    await q.lockShelves(tx, store.id, kind)
    if ((await q.selectIds(tx, store.id, kind)).length >= SHELVES_MAX) {
      throw invalid('name', `A store has at most ${SHELVES_MAX} of them; delete one first.`)
    }
    const id = await insertUnderSlug(tx, store.id, kind, { ...sent, created_at: now })
    return found(await q.selectShelf(tx, store.id, kind, id), kind.name)
  })
}

/** A slug that was sent is refused where it is taken; one made from the name gets an ending. */
async function insertUnderSlug(
  tx: Tx,
  storeId: number,
  kind: Kind<Shelf>,
  { slug, ...row }: Omit<q.ShelfRow, 'slug'> & { slug?: string | undefined },
): Promise<number> {
  const made = slug ?? (slugOf(row.name) || kind.object)
  const id = await q.insertShelf(tx, storeId, kind, { ...row, slug: made })
  if (id !== undefined) return id
  if (slug !== undefined) throw slugTaken(kind)
  const ending = randomText(6).toLowerCase()
  return insertUnderSlug(tx, storeId, kind, { ...row, slug: `${made}-${ending}` })
}

export const slugTaken = ({ object }: Kind<Shelf>) =>
  taken('slug', `Another ${object} has this slug.`)
