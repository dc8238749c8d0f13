import type { App, Job } from '../../../app.ts'
import { iso } from '../../../kernel/time.ts'
import { claimRequests, nextRequest, selectNextRequest } from '../orders/index.ts'
import { workOnDue } from '../payment-providers/index.ts'
import { sendRefund } from './send-refunds.ts'

const BATCH = 50

/** Asks providers for the refunds that they have not confirmed, until they confirm or refuse them (decision 457). */
export const sendRefundsJob: Job = {
  name: 'send-refunds',
  due: nextRequest,
  run: async (app) => (await sendDue(app)) >= BATCH,
  clock: {
    nextDue: ({ db }, store) => selectNextRequest(db, store.id),
    /** The loop ends, because the next question about each refund is at a later time. */
    async runDue(app, { store }) {
      while ((await sendDue(app, store.id)) > 0);
    },
  },
}

/** Returns the number of refunds that were due. */
async function sendDue(app: App, storeId?: number): Promise<number> {
  const claim = { now: iso(app.clock.now()), limit: BATCH, ...(storeId && { storeId }) }
  const requests = await claimRequests(app.db, claim)
  await workOnDue(app, requests, {
    work: sendRefund,
    onLeft: ({ id }, error) =>
      app.log.error({ err: error, refund_id: id }, 'a refund could not be sent'),
  })
  return requests.length
}
