import type { Provider } from '../provider.ts'
import { toStripeAmount } from './amounts.rules.ts'
import { readStripeCallback } from './callbacks.ts'
import { STRIPE } from './client.ts'
import { checkStripeCredentials } from './credentials.ts'
import { probeStripe } from './probe.ts'
import { refundPayment, returnAll } from './refunds.ts'
import { createSession, endSession, readSession } from './sessions.ts'

/** The payment provider Stripe: a payment is a Checkout Session. */
export const stripeProvider: Provider = {
  name: STRIPE,
  method: 'card',
  isOffered: () => true,
  checkCredentials: checkStripeCredentials,
  probe: probeStripe,
  checkAmount: toStripeAmount,
  create: createSession,
  read: readSession,
  end: endSession,
  refund: refundPayment,
  returnAll,
  readCallback: readStripeCallback,
}
