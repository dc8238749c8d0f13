// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Address } from './shared.gen.ts'

/** The store, the calling key, and the features that are on. */
export interface Account {
  /** The store of the call. */
  store: {
    /** The store hash, as in `x-store-hash`. */
    id: string
    /** The name customers see. */
    name: string
    /** The name in URLs. */
    slug: string
    /** The ISO 4217 code of the currency of all amounts of the store. */
    currency: string
    /** `free`, `starter`, `growth`, `scale` or `self_hosted`. */
    plan: string
    /** False on the test side. */
    livemode: boolean
    /** The time when the store was opened. */
    created_at: string
  }
  api: ApiAccess
  /** The features that can be switched, each true if it is on. */
  features: {
    /** The affiliate programme. */
    affiliates: boolean
    /** Shipping of physical products. */
    shipping: boolean
    /** Recurring products. */
    subscriptions: boolean
  }
}

/** A change, or a reveal of secrets. */
export interface AccountAuditEvent {
  /** The id of the event. */
  id: number
  /** The time of the event, by the store's clock. */
  created_at: string
  /** The actor. */
  actor: {
    /** The kind of actor; `system` is the server itself, such as a job. */
    type: 'api_key' | 'user' | 'command_line' | 'customer' | 'system'
    /** The id of the API key or the user. */
    id: string | null
    /** The name that the API key or user had at that time, or the command. */
    name: string | null
  }
  /** The IP address of the caller. */
  address: string | null
  /** The `x-request-id` of the call. */
  request_id: string | null
  /** The action, such as `order.refund` or `stock.list_keys`. */
  action: string
  /** The kind of the record, such as `order`. */
  object: string
  /** The id of the record; null for a change of many records. */
  object_id: string | null
  /** Changed fields. Secrets and personal data are masked. */
  changes: Record<string, {
    /** The value before the change. Null for a new record; left out if it was not read. */
    from?: unknown
    /** The value after the change. */
    to: unknown
  }>
}

/** The calling key, its rate limit and the quota of the store. */
export interface ApiAccess {
  /** The permissions of the calling key. */
  permissions: string[]
  /** The number of calls allowed a minute; 0 means no limit. */
  rate_limit: number
  /** The number of calls a month that the plan allows; null means no limit. */
  monthly_quota: number | null
  /** The number of calls made this month, including this one. */
  monthly_used: number
  /** The time when the next month begins (UTC). */
  resets_at: string
}

/** A call of one of the APIs with an API key. */
export interface ApiCall {
  /** The `x-request-id` of the answer. */
  request_id: string
  /** The time of the answer, by the machine's clock. */
  created_at: string
  /** `security` is the Client Security API. */
  api: 'store' | 'security'
  /** The HTTP method. */
  method: string
  /** The path and the query. Secrets are masked. */
  path: string
  /** The operation, such as `orders.create`; null for an unknown path. */
  operation: string | null
  /** The HTTP status of the answer. */
  status: number
  /** The code of a refusal, such as `NOT_FOUND`. */
  error_code: string | null
  /** The duration of the call in milliseconds. */
  duration_ms: number
  /** The API key of the call. */
  api_key: {
    /** The id of the key. */
    id: number
    /** The name of the key. */
    name: string
    /** The last four characters of the key. */
    last4: string
  }
  /** The IP address of the caller. */
  address: string
}

/** A change of an account. */
export interface LedgerEntry {
  /** The id of the entry, such as `payment_42`. */
  id: string
  /** The time of the change. */
  at: string
  /**
   * The account. `wallet` is the money of the store; its entries add up to `available_cents`.
   * `customer_balances` is the store credit of customers; its entries add up to their balances.
   */
  account: 'wallet' | 'customer_balances'
  /** The change in minor units; below 0 if money left the account. */
  amount_cents: number
  /** The currency, an ISO 4217 code. */
  currency: string
  /** The id of the order; null if there is none. */
  order_id: string | null
  /**
   * The reason for the change. `order_ended` is store credit that went back to a balance because
   * its order was cancelled or expired. `withdrawal_returned` is a withdrawal that failed or was
   * cancelled. `adjustment` is a change by the seller.
   */
  reason: 'payment' | 'refund' | 'order_ended' | 'withdrawal' | 'withdrawal_returned' | 'adjustment'
}

/** The text of a kind of mail in a language. */
export interface MailTemplate {
  /** Always `mail_template`. */
  object: 'mail_template'
  /** The kind of mail. */
  template:
    | 'order_received'
    | 'order_paid'
    | 'order_delivery'
    | 'order_shipped'
    | 'order_refunded'
    | 'payment_partial'
    | 'payment_review'
    | 'renewal_notice'
    | 'renewal_action'
    | 'renewal_failed'
    | 'stock_alert'
    | 'team_invitation'
  /** The language of the text. */
  language: 'en' | 'de' | 'es'
  /** The subject, with placeholders. */
  subject: string
  /** The text, with placeholders. */
  body_text: string
  /** True if the store has replaced the built-in text. */
  custom: boolean
}

/** A mail to a customer or a member of the team. */
export interface OutboxMessage {
  /** The id of the message. */
  id: number
  /** The recipient. */
  to: string
  /** The subject; null for mail of older versions. */
  subject: string | null
  /** The kind of mail; null for mail of older versions. */
  template:
    | 'order_received'
    | 'order_paid'
    | 'order_delivery'
    | 'order_shipped'
    | 'order_refunded'
    | 'payment_partial'
    | 'payment_review'
    | 'renewal_notice'
    | 'renewal_action'
    | 'renewal_failed'
    | 'stock_alert'
    | 'team_invitation'
    | 'password_reset'
    | 'email_change'
    | 'email_changed'
    | null
  /**
   * The state. `bounced` mail was refused for good by the mail server. `failed` mail was not sent
   * after seven attempts. `kept` mail is never sent: it belongs to a test side, or there was no
   * mail server.
   */
  status: 'queued' | 'sent' | 'failed' | 'bounced' | 'kept'
  /** The order that the mail is about. */
  order_id: string | null
  /** The number of attempts to send the mail. */
  attempts: number
  /** The error of the last attempt, or the answer of the mail server. */
  error: string | null
  /** The time at which the mail was queued. */
  created_at: string
  /** The time at which the mail server accepted the mail. */
  sent_at: string | null
  /** The time at which the mail server refused the mail for good. */
  bounced_at: string | null
  /** The HTML of mail of a test side; null where `text` is null. */
  html: string | null
  /**
   * The text of mail of a test side. Null on live sides, because it may contain keys, and for mail
   * with a sign-in link.
   */
  text: string | null
}

/** A message of a payment provider about an event. */
export interface PaymentCallback {
  /** The id of the callback. */
  id: number
  /** Always `payment_callback`. */
  object: 'payment_callback'
  /** The payment provider that sent it. */
  provider: string
  /** The id of the event at the provider. */
  external_id: string
  /** The type of the event, in the words of the provider. */
  type: string
  /**
   * `received` until it is applied, then `applied`; `ignored` if it is not about a payment of this
   * store; `failed` if it could not be applied within a day.
   */
  status: 'received' | 'applied' | 'ignored' | 'failed'
  /** The id of the order; null until it is known. */
  order_id: string | null
  /** The id of the payment; null until it is known. */
  payment_id: number | null
  /** The number of attempts to apply it. */
  attempts: number
  /** The reason for which the last attempt failed. */
  error: string | null
  /** The time at which it arrived first. */
  received_at: string
  /** The time at which it was applied. */
  applied_at: string | null
}

/** A payment provider that a store can connect. */
export interface PaymentProvider {
  /** Always `payment_provider`. */
  object: 'payment_provider'
  /** The name of the provider. */
  provider: string
  /**
   * `connected`; `failing` if the provider refused the credentials in the last call; null if the
   * provider is not connected.
   */
  status: 'connected' | 'failing' | null
  /** The payment methods that it serves. */
  methods: ('manual' | 'crypto' | 'card' | 'paypal' | 'balance' | 'test')[]
  /** The URL to which the provider sends its callbacks. */
  callback_url: string
  /** The name of the account at the provider; null for `test`, which has none. */
  account: string | null
  /** True on the live side of the store. */
  livemode: boolean
  /** The time at which the provider last accepted the credentials. */
  last_checked_at: string | null
  /** The time of the last callback with a valid signature, within a minute. */
  last_callback_at: string | null
  /** The last reason for which the provider refused a call. */
  last_error: string | null
}

/** The settings of a store. */
export interface Settings {
  /** Minutes until an unpaid order expires. Existing orders keep their `expires_at`. */
  order_expiry_minutes: number
  /**
   * Days after the completion of an order until a missing review is created automatically; null
   * means never.
   */
  auto_review_days: number | null
  /** Days after the completion of an order during which a return can be requested. */
  return_window_days: number
  /** The IANA name of the time zone in which the seller's days begin and end. */
  time_zone: string
  /** The email address for support. Replies to the emails of the store go to it. */
  support_email: string | null
  /** The name of the sender of mail; null for the name of the store. */
  mail_from_name: string | null
  /** The language of mail. Orders that name no language get this one when they are made. */
  language: 'en' | 'de' | 'es'
  /**
   * If true, buyers of orders that were made with an API key get mail too. Mail about other orders
   * is always sent.
   */
  mail_api_orders: boolean
  /** The address for returned goods. */
  return_address: Address | null
}

/** The payments and refunds of the orders of a store, and the amount that can be withdrawn. */
export interface Wallet {
  /** Always `wallet`. */
  object: 'wallet'
  /** The currency, an ISO 4217 code. */
  currency: string
  /** The sum of all payments of orders, in minor units. */
  paid_cents: number
  /** The sum of all refunds of orders, in minor units. */
  refunded_cents: number
  /** The sum of pending and processing withdrawals, in minor units. */
  pending_cents: number
  /** The sum of completed withdrawals including fees, in minor units. */
  withdrawn_cents: number
  /**
   * The amount that can be withdrawn, in minor units: paid less refunded, pending and withdrawn. It
   * can be below 0 after refunds of money that was withdrawn.
   */
  available_cents: number
}

/** A withdrawal of money from the wallet. */
export interface Withdrawal {
  /** The id of the withdrawal. */
  id: number
  /** Always `withdrawal`. */
  object: 'withdrawal'
  /** The amount that is deducted from the wallet, in minor units. */
  amount_cents: number
  /** The part of the amount that the transfer costs, in minor units. */
  fee_cents: number
  /** The amount less the fee, in minor units. */
  net_cents: number
  /** The currency, an ISO 4217 code. */
  currency: string
  /** The method of the transfer, such as `bank_transfer`. */
  method: string
  /** The account that receives the transfer, such as an IBAN. */
  address: string
  /**
   * The status. `processing`: the transfer is under way. `completed`: the transfer was made.
   * `failed` and `cancelled`: the amount is available again.
   */
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled'
  /** A reference of the transfer; null until one is recorded. */
  reference: string | null
  /** The reason for the failure; null if the withdrawal has not failed. */
  failure_reason: string | null
  /** The time when the withdrawal was requested. */
  created_at: string
  /** The time when the withdrawal was completed; null if it was not. */
  completed_at: string | null
}
