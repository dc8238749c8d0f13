import type { Job } from '../../../app.ts'
import { nextCall, selectNextCall } from '../orders/index.ts'
import { callDue } from './call-address.ts'

/** Asks for the texts of dynamic deliveries, each by the clock of its store. */
export const callAddressesJob: Job = {
  name: 'call-dynamic-addresses',
  due: nextCall,
  run: async (app) => (await callDue(app)) > 0,
  clock: {
    nextDue: ({ db }, store) => selectNextCall(db, store.id),
    /** Each call that is due ends, or is due later. */
    async runDue(app, { store }) {
      while ((await callDue(app, store.id)) > 0);
    },
  },
}
