import { type App, type Job, storeContextOf } from '../../../app.ts'
import { iso } from '../../../kernel/time.ts'
import { selectStoreById } from '../../installation/index.ts'
import { connectedProvider } from '../payment-providers/index.ts'
import {
  claimRemovals,
  deleteRemoval,
  type MethodRemoval,
  nextRemoval,
  selectNextRemoval,
} from './queries/removals.ts'

const BATCH = 50

/** Has providers delete the saved methods of erased people, until they have done so. */
export const removeMethodsJob: Job = {
  name: 'remove-payment-methods',
  due: nextRemoval,
  run: async (app) => (await removeDue(app)) >= BATCH,
  clock: {
    nextDue: ({ db }, store) => selectNextRemoval(db, store.id),
    /** The loop ends, because the next attempt of each removal is at a later time. */
    async runDue(app, { store }) {
      while ((await removeDue(app, store.id)) > 0);
    },
  },
}

/** Returns the number of removals that were due. */
async function removeDue(app: App, storeId?: number): Promise<number> {
  const page = { now: iso(app.clock.now()), limit: BATCH, storeId }
  const removals = await claimRemovals(app.db, page)
  for (const removal of removals) {
    try {
      await removeMethod(app, removal)
    } catch (error) {
      app.log.error({ err: error, removal_id: removal.id }, 'a saved method could not be deleted')
    }
  }
  return removals.length
}

/** A provider that was disconnected cannot be asked, so nothing is left to do. */
async function removeMethod(app: App, removal: MethodRemoval): Promise<void> {
  const { store_id, provider, external_id } = removal
  const store = await selectStoreById(app.db, store_id)
  if (store)
    await connectedProvider(store, provider)?.deleteMethod?.(
      storeContextOf(app, store),
      external_id,
    )
  await deleteRemoval(app.db, removal)
}
