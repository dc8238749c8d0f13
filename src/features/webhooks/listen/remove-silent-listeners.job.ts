import { type Job, storeContextOf } from '../../../app.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { asStore, selectStoreById } from '../../installation/index.ts'
import { nextSilence, selectSilentListeners } from '../queries/listeners.ts'
import { removeListener } from './remove-listener.ts'

/** Removes the endpoints of listeners that were killed (decision 72). */
export const removeSilentListenersJob: Job = {
  name: 'remove-silent-listeners',
  due: nextSilence,
  async run(app) {
    for (const { store_id, public_id } of await selectSilentListeners(app.db)) {
      const row = await selectStoreById(app.db, store_id)
      if (!row) continue
      await removeListener(storeContextOf(app, asStore(row)), public_id).catch((error) => {
        // It was removed meanwhile.
        if (!(error instanceof Refusal)) throw error
      })
    }
    return false
  },
}
