import type { StoreContext } from '../../../store-context.ts'
import type { Extension } from './action-schema.ts'
import type { Work } from './change-keys.ts'
import { extend } from './license.rules.ts'
import { updateTerms } from './queries/keys.ts'

/** Lets licenses last longer. One that has no end refuses all of them. */
export const extendKeys =
  ({ store, now }: StoreContext, sent: Extension): Work =>
  async (tx, keys) => {
    const terms = keys.map((key) => ({ id: key.id, ...extend(key, sent, now) }))
    await updateTerms(tx, store.id, terms, now)
  }
