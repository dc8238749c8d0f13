export interface Tag {
  name: string
  description: string
}

/** The tag of each permission area. */
export const TAG_OF_AREA: Record<string, Tag> = {
  account: {
    name: 'Account',
    description: 'The store, its plan and the permissions of the calling key.',
  },
  orders: {
    name: 'Orders',
    description: 'Orders with their payments, refunds and deliveries.',
  },
  products: {
    name: 'Products',
    description: 'Products, variants, texts, media and files.',
  },
  stock: { name: 'Stock', description: 'Quantities and stock keys of products.' },
  categories: { name: 'Categories', description: 'Categories, which list products in the store.' },
  groups: { name: 'Groups', description: 'Groups, which show several products as one card.' },
  coupons: { name: 'Coupons', description: 'Codes that lower the price of an order.' },
  customers: { name: 'Customers', description: 'Customers and their balances.' },
  blocklist: { name: 'Blocklist', description: 'Addresses that cannot place orders.' },
  reviews: { name: 'Reviews', description: 'Reviews of products by customers, and the replies.' },
  questions: {
    name: 'Questions',
    description: 'Questions of customers on product pages, and the answers.',
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
  returns: { name: 'Returns', description: 'Items that customers send back.' },
  webhooks: {
    name: 'Webhooks',
    description: 'Webhook endpoints and their deliveries.',
  },
  affiliates: {
    name: 'Affiliates',
    description: 'The partner programme: partners, conversions and payouts.',
  },
  analytics: { name: 'Analytics', description: 'Sales by day, product and customer.' },
}

export const EVENTS_TAG: Tag = {
  name: 'Events',
  description: 'Signed requests that the service sends to your webhook endpoints.',
}
