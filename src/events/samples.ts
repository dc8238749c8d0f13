import { toMajor } from '../kernel/money.ts'
import type { EventObject, EventType } from './types.ts'

const AT = '2026-01-31T09:30:00.000Z'

/** A realistic `data.object` for each type, in the given currency (decision 52). */
export function sampleOf<T extends EventType>(type: T, currency: string): EventObject<T> {
  return SAMPLES[type](currency) as EventObject<T>
}

/** An amount in minor units as a decimal of the currency. */
const amount = (currency: string, cents: number) => toMajor(cents, currency)

const order = (currency: string, status: string, paid: boolean) => ({
  object: 'order' as const,
  id: 'ord_0350000000000000000000',
  number: 1042,
  status,
  currency,
  total: amount(currency, 3998),
  paid_amount: paid ? amount(currency, 3998) : 0,
  refunded_amount: 0,
  customer: { email: 'ada@example.com', country: 'GB' },
  items: [
    {
      product_id: 'a1B2c3D4e5F6',
      name: 'Photo editor',
      quantity: 2,
      unit_price: amount(currency, 1999),
      total: amount(currency, 3998),
    },
  ],
  paid_at: paid ? AT : null,
})

const product = (stock: number) => ({
  object: 'product' as const,
  id: 'a1B2c3D4e5F6',
  name: 'Photo editor',
  slug: 'photo-editor',
  status: 'active',
  stock,
})

const question = {
  object: 'question' as const,
  id: 12,
  product: { id: 'a1B2c3D4e5F6', name: 'Photo editor' },
  body: 'Does it read RAW files?',
  customer: { email: 'ada@example.com', name: 'Ada' },
  created_at: AT,
}

const partner = { id: 'par_0350000000000000000000', email: 'grace@example.com', name: 'Grace' }

const payout = (currency: string, status: string) => ({
  object: 'affiliate_payout' as const,
  id: 3,
  partner,
  amount: amount(currency, 12500),
  currency,
  status,
  method: 'bank_transfer',
  reference: status === 'sent' ? 'Transfer 4711' : null,
  requested_at: AT,
  sent_at: status === 'sent' ? AT : null,
})

const SAMPLES: { [T in EventType]: (currency: string) => EventObject<T> } = {
  'order.created': (currency) => order(currency, 'pending', false),
  'order.completed': (currency) => ({
    ...order(currency, 'completed', true),
    deliveries: [
      {
        product_id: 'a1B2c3D4e5F6',
        type: 'serial',
        keys: ['SAMPLE-AAAA-0001', 'SAMPLE-AAAA-0002'],
        keys_count: 2,
        files: [],
        text: null,
      },
    ],
  }),
  'order.partially_paid': (currency) => ({
    ...order(currency, 'partially_paid', false),
    paid_amount: amount(currency, 1000),
    remaining_amount: amount(currency, 2998),
  }),
  'order.manual_review': (currency) => ({
    ...order(currency, 'manual_review', false),
    payment: { id: 7, amount: amount(currency, 3998), reference: 'Transfer 4711' },
  }),
  'order.expired': (currency) => order(currency, 'expired', false),
  'order.cancelled': (currency) => ({
    ...order(currency, 'cancelled', false),
    reason: 'The customer asked.',
  }),
  'order.refunded': (currency) => ({
    ...order(currency, 'refunded', true),
    refunded_amount: amount(currency, 3998),
    refund: { id: 5, amount: amount(currency, 3998), reason: 'requested_by_customer' },
  }),
  'product.out_of_stock': () => product(0),
  'product.restocked': () => ({ ...product(25), added: 25 }),
  'product.deleted': () => product(25),
  'review.created': () => ({
    object: 'review',
    id: 31,
    order_id: 'ord_0350000000000000000000',
    product: { id: 'a1B2c3D4e5F6', name: 'Photo editor' },
    rating: 5,
    message: 'Does what it says.',
    automatic: false,
    created_at: AT,
  }),
  'question.created': () => question,
  'question.answered': () => ({
    ...question,
    answer: { id: 8, body: 'It does, of most cameras.', first: true, created_at: AT },
  }),
  'customer.created': () => ({
    object: 'customer',
    id: 77,
    email: 'ada@example.com',
    name: 'Ada',
    country: 'GB',
    created_at: AT,
  }),
  'withdrawal.completed': (currency) => ({
    object: 'withdrawal',
    id: 4,
    amount: amount(currency, 50000),
    fee: amount(currency, 250),
    net_amount: amount(currency, 49750),
    currency,
    method: 'bank_transfer',
    address: 'GB29NWBK60161331926819',
    reference: 'Transfer 4712',
    completed_at: AT,
  }),
  'affiliate.partner_applied': () => ({
    object: 'affiliate_partner',
    ...partner,
    status: 'applied',
    created_at: AT,
  }),
  'affiliate.conversion': (currency) => ({
    object: 'affiliate_conversion',
    invoice_id: 'ord_0350000000000000000000',
    partner,
    link_code: 'grace',
    source: 'link',
    status: 'valid',
    flags: [],
    order_total: amount(currency, 3998),
    order_currency: currency,
    commission: amount(currency, 399),
    commission_currency: currency,
    available_at: AT,
  }),
  'affiliate.payout_requested': (currency) => payout(currency, 'requested'),
  'affiliate.payout_sent': (currency) => payout(currency, 'sent'),
}
