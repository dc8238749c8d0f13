import type { Job } from '../../../app.ts'
import { nextCall, selectNextCall } from '../orders/index.ts'
import { finishCalls, startDueCalls } from './call-address.ts'

/** Calls the addresses of dynamic deliveries when a call is due, by the clocks of their stores. */
export const callAddressesJob: Job = {
  name: 'call-dynamic-addresses',
  due: nextCall,
  run: async (app) => (await startDueCalls(app)).count > 0,
  finish: finishCalls,
  clock: {
    nextDue: ({ db }, store) => selectNextCall(db, store.id),
    /** The loop ends, because each due call is completed or postponed. */
    async runDue(app, { store }) {
      let callCount = 1
      while (callCount > 0) {
        const { count, ended } = await startDueCalls(app, store.id)
        await ended
        callCount = count
      }
    },
  },
}
