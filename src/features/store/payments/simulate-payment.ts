import { invalidState, Refusal } from '../../../kernel/errors.ts'
import { addSeconds } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { ProviderPayment } from '../orders/index.ts'
import {
  connectedProvider,
  playTestPayment,
  setLateCallback,
  signedCallback,
  type TestAction,
} from '../payment-providers/index.ts'
import { applyCallback } from './apply-callback.ts'
import * as q from './queries.ts'
import { storeCallback } from './receive-callback.ts'
import type { CallbackKind, Simulation } from './schema.ts'

const LATE_S = 300

/** Refuses the live side, where no money may be invented. */
export function checkTestSide({ store }: StoreContext): void {
  if (!store.livemode) return
  const message = 'Payments are simulated on the test side only. Use the test key of the store.'
  throw new Refusal('STORE_NOT_ALLOWED', message)
}

/** Acts as the buyer and the bank of a payment of the provider `test`, which then sends its callbacks. */
export async function simulatePayment(
  context: StoreContext,
  payment: ProviderPayment,
  { do: action, amount_cents, callback }: Simulation,
): Promise<void> {
  if (payment.provider !== 'test')
    throw invalidState(payment.status, 'Only a payment of the provider test can be simulated.')
  if (callback === 'forged') return sendForged(context, payment, action)
  const { callback: text, payment: played } = await playTestPayment(context, payment.id, {
    action,
    amount_cents,
    isReported: payment.status === 'succeeded' || payment.status === 'disputed',
  })
  if (callback === 'never') return
  if (callback === 'late') {
    const callback_at = addSeconds(context.now, LATE_S)
    return setLateCallback(context.db, played, { callback_at, callback: text })
  }
  for (const body of bodiesOf(text, callback)) await deliverCallback(context, body)
}

/** Returns the bodies of the callbacks, in the order of their arrival. */
function bodiesOf(text: string, kind: CallbackKind): string[] {
  if (kind === 'twice') return [text, text]
  if (kind !== 'reordered') return [text]
  const { id, ...rest } = JSON.parse(text) as { id: string; type: string }
  return [text, JSON.stringify({ ...rest, id: `${id}_0`, type: 'payment.processing' })]
}

/** Receives a callback of the provider `test` and applies it at once. One that is not connected any more gets no answer. */
export async function deliverCallback(context: StoreContext, text: string): Promise<void> {
  const { db, store, now } = context
  if (!connectedProvider(store, 'test')) return
  const request = signedCallback(context, text)
  const id = await storeCallback(context, { provider: 'test', ...request })
  const callback = id && (await q.claimCallback(db, store.id, id, now))
  if (callback) await applyCallback(context, callback)
}

/** Sends a callback with a wrong signature, as a forger would, and expects that it is refused. Nothing has happened. */
async function sendForged(
  context: StoreContext,
  { id }: ProviderPayment,
  action: TestAction,
): Promise<void> {
  const text = JSON.stringify({
    id: `tev_forged_${id}`,
    type: `payment.${action}`,
    data: { store: context.store.hash, payment: id },
  })
  const request = signedCallback(context, text, { forged: true })
  try {
    await storeCallback(context, { provider: 'test', ...request })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'CALLBACK_REJECTED') return
    throw error
  }
  throw new Error('A forged callback was accepted.')
}
