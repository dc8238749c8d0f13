import type { PaymentRef, Provider } from '../provider.ts'
import { toStripeAmount } from './amounts.rules.ts'
import { readStripeCallback } from './callbacks.ts'
import { STRIPE } from './client.ts'
import { checkStripeCredentials } from './credentials.ts'
import { chargeSaved, deleteSaved, endIntent, readIntent } from './intents.ts'
import { listPaid } from './list-paid.ts'
import { probeStripe } from './probe.ts'
import { refundPayment, returnAll } from './refunds.ts'
import { createSession, endSession, readSession } from './sessions.ts'

const isWithoutBuyer = ({ saved_method }: PaymentRef): boolean => saved_method !== null

/** The payment provider Stripe: a payment is a Checkout Session, or the payment intent of a renewal. */
export const stripeProvider: Provider = {
  name: STRIPE,
  method: 'card',
  isOffered: () => true,
  checkCredentials: checkStripeCredentials,
  probe: probeStripe,
  listPaid,
  checkAmount: toStripeAmount,
  create: createSession,
  read: (context, payment) =>
    (isWithoutBuyer(payment) ? readIntent : readSession)(context, payment),
  end: (context, payment) => (isWithoutBuyer(payment) ? endIntent : endSession)(context, payment),
  chargeSaved,
  deleteMethod: deleteSaved,
  refund: refundPayment,
  returnAll,
  readCallback: readStripeCallback,
}
