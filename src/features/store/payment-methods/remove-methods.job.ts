import { type App, type Job, storeContextOf } from '../../../app.ts'
import { iso } from '../../../kernel/time.ts'
import { selectStoreById } from '../../installation/index.ts'
import { connectedProvider } from '../payment-providers/index.ts'
import * as q from './queries/index.ts'

const BATCH = 50

/** Has providers delete saved methods that are not used any more, until they have done so. */
export const removeMethodsJob: Job = {
  name: 'remove-payment-methods',
  due: q.nextRemoval,
  run: async (app) => (await removeDue(app)) >= BATCH,
}

/** Returns the number of removals that were due. */
async function removeDue(app: App): Promise<number> {
  const page = { now: iso(app.clock.now()), limit: BATCH }
  const removals = await q.claimRemovals(app.db, page)
  for (const removal of removals) {
    try {
      await removeMethod(app, removal)
    } catch (error) {
      app.log.error({ err: error, removal_id: removal.id }, 'a saved method could not be deleted')
    }
  }
  return removals.length
}

/** While the provider is disconnected it cannot be asked, so the removal waits. */
async function removeMethod(app: App, removal: q.MethodRemoval): Promise<void> {
  const { store_id, provider, external_id } = removal
  const store = await selectStoreById(app.db, store_id)
  const connected = store && connectedProvider(store, provider)
  if (!connected) return
  await connected.deleteMethod?.(storeContextOf(app, store), external_id)
  await q.deleteRemoval(app.db, removal)
}
