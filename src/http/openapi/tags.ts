export interface Tag {
  name: string
  description: string
}

/** The areas of permissions, as readers know them. */
export const TAG_OF_AREA: Record<string, Tag> = {
  account: { name: 'Account', description: 'The store, its plan and what the calling key may do.' },
  orders: {
    name: 'Orders',
    description: 'Create, pay, cancel and refund orders; their deliveries.',
  },
  products: {
    name: 'Products',
    description: 'What is sold: products, variants, texts, media and files.',
  },
  stock: { name: 'Stock', description: 'Quantities, stock keys and who may see them.' },
  categories: { name: 'Categories', description: 'Where products are listed.' },
  groups: { name: 'Groups', description: 'Products shown together as one.' },
  coupons: { name: 'Coupons', description: 'Codes that lower the price of an order.' },
  customers: { name: 'Customers', description: 'Who bought, what they hold and what they may do.' },
  blocklist: { name: 'Blocklist', description: 'Addresses that cannot place orders.' },
  reviews: { name: 'Reviews', description: 'What customers say of a product, and the answers.' },
  questions: {
    name: 'Questions',
    description: 'What customers ask on a product page, and the answers.',
  },
  tickets: { name: 'Support tickets', description: 'Conversations with customers.' },
  subscriptions: {
    name: 'Subscriptions',
    description: 'Recurring products and their auto-renewals.',
  },
  fulfillment: {
    name: 'Fulfillment',
    description: 'Shipping zones, rates, locations and parcels.',
  },
  returns: { name: 'Returns', description: 'Goods that come back.' },
  webhooks: {
    name: 'Webhooks',
    description: 'Endpoints that are told of events, and what was sent to them.',
  },
  affiliates: {
    name: 'Affiliates',
    description: 'The partner programme: partners, conversions and payouts.',
  },
  analytics: { name: 'Analytics', description: 'Sales by day, product and customer.' },
}

export const EVENTS_TAG: Tag = {
  name: 'Events',
  description: 'What the service sends, signed, to your webhook endpoints.',
}
