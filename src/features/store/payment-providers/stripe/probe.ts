import type { StoreContext } from '../../../../store-context.ts'
import { openCredentials, recordHealth } from '../credentials.ts'
import type { Probe } from '../provider.ts'
import { askStripe, clientOf, REFUSED_KEY, STRIPE } from './client.ts'

/** Asks Stripe for the account of the stored key, and records whether it accepts the key. */
export async function probeStripe(context: StoreContext): Promise<Probe> {
  const opened = await openCredentials(context, STRIPE)
  if (!opened) return { state: 'refused' }
  const result = await askStripe(await clientOf(context, opened), async (stripe) => {
    const { lastResponse } = await stripe.accounts.retrieveCurrent()
    return Date.parse(lastResponse.headers.date ?? '')
  })
  if ('value' in result) {
    await recordHealth(context, STRIPE, null)
    return { state: 'works', provider_ms: Number.isNaN(result.value) ? null : result.value }
  }
  if (result.kind !== 'unauthorized') return { state: 'unreachable' }
  await recordHealth(context, STRIPE, REFUSED_KEY)
  return { state: 'refused' }
}
