import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { BlocklistEntry, BlocklistMatchQuery } from './schema.ts'
import { blocklistKeysOf } from './values.rules.ts'

/** Returns the entries that would refuse an order of this buyer. No hit is counted. */
export const matchEntries = (
  { db, store }: StoreContext,
  { email, ip }: BlocklistMatchQuery,
): Promise<BlocklistEntry[]> => q.selectMatches(db, store.id, blocklistKeysOf(email, ip))
