// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { AccountApi } from './account.gen.ts'
import type { OrdersApi } from './orders.gen.ts'
import type { CustomersApi } from './customers.gen.ts'
import type { ProductsApi } from './products.gen.ts'
import type { VariantsApi } from './variants.gen.ts'
import type { BundlesApi } from './bundles.gen.ts'
import type { MediaApi } from './media.gen.ts'
import type { DetailsApi } from './details.gen.ts'
import type { SeoApi } from './seo.gen.ts'
import type { PaymentMethodsApi } from './payment-methods.gen.ts'
import type { FilesApi } from './files.gen.ts'
import type { StockAlertsApi } from './stock-alerts.gen.ts'
import type { StockApi } from './stock.gen.ts'
import type { CategoriesApi } from './categories.gen.ts'
import type { GroupsApi } from './groups.gen.ts'
import type { CouponsApi } from './coupons.gen.ts'
import type { BlocklistApi } from './blocklist.gen.ts'
import type { SubscriptionsApi } from './subscriptions.gen.ts'
import type { AutoRenewalsApi } from './auto-renewals.gen.ts'
import type { BillingApi } from './billing.gen.ts'
import type { ShippingApi } from './shipping.gen.ts'
import type { FulfillmentsApi } from './fulfillments.gen.ts'
import type { ReturnsApi } from './returns.gen.ts'
import type { ReviewsApi } from './reviews.gen.ts'
import type { QuestionsApi } from './questions.gen.ts'
import type { TicketsApi } from './tickets.gen.ts'
import type { AffiliatesApi } from './affiliates.gen.ts'
import type { AnalyticsApi } from './analytics.gen.ts'
import type { WebhooksApi } from './webhooks.gen.ts'
import type { EventsApi } from './events.gen.ts'

export type * from './account.gen.ts'
export type * from './orders.gen.ts'
export type * from './customers.gen.ts'
export type * from './products.gen.ts'
export type * from './variants.gen.ts'
export type * from './bundles.gen.ts'
export type * from './media.gen.ts'
export type * from './details.gen.ts'
export type * from './seo.gen.ts'
export type * from './payment-methods.gen.ts'
export type * from './files.gen.ts'
export type * from './stock-alerts.gen.ts'
export type * from './stock.gen.ts'
export type * from './categories.gen.ts'
export type * from './groups.gen.ts'
export type * from './coupons.gen.ts'
export type * from './blocklist.gen.ts'
export type * from './subscriptions.gen.ts'
export type * from './auto-renewals.gen.ts'
export type * from './billing.gen.ts'
export type * from './shipping.gen.ts'
export type * from './fulfillments.gen.ts'
export type * from './returns.gen.ts'
export type * from './reviews.gen.ts'
export type * from './questions.gen.ts'
export type * from './tickets.gen.ts'
export type * from './affiliates.gen.ts'
export type * from './analytics.gen.ts'
export type * from './webhooks.gen.ts'
export type * from './events.gen.ts'
export type * from './shared.gen.ts'
export type * from './account-records.gen.ts'
export type * from './account-requests.gen.ts'
export type * from './orders-records.gen.ts'
export type * from './orders-requests.gen.ts'
export type * from './customers-records.gen.ts'
export type * from './products-records.gen.ts'
export type * from './orders-parts.gen.ts'

/** The Store API of one store, by area. */
export interface Tradepost {
  /** The store, its plan and the permissions of the calling key. */
  account: AccountApi
  /** Orders with their payments, refunds and deliveries. */
  orders: OrdersApi
  /** Customers and their balances. */
  customers: CustomersApi
  /** Products, variants, texts, media and files. */
  products: ProductsApi
  /** Products, variants, texts, media and files. */
  variants: VariantsApi
  /** Products, variants, texts, media and files. */
  bundles: BundlesApi
  /** Products, variants, texts, media and files. */
  media: MediaApi
  /** Products, variants, texts, media and files. */
  details: DetailsApi
  /** Products, variants, texts, media and files. */
  seo: SeoApi
  /** Products, variants, texts, media and files. */
  paymentMethods: PaymentMethodsApi
  /** Products, variants, texts, media and files. */
  files: FilesApi
  /** Products, variants, texts, media and files. */
  stockAlerts: StockAlertsApi
  /** Quantities and stock keys of products. */
  stock: StockApi
  /** Categories, which list products in the store. */
  categories: CategoriesApi
  /** Groups, which show several products as one card. */
  groups: GroupsApi
  /** Codes that lower the price of an order. */
  coupons: CouponsApi
  /** Addresses that cannot place orders. */
  blocklist: BlocklistApi
  /** Recurring products and their auto-renewals. */
  subscriptions: SubscriptionsApi
  /** Recurring products and their auto-renewals. */
  autoRenewals: AutoRenewalsApi
  /** Products, variants, texts, media and files. */
  billing: BillingApi
  /** Shipping zones, rates, locations and parcels. */
  shipping: ShippingApi
  /** Shipping zones, rates, locations and parcels. */
  fulfillments: FulfillmentsApi
  /** Items that customers send back. */
  returns: ReturnsApi
  /** Reviews of products by customers, and the replies. */
  reviews: ReviewsApi
  /** Questions of customers on product pages, and the answers. */
  questions: QuestionsApi
  /** Conversations with customers. */
  tickets: TicketsApi
  /** The partner programme: partners, conversions and payouts. */
  affiliates: AffiliatesApi
  /** Sales by day, product and customer. */
  analytics: AnalyticsApi
  /** Webhook endpoints and their deliveries. */
  webhooks: WebhooksApi
  /** Webhook endpoints and their deliveries. */
  events: EventsApi
}
