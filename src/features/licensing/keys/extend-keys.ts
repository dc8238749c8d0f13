import type { StoreContext } from '../../../store-context.ts'
import type { Extension } from './action-schema.ts'
import type { KeyWork } from './change-keys.ts'
import { extendTerm } from './license.rules.ts'
import * as q from './queries/index.ts'

/** Extends licenses. If one of them has no end, none is extended. */
export const extendKeys =
  ({ store, now }: StoreContext, body: Extension): KeyWork =>
  async (tx, keys) => {
    const terms = keys.map((key) => ({ id: key.id, ...extendTerm(key, body, now) }))
    await q.updateTerms(tx, store.id, terms, now)
    return false
  }
