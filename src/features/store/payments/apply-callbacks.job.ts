import type { App, Job } from '../../../app.ts'
import { iso } from '../../../kernel/time.ts'
import {
  claimLateCallbacks,
  nextLateCallback,
  selectNextLateCallback,
  workOnDue,
} from '../payment-providers/index.ts'
import { applyCallback } from './apply-callback.ts'
import * as q from './queries.ts'
import { deliverCallback } from './simulate-payment.ts'

const BATCH = 50

/** Applies the callbacks of payment providers after their answers. */
export const applyCallbacksJob: Job = {
  name: 'apply-payment-callbacks',
  due: q.nextCallback,
  run: async (app) => (await applyDue(app)) >= BATCH,
  clock: {
    nextDue: ({ db }, store) => q.selectNextCallback(db, store.id),
    /** The loop ends, because each callback is applied or tried again at a later time. */
    async runDue(app, { store }) {
      while ((await applyDue(app, store.id)) > 0);
    },
  },
}

/** Returns the number of callbacks that were due. */
async function applyDue(app: App, storeId?: number): Promise<number> {
  const claim = { now: iso(app.clock.now()), limit: BATCH, ...(storeId && { storeId }) }
  const callbacks = await q.claimCallbacks(app.db, claim)
  await workOnDue(app, callbacks, {
    work: applyCallback,
    onLeft: ({ id }, error) =>
      app.log.error({ err: error, callback_id: id }, 'a callback could not be applied'),
  })
  return callbacks.length
}

/** Sends the callbacks that the provider `test` sends late. */
export const sendLateCallbacksJob: Job = {
  name: 'send-late-callbacks',
  due: nextLateCallback,
  run: async (app) => (await sendDue(app)) >= BATCH,
  clock: {
    nextDue: ({ db }, store) => selectNextLateCallback(db, store.id),
    async runDue(app, { store }) {
      while ((await sendDue(app, store.id)) > 0);
    },
  },
}

async function sendDue(app: App, storeId?: number): Promise<number> {
  const claim = { now: iso(app.clock.now()), limit: BATCH, ...(storeId && { storeId }) }
  const lateCallbacks = await claimLateCallbacks(app.db, claim)
  await workOnDue(app, lateCallbacks, {
    work: (context, { callback }) => deliverCallback(context, callback),
    // The job that asks providers notices the payment.
    onLeft: ({ store_id }, error) =>
      app.log.error({ err: error, store_id }, 'a late callback could not be sent'),
  })
  return lateCallbacks.length
}
