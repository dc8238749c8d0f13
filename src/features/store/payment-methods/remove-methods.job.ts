import type { App, Job } from '../../../app.ts'
import { iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { connectedProvider, workOnDue } from '../payment-providers/index.ts'
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
  await workOnDue(app, removals, {
    work: removeMethod,
    onLeft: ({ id }, error) =>
      app.log.error({ err: error, removal_id: id }, 'a saved method could not be deleted'),
  })
  return removals.length
}

/** While the provider is disconnected it cannot be asked, so the removal waits. */
async function removeMethod(context: StoreContext, removal: q.MethodRemoval): Promise<void> {
  const connected = connectedProvider(context.store, removal.provider)
  if (!connected) return
  await connected.deleteMethod?.(context, removal.external_id)
  await q.deleteRemoval(context.db, removal)
}
