import { type Job, storeContextOf } from '../../../app.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { selectStoreById } from '../../installation/index.ts'
import { nextListenerTimeout, selectExpiredListeners } from '../queries/listeners.ts'
import { removeListener } from './remove-listener.ts'

/** Removes the endpoints of listeners that no longer poll. */
export const removeSilentListenersJob: Job = {
  name: 'remove-silent-listeners',
  due: nextListenerTimeout,
  async run(app) {
    for (const { store_id, public_id } of await selectExpiredListeners(app.db)) {
      const store = await selectStoreById(app.db, store_id)
      if (!store) continue
      await removeListener(storeContextOf(app, store), public_id).catch((error) => {
        // The listener may have removed its endpoint meanwhile.
        if (!(error instanceof Refusal)) throw error
      })
    }
    return false
  },
}
