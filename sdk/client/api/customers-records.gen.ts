// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.

/** A change of a customer's balance. */
export interface BalanceEntry {
  /** The id of the balance entry. */
  id: number
  /** Always `balance_entry`. */
  object: 'balance_entry'
  /** The id of the customer. */
  customer_id: number
  /** The change in minor units; below 0 for a debit. */
  amount_cents: number
  /** The balance after the change, in minor units. */
  balance_cents: number
  /**
   * The reason; `payment`, `refund` or `order_ended` if the entry belongs to an order.
   * `order_ended` returns what was paid for an order that was cancelled or expired.
   */
  reason: string
  /** The id of the order to which the entry belongs; null if there is none. */
  order_id: string | null
  /** The time when the balance changed. */
  created_at: string
}

/** A customer of the store. */
export interface Customer {
  /** The id of the customer. */
  id: number
  /** Always `customer`. */
  object: 'customer'
  /** The email address, in lower case and unique in the store. */
  email: string
  /** The name of the customer. */
  name: string | null
  /** The country of the customer, an ISO 3166-1 alpha-2 code. */
  country: string | null
  /** The store credit in minor units. It is never below 0. */
  balance_cents: number
  /** The currency of the store, an ISO 4217 code. */
  currency: string
  /** The number of orders that were paid in full, including orders that were refunded later. */
  orders_count: number
  /** The payments for these orders less refunds, in minor units. */
  total_spent_cents: number
  /** The spending per order in minor units, rounded; 0 without an order. */
  average_order_cents: number
  /** The time when the first order was paid. */
  first_order_at: string | null
  /** The time when the latest order was paid. */
  last_order_at: string | null
  /** True if the email address is on the blocklist. */
  blocked: boolean
  /** The time when the email address was blocked; null if it is not blocked. */
  blocked_at: string | null
  /** A note that only the seller sees. */
  note: string | null
  /** Labels of your own. */
  tags: string[]
  /** True if the customer agreed to receive marketing. */
  marketing_opt_in: boolean
  /** The affiliate partner that belongs to this customer; null if there is none. */
  affiliate_partner_id: string | null
  /** Key-value pairs of your own. */
  metadata: Record<string, string>
  /** The time when the customer's personal data was erased; null if it was not. */
  erased_at: string | null
  /** The time when the customer was created. */
  created_at: string
  /** The time when the customer last changed. */
  updated_at: string
}

/** A way to pay that a customer has saved. */
export interface PaymentMethod {
  /** The id of the payment method. */
  id: number
  /** Always `payment_method`. */
  object: 'payment_method'
  /** The payment provider that has it. */
  provider: string
  /** The name of the method, such as `Visa`. */
  label: string
  /** The last four characters of its number. */
  last4: string | null
  /** The month in which it expires, such as `2030-04`. */
  expires: string | null
  /** True if renewals charge it: the newest one of the provider. */
  is_default: boolean
  /** The time at which it was saved. */
  created_at: string
}
