import type { StoreContext } from '../../../store-context.ts'
import { signOrderToken } from './order-link.ts'
import { idInToken, opensOrder } from './order-token.rules.ts'
import * as q from './queries/index.ts'
import type { StoredOrder } from './schema.ts'
import { readOrder } from './show-order.ts'

/** Returns the order that a token opens, or undefined if it opens none of this store. */
export async function findLinkedOrder(
  context: StoreContext,
  token: string,
): Promise<StoredOrder | undefined> {
  const { db, store } = context
  const id = idInToken(token)
  if (id === undefined) return undefined
  const link_version = await q.selectLinkVersion(db, store.id, id)
  if (link_version === undefined) return undefined
  const order = { store_id: store.id, id, link_version }
  return opensOrder(token, order, signOrderToken(context)) ? readOrder(context, db, id) : undefined
}
