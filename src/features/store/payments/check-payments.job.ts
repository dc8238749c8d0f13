import type { App, Job } from '../../../app.ts'
import { iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  claimChecks,
  nextCheck,
  OPEN_STATUSES,
  type ProviderPayment,
  selectNextCheck,
} from '../orders/index.ts'
import { workOnDue } from '../payment-providers/index.ts'
import { refreshPayment } from './apply-record.ts'
import { chargeSaved, mayBeCharged } from './charge-saved.ts'
import { endPayment } from './end-payment.ts'

const BATCH = 50

/**
 * Asks the providers about open payments, so that a payment whose callback never arrives is noticed (decision 453), and
 * about fees that they have not told.
 */
export const checkPaymentsJob: Job = {
  name: 'check-payments',
  due: nextCheck,
  run: async (app) => (await checkDue(app)) >= BATCH,
  clock: {
    nextDue: async ({ db }, store) => (await selectNextCheck(db, store.id))?.check_at,
    /** The loop ends, because the next check of each payment is at a later time. */
    async runDue(app, { store }) {
      while ((await checkDue(app, store.id)) > 0);
    },
    async finish(app, { id }) {
      while ((await checkDue(app, id)) > 0);
    },
  },
}

/** Returns the number of payments that were due. */
async function checkDue(app: App, storeId?: number): Promise<number> {
  const claim = { now: iso(app.clock.now()), limit: BATCH, ...(storeId && { storeId }) }
  const payments = await claimChecks(app.db, claim)
  await workOnDue(app, payments, {
    work: checkPayment,
    onLeft: ({ id }, error) =>
      app.log.error({ err: error, payment_id: id }, 'a payment could not be checked'),
  })
  return payments.length
}

/**
 * Asks about a payment. A renewal is charged; a payment that its order no longer needs, or whose page was never opened, is
 * ended.
 */
export async function checkPayment(context: StoreContext, payment: ProviderPayment): Promise<void> {
  const isOpen = OPEN_STATUSES.some((status) => status === payment.status)
  const isUnanswered = isOpen && payment.external_id === null
  const isCharge = isUnanswered && payment.saved_method !== null
  if (isOpen && payment.ending_since !== null) await endPayment(context, payment)
  else if (isCharge && (await mayBeCharged(context, payment))) await chargeSaved(context, payment)
  else if (isUnanswered) await endPayment(context, payment)
  else await refreshPayment(context, payment)
}
