import type { App, Job } from '../../../app.ts'
import { nextCall, selectNextCall } from '../orders/index.ts'
import { callDue } from './call-address.ts'

/** Asks for the texts of dynamic deliveries, each by the clock of its store. */
export const callAddressesJob: Job = {
  name: 'call-dynamic-addresses',
  due: nextCall,
  clock: {
    nextDue: ({ db }, store) => selectNextCall(db, store.id),
    settle: (app, { store }) => makeDueCalls(app, store.id),
  },
  run: async (app) => (await callDue(app)) > 0,
}

/** Makes every call that is due in one store now. Each one ends, or is due later. */
async function makeDueCalls(app: App, storeId: number): Promise<void> {
  while ((await callDue(app, storeId)) > 0);
}
