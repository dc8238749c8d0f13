import {
  type FakeStripe,
  STRIPE_KEY,
  STRIPE_WEBHOOK_SECRET,
  startFakeStripe,
} from '../providers/stripe.ts'
import { launchInstalled, type OpenedDashboard, openDashboard } from './dashboard-harness.ts'

/** A dashboard whose store can be connected with a fake Stripe, and sells a lesson. */
export interface StripeDashboard {
  dashboard: OpenedDashboard
  stripe: FakeStripe
  /** The id of the lesson, which costs 20.00. */
  lesson: string
  /** Connects the store with its account at Stripe. */
  connectStripe(): Promise<unknown>
  close(): Promise<void>
}

export async function openStripeDashboard(): Promise<StripeDashboard> {
  const stripe = await startFakeStripe()
  const dashboard = await openDashboard(launchInstalled, { TRADEPOST_STRIPE_URL: stripe.url })
  const fields = { name: 'Lesson', type: 'service', price_cents: 2_000, status: 'active' }
  const lesson = (await dashboard.ask('POST', '/products', fields)).product.id
  return {
    dashboard,
    stripe,
    lesson,
    connectStripe: () =>
      dashboard.ask('PUT', '/account/payment-providers/stripe', {
        secret_key: STRIPE_KEY,
        webhook_secret: STRIPE_WEBHOOK_SECRET,
      }),
    async close() {
      await dashboard.close()
      await stripe.close()
    },
  }
}
