import { inTransaction, type Tx } from '../../../db/database.ts'
import { alreadyTaken, found, invalid } from '../../../kernel/errors.ts'
import { randomText } from '../../../kernel/ids.ts'
import { slugOf } from '../../../kernel/slug.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Kind } from './kinds.ts'
import * as q from './queries.ts'
import { GROUPINGS_MAX, type Grouping, type NewCategory, type NewGroup } from './schema.ts'

/** Makes a category or a group, behind the others. */
export function createGrouping<S extends Grouping>(
  { db, store, now }: StoreContext,
  kind: Kind<S>,
  body: NewCategory | NewGroup,
): Promise<S> {
  return inTransaction(db, async (tx) => {
    await q.lockGroupings(tx, store.id, kind)
    if ((await q.selectIds(tx, store.id, kind)).length >= GROUPINGS_MAX) {
      throw invalid('name', `A store has at most ${GROUPINGS_MAX} of them; delete one first.`)
    }
    const id = await insertUnderSlug(tx, store.id, kind, { ...body, created_at: now })
    return found(await q.selectGrouping(tx, store.id, kind, id), kind.name)
  })
}

/** Refuses a slug in use if the caller sent it; a slug from the name gets a suffix instead. */
async function insertUnderSlug(
  tx: Tx,
  storeId: number,
  kind: Kind<Grouping>,
  { slug, ...row }: Omit<q.GroupingRow, 'slug'> & { slug?: string | undefined },
): Promise<number> {
  const made = slug ?? (slugOf(row.name) || kind.object)
  const id = await q.insertGrouping(tx, storeId, kind, { ...row, slug: made })
  if (id !== undefined) return id
  if (slug !== undefined) throw slugTaken(kind)
  const ending = randomText(6).toLowerCase()
  return insertUnderSlug(tx, storeId, kind, { ...row, slug: `${made}-${ending}` })
}

export const slugTaken = ({ object }: Kind<Grouping>) =>
  alreadyTaken('slug', `Another ${object} has this slug.`)
