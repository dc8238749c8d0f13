import { humanize } from '../../kit/format.ts'
import { payments } from '../../text/payments.ts'

const NAMES: Record<string, string> = { stripe: payments.stripe, test: payments.test }
export const providerName = (name: string): string => NAMES[name] ?? humanize(name)

const METHODS: Record<string, string> = { card: payments.card, test: payments.testMethod }
export const methodText = (method: string): string => METHODS[method] ?? humanize(method)

/** The events that a webhook endpoint at Stripe must send, in the words of its form. */
export const STRIPE_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'charge.refunded',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
] as const

/** Types of callbacks of all providers, in words. Of several beginnings of a type, the first counts. */
const MESSAGES: readonly (readonly [string, string])[] = [
  ['checkout.session.completed', payments.pageCompleted],
  ['checkout.session.async_payment_succeeded', payments.moneyArrived],
  ['checkout.session.async_payment_failed', payments.paymentFailed],
  ['checkout.session.expired', payments.pageExpired],
  ['charge.dispute.', payments.dispute],
  ['charge.refund', payments.refund],
  ['refund.', payments.refund],
  ['payment.paid', payments.paid],
  ['payment.open', payments.paymentOpen],
  ['payment.processing', payments.paymentProcessing],
  ['payment.failed', payments.paymentFailed],
  ['payment.expired', payments.pageExpired],
  ['payment.ended', payments.paymentEnded],
  ['payment.refunded', payments.refund],
  ['payment.disputed', payments.dispute],
  ['setup_intent.', payments.pageCompleted],
]
export const messageText = (type: string): string =>
  MESSAGES.find(([beginning]) => type.startsWith(beginning))?.[1] ??
  humanize(type.replaceAll('.', ' '))

const PRIVATE_HOST =
  /^(localhost|.*\.(local|internal|localhost)|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|\[::1\])$/

/** Returns false for an address that a provider on the internet cannot reach. */
export function isReachable(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && !PRIVATE_HOST.test(hostname)
}
