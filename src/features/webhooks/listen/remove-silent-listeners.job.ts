import { storeContextOf } from '../../../app.ts'
import type { Job } from '../../../jobs/job.ts'
import { StoreError } from '../../../kernel/errors.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import { asStore, selectStoreById } from '../../installation/index.ts'
import { selectSilentListeners } from '../queries/listeners.ts'
import { removeListener } from './remove-listener.ts'

/** Removes the endpoints of listeners that were killed (decision 72). */
export const removeSilentListenersJob: Job = {
  name: 'remove-silent-listeners',
  every_ms: 10 * SECOND_MS,
  async run(app) {
    for (const { store_id, public_id } of await selectSilentListeners(app.db)) {
      const row = await selectStoreById(app.db, store_id)
      if (!row) continue
      await removeListener(storeContextOf(app, asStore(row)), public_id).catch((error) => {
        // Somebody else removed it meanwhile.
        if (!(error instanceof StoreError)) throw error
      })
    }
    return false
  },
}
