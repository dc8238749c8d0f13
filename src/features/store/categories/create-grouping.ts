import { inTransaction, type Tx } from '../../../db/database.ts'
import { alreadyTaken, invalid, requireRecord } from '../../../kernel/errors.ts'
import { randomText } from '../../../kernel/ids.ts'
import { slugOf } from '../../../kernel/slug.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Kind } from './kinds.ts'
import * as q from './queries.ts'
import { GROUPINGS_MAX, type Grouping, type NewCategory, type NewGroup } from './schema.ts'

/** Creates a category or a group, at the last position. */
export function createGrouping<S extends Grouping>(
  { db, store, now }: StoreContext,
  kind: Kind<S>,
  body: NewCategory | NewGroup,
): Promise<S> {
  return inTransaction(db, async (tx) => {
    await q.lockGroupings(tx, store.id, kind)
    if ((await q.selectIdsOfKind(tx, store.id, kind)).length >= GROUPINGS_MAX) {
      throw invalid(
        'name',
        `A store has at most ${GROUPINGS_MAX} ${kind.plural}. Delete one first.`,
      )
    }
    const id = await insertWithSlug(tx, store.id, kind, { ...body, created_at: now })
    return requireRecord(await q.selectGrouping(tx, store.id, kind, id), kind.name)
  })
}

/** Inserts a grouping. Refuses a used slug if the caller sent it. A slug from the name gets a suffix instead. */
async function insertWithSlug(
  tx: Tx,
  storeId: number,
  kind: Kind<Grouping>,
  { slug, ...row }: Omit<q.GroupingRow, 'slug'> & { slug?: string | undefined },
): Promise<number> {
  const newSlug = slug ?? (slugOf(row.name) || kind.object)
  const id = await q.insertGrouping(tx, storeId, kind, { ...row, slug: newSlug })
  if (id !== undefined) return id
  if (slug !== undefined) throw slugInUse(kind)
  const suffix = randomText(6).toLowerCase()
  return insertWithSlug(tx, storeId, kind, { ...row, slug: `${newSlug}-${suffix}` })
}

export const slugInUse = ({ object }: Kind<Grouping>) =>
  alreadyTaken('slug', `Another ${object} has this slug. Use another one.`)
