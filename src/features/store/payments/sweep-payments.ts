import { type App, storeContextOf } from '../../../app.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import type { Store, StoreContext } from '../../../store-context.ts'
import {
  claimChecks,
  type Payment,
  type ProviderPayment,
  selectOpenPaymentsOfStore,
  selectProviderPayment,
} from '../orders/index.ts'
import { checkPayment } from './check-payments.job.ts'

const BATCH = 50

/** A payment about which its provider was asked. */
export interface SweptPayment {
  payment_id: number
  order_id: string
  provider: string
  before: Payment['status']
  after: Payment['status']
  /** The reason for which there was no answer. */
  error: string | null
}

interface Options {
  /** True for all open payments, also those that are not due. */
  all: boolean
}

/** Asks the providers of a store about its open payments now, and returns the changes (decision 453). */
export async function sweepPayments(
  app: App,
  store: Store,
  { all }: Options,
  signal: AbortSignal,
): Promise<SweptPayment[]> {
  const swept: SweptPayment[] = []
  const nextBatch = all ? openPaymentsOf(app, store) : duePaymentsOf(app, store)
  for (let batch = await nextBatch(); batch.length > 0; batch = await nextBatch()) {
    for (const payment of batch) {
      signal.throwIfAborted()
      swept.push(await sweep(storeContextOf(app, store), payment))
    }
  }
  return swept
}

/** Each payment is claimed once, because its next check is at a later time. */
const duePaymentsOf =
  ({ db, clock }: App, { id: storeId }: Store) =>
  () =>
    claimChecks(db, { now: iso(clock.now()), limit: BATCH, storeId })

function openPaymentsOf({ db }: App, { id: storeId }: Store) {
  let after = 0
  return async () => {
    const batch = await selectOpenPaymentsOfStore(db, storeId, { after, limit: BATCH })
    after = batch.at(-1)?.id ?? after
    return batch
  }
}

async function sweep(context: StoreContext, payment: ProviderPayment): Promise<SweptPayment> {
  const { id, order_id, provider, status: before } = payment
  const error = await checkPayment(context, payment).then(() => null, reasonOf)
  const after = (await selectProviderPayment(context.db, context.store.id, id))?.status ?? before
  return { payment_id: id, order_id, provider, before, after, error }
}

/** Returns the message of a refusal. Any other error is a bug, or the database does not answer. */
function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message
  throw error
}
