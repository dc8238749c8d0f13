import { HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'
import type { OrderOutcome } from './plan.rules.ts'
import type { OrderRef, Scenario } from './scenario.ts'

/** Every n-th order that is paid by card is paid at the provider `test`. The others are recorded by the seller. */
const CARD_INTERVAL = 2
/** The age of the open dispute. */
const DISPUTED_MS = 3 * HOUR_MS

/** The outcomes of orders whose buyer always goes to the provider. */
const AT_PROVIDER: readonly OrderOutcome[] = ['refunded', 'disputed', 'declined', 'paying']

/** Returns true if the buyer of an order pays at the provider `test`. */
export const isPaidAtProvider = (
  { hasTestProvider }: Scenario,
  { outcome, method, index }: { outcome: OrderOutcome; method: string; index: number },
): boolean =>
  hasTestProvider &&
  (AT_PROVIDER.includes(outcome) || (method === 'card' && index % CARD_INTERVAL === 0))

/** Sends the buyer of an order to the page of the provider `test`, and plays what happens there. */
export async function payAtProvider(
  scenario: Scenario,
  order: OrderRef,
  outcome: OrderOutcome,
): Promise<void> {
  const { payment } = await scenario.call<{ payment: { id: number } }>('orders.start_payment', {
    params: { id: order.id },
    body: { method: 'test' },
  })
  const play = (action: string) =>
    scenario.call('orders.simulate_payment', {
      params: { id: order.id, payment_id: payment.id },
      body: { do: action },
    })
  // The page stays open.
  if (outcome === 'paying') return
  await play(outcome === 'declined' ? 'decline' : 'pay')
  if (outcome !== 'disputed') return
  const disputedAt = Math.max(scenario.now() + MINUTE_MS, scenario.until - DISPUTED_MS)
  scenario.plan(disputedAt, () => play('dispute'))
}
