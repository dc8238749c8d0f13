import type { Json } from '../harness.ts'
import { createRefund, expireSession, find, type StripeRecords } from './stripe-records.ts'

// The acts of buyers, banks and sellers at the fake Stripe. Each returns the events that Stripe would send.

const FEE_CENTS = 59
const DISPUTE_FEE_CENTS = 2_000

/** `amount` and `currency` differ from those of the session only if Stripe is wrong. */
interface PayOptions {
  amount?: number
  currency?: string
  /** True if the fee is not known at first. */
  isBookedLater?: boolean
}

export function createActs(records: StripeRecords) {
  const event = (type: string, object: Json): Json => ({
    id: records.newId('evt'),
    object: 'event',
    api_version: '2026-08-26.dahlia',
    created: records.now_s(),
    data: { object: withoutInternals(object) },
    livemode: object.livemode ?? false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  })

  const sessionOf = (id: string): Json => find(records.sessions, 'checkout.session', id)

  /** Returns the intent of a session, which is made when its buyer first tries to pay. */
  function intentOf(session: Json, amount: number): Json {
    const existing = session.payment_intent && records.intents.get(session.payment_intent)
    if (existing) return Object.assign(existing, { amount })
    const intent = {
      id: records.newId('pi'),
      object: 'payment_intent',
      amount,
      amount_received: 0,
      created: records.now_s(),
      currency: session.currency,
      last_payment_error: null,
      latest_charge: null,
      livemode: false,
      metadata: session.intent_metadata,
      status: 'requires_payment_method',
    }
    records.intents.set(intent.id, intent)
    session.payment_intent = intent.id
    return intent
  }

  const bookingOf = ({ amount, currency }: Json): Json => ({
    id: records.newId('txn'),
    object: 'balance_transaction',
    amount,
    currency,
    fee: FEE_CENTS,
    net: amount - FEE_CENTS,
  })

  function chargeOf(intent: Json, fields: Json): Json {
    const id = records.newId('ch')
    const charge = {
      id,
      object: 'charge',
      amount: intent.amount,
      amount_refunded: 0,
      balance_transaction: bookingOf(intent),
      created: records.now_s(),
      currency: intent.currency,
      disputed: false,
      livemode: false,
      metadata: intent.metadata,
      paid: true,
      payment_intent: intent.id,
      refunded: false,
      status: 'succeeded',
      ...fields,
    }
    records.charges.set(id, charge)
    intent.latest_charge = id
    return charge
  }

  /** Saves the card of a buyer, if the session asks for it. Every card is another method, as at Stripe. */
  function saveMethod(session: Json, intent: Json): void {
    if (session.intent_customer_creation === 'always') session.customer ??= records.newId('cus')
    const isSaved = session.mode === 'setup' || session.intent_setup_future_usage === 'off_session'
    const method = {
      id: records.newId('pm'),
      object: 'payment_method',
      type: 'card',
      card: { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2_030 },
      customer: isSaved ? session.customer : null,
    }
    records.methods.set(method.id, method)
    Object.assign(intent, { payment_method: method.id, customer: session.customer })
  }

  return {
    /** Books a charge without its buyer. */
    charge(intent: Json): void {
      Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
      chargeOf(intent, {})
    },

    /** The buyer pays, or the bank confirms a debit that is processed. */
    pay(id: string, { amount, currency, isBookedLater = false }: PayOptions = {}): Json[] {
      const session = sessionOf(id)
      const wasProcessing = session.status === 'complete'
      if (amount !== undefined) session.amount_total = amount
      if (currency !== undefined) session.currency = currency
      const intent = intentOf(session, session.amount_total)
      Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
      saveMethod(session, intent)
      const charge = chargeOf(intent, isBookedLater ? { balance_transaction: null } : {})
      Object.assign(session, { status: 'complete', payment_status: 'paid', url: null })
      const type = wasProcessing ? 'async_payment_succeeded' : 'completed'
      return [
        event('charge.succeeded', charge),
        event('payment_intent.succeeded', intent),
        event(`checkout.session.${type}`, session),
      ]
    },

    /** The buyer has a card saved, for which nothing is charged. */
    saveCard(id: string): Json[] {
      const session = sessionOf(id)
      const intent = {
        id: records.newId('seti'),
        object: 'setup_intent',
        metadata: session.intent_metadata,
        status: 'succeeded',
      }
      saveMethod(session, intent)
      records.intents.set(intent.id, intent)
      Object.assign(session, { status: 'complete', setup_intent: intent.id, url: null })
      return [event('setup_intent.succeeded', intent), event('checkout.session.completed', session)]
    },

    /** Stripe books the charge of a payment, and so knows its fee. */
    book(id: string): void {
      const intent = find(records.intents, 'payment_intent', sessionOf(id).payment_intent)
      const charge = find(records.charges, 'charge', intent.latest_charge)
      charge.balance_transaction = bookingOf(intent)
    },

    /** The bank declines. On an open page the buyer can pay in another way; a debit that is processed has failed. */
    decline(id: string): Json[] {
      const session = sessionOf(id)
      const intent = intentOf(session, session.amount_total)
      const last_payment_error = {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'insufficient_funds',
        message: 'Your card has insufficient funds.',
      }
      Object.assign(intent, { status: 'requires_payment_method', last_payment_error })
      const failed = event('payment_intent.payment_failed', intent)
      return session.status === 'complete'
        ? [failed, event('checkout.session.async_payment_failed', session)]
        : [failed]
    },

    /** The buyer has a bank debit, whose result comes after days. */
    process(id: string): Json[] {
      const session = sessionOf(id)
      const intent = intentOf(session, session.amount_total)
      intent.status = 'processing'
      Object.assign(session, { status: 'complete', url: null })
      return [
        event('payment_intent.processing', intent),
        event('checkout.session.completed', session),
      ]
    },

    expire: (id: string): Json[] => [event('checkout.session.expired', expireSession(records, id))],

    /** The seller refunds a payment at Stripe. */
    refund(id: string, amount?: number): Json[] {
      const { payment_intent } = sessionOf(id)
      const refund = createRefund(records, { payment_intent, ...(amount && { amount }) })
      return [
        event('refund.created', refund),
        event('charge.refunded', records.charges.get(refund.charge)),
      ]
    },

    /** The buyer disputes a payment at the bank. */
    dispute(id: string, { amount, reason = 'fraudulent' }: Json = {}): Json[] {
      const intent = find(records.intents, 'payment_intent', sessionOf(id).payment_intent)
      const charge = find(records.charges, 'charge', intent.latest_charge)
      const disputed = amount ?? charge.amount
      const dispute = {
        id: records.newId('du'),
        object: 'dispute',
        amount: disputed,
        balance_transactions: [
          {
            id: records.newId('txn'),
            object: 'balance_transaction',
            amount: -disputed,
            currency: charge.currency,
            fee: DISPUTE_FEE_CENTS,
            net: -disputed - DISPUTE_FEE_CENTS,
          },
        ],
        charge: charge.id,
        created: records.now_s(),
        currency: charge.currency,
        evidence_details: { due_by: records.now_s() + 7 * 24 * 60 * 60 },
        livemode: false,
        metadata: {},
        payment_intent: intent.id,
        reason,
        status: 'needs_response',
      }
      records.disputes.set(dispute.id, dispute)
      charge.disputed = true
      return [event('charge.dispute.created', dispute)]
    },

    /** Returns an event for everything that has happened, as Stripe sends them again from its dashboard. */
    reportAll(): Json[] {
      const ended = [...records.sessions.values()].filter(({ status }) => status !== 'open')
      return [
        ...ended.map((item) =>
          event(`checkout.session.${item.status === 'expired' ? 'expired' : 'completed'}`, item),
        ),
        ...[...records.intents.values()].map((item) =>
          event(`payment_intent.${item.status === 'succeeded' ? 'succeeded' : 'created'}`, item),
        ),
        ...[...records.refunds.values()].map((item) => event('refund.updated', item)),
        ...[...records.disputes.values()].map((item) => event('charge.dispute.updated', item)),
      ]
    },

    win: (id: string): Json[] => close(id, 'won'),
    lose: (id: string): Json[] => close(id, 'lost'),
  }

  /** The bank decides a dispute. */
  function close(id: string, status: 'won' | 'lost'): Json[] {
    const dispute = find(records.disputes, 'dispute', id)
    dispute.status = status
    return [event('charge.dispute.closed', dispute)]
  }
}

/** Returns a record as the API shows it. */
export function withoutInternals({ intent_metadata: _internal, ...record }: Json): Json {
  return record
}
