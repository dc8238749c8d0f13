import { toMajor } from '../kernel/money.ts'
import type { EventObject, EventType } from './types.ts'

const SAMPLE_TIME = '2026-01-31T09:30:00.000Z'

/**
 * Returns a sample `data.object` of a type in a currency (decision 52). A test compares the samples with real
 * events.
 */
export function sampleOf<T extends EventType>(type: T, currency: string): EventObject<T> {
  return SAMPLES[type](currency) as EventObject<T>
}

const order = (currency: string, status: string, { isPaid = false } = {}) => ({
  object: 'order' as const,
  id: 'ord_0350000000000000000000',
  number: 1042,
  status,
  currency,
  total: toMajor(3998, currency),
  paid_amount: isPaid ? toMajor(3998, currency) : 0,
  refunded_amount: 0,
  customer: { email: 'ada@example.com', country: 'GB' },
  items: [
    {
      product_id: 'a1B2c3D4e5F6',
      variant_id: 51,
      name: 'Photo editor',
      variant_name: 'Default',
      sku: 'EDIT-1',
      bundle: null,
      quantity: 2,
      unit_price: toMajor(1999, currency),
      total: toMajor(3998, currency),
    },
  ],
  custom_fields: { 'Name on the license': 'Ada Lovelace' },
  paid_at: isPaid ? SAMPLE_TIME : null,
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
  created_at: SAMPLE_TIME,
}

const partner = { id: 'par_0350000000000000000000', email: 'grace@example.com', name: 'Grace' }

const payout = (currency: string, status: string) => ({
  object: 'affiliate_payout' as const,
  id: 3,
  partner,
  amount: toMajor(400, currency),
  currency,
  status,
  method: 'bank_transfer',
  reference: status === 'sent' ? 'Transfer 4711' : null,
  requested_at: SAMPLE_TIME,
  sent_at: status === 'sent' ? SAMPLE_TIME : null,
})

const SAMPLES: { [T in EventType]: (currency: string) => EventObject<T> } = {
  'order.created': (currency) => order(currency, 'pending'),
  'order.completed': (currency) => ({
    ...order(currency, 'completed', { isPaid: true }),
    deliveries: [
      {
        order_item_id: 91,
        product_id: 'a1B2c3D4e5F6',
        variant_id: 51,
        type: 'serial',
        keys: ['SAMPLE-AAAA-0001', 'SAMPLE-AAAA-0002'],
        keys_count: 2,
        files: [],
        text: null,
      },
    ],
  }),
  'order.partially_paid': (currency) => ({
    ...order(currency, 'partially_paid'),
    paid_amount: toMajor(1000, currency),
    remaining_amount: toMajor(2998, currency),
  }),
  'order.manual_review': (currency) => ({
    ...order(currency, 'manual_review'),
    payment: { id: 7, amount: toMajor(3998, currency), reference: 'Transfer 4711' },
  }),
  'order.expired': (currency) => order(currency, 'expired'),
  'order.cancelled': (currency) => ({
    ...order(currency, 'cancelled'),
    reason: 'The customer asked.',
  }),
  'order.refunded': (currency) => ({
    ...order(currency, 'refunded', { isPaid: true }),
    refunded_amount: toMajor(3998, currency),
    refund: {
      id: 5,
      amount: toMajor(3998, currency),
      reason: 'requested_by_customer',
      note: null,
      return_id: null,
      items: [
        {
          product_id: 'a1B2c3D4e5F6',
          variant_id: 51,
          quantity: 2,
          amount: toMajor(3998, currency),
        },
      ],
    },
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
    created_at: SAMPLE_TIME,
  }),
  'question.created': () => question,
  'question.answered': () => ({
    ...question,
    answer: { id: 8, body: 'It does, of most cameras.', first: true, created_at: SAMPLE_TIME },
  }),
  'customer.created': () => ({
    object: 'customer',
    id: 77,
    email: 'ada@example.com',
    name: 'Ada',
    country: 'GB',
    created_at: SAMPLE_TIME,
  }),
  'withdrawal.completed': (currency) => ({
    object: 'withdrawal',
    id: 4,
    amount: toMajor(5000, currency),
    fee: toMajor(250, currency),
    net_amount: toMajor(4750, currency),
    currency,
    method: 'bank_transfer',
    address: 'GB29NWBK60161331926819',
    reference: 'Transfer 4712',
    completed_at: SAMPLE_TIME,
  }),
  'affiliate.partner_applied': () => ({
    object: 'affiliate_partner',
    ...partner,
    status: 'applied',
    created_at: SAMPLE_TIME,
  }),
  'affiliate.conversion': (currency) => ({
    object: 'affiliate_conversion',
    invoice_id: 'ord_0350000000000000000000',
    partner,
    link_code: 'grace',
    source: 'link',
    status: 'valid',
    flags: [],
    order_total: toMajor(3998, currency),
    order_currency: currency,
    commission: toMajor(400, currency),
    commission_currency: currency,
    available_at: SAMPLE_TIME,
  }),
  'affiliate.payout_requested': (currency) => payout(currency, 'requested'),
  'affiliate.payout_sent': (currency) => payout(currency, 'sent'),
}
