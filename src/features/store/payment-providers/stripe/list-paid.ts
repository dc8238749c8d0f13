import { z } from 'zod'
import { DAY_MS, SECOND_MS } from '../../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../../store-context.ts'
import type { PaidAtProvider } from '../provider.ts'
import { callStripe } from './client.ts'
import { readAnswer } from './read-answer.ts'

/** One page of sessions is read, and of those not older than these days. */
const DAYS = 7
const SESSIONS_MAX = 100

const Listed = z.object({
  id: z.string(),
  created: z.int(),
  payment_status: z.string(),
  metadata: z.record(z.string(), z.string()).nullish(),
})

/** Lists the newest paid sessions of a store. Those of other programs that use the account are left out. */
export function listPaid(context: StoreContext): Promise<PaidAtProvider> {
  const oldest_ms = machineNow(context) - DAYS * DAY_MS
  return callStripe(context, async (stripe) => {
    const { data, has_more } = await stripe.checkout.sessions.list({
      status: 'complete',
      created: { gte: Math.floor(oldest_ms / SECOND_MS) },
      limit: SESSIONS_MAX,
    })
    const sessions = data.map((item) => readAnswer(Listed, item))
    const last = sessions.at(-1)
    const own = sessions.filter(
      ({ payment_status, metadata }) =>
        payment_status === 'paid' && metadata?.store === context.store.hash,
    )
    return {
      since_ms: has_more && last ? last.created * SECOND_MS : oldest_ms,
      external_ids: own.map(({ id }) => id),
    }
  })
}
