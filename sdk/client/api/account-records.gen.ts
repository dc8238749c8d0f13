// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Address } from './shared.gen.ts'

/** The store, the calling key, and the features that are on. */
export interface Account {
  /** The store the call was for. */
  store: {
    /** The store hash, as in `x-store-hash`. */
    id: string
    /** The name customers see. */
    name: string
    /** The name in addresses. */
    slug: string
    /** ISO 4217; every amount of the store is in it. */
    currency: string
    /** `free`, `starter`, `growth`, `scale` or `self_hosted`. */
    plan: string
    /** False on the test side. */
    livemode: boolean
    /** When the store was opened. */
    created_at: string
  }
  /** The calling key, and its remaining calls. */
  api: {
    /** The permissions of the calling key. */
    permissions: string[]
    /** Calls a minute; 0 means no limit. */
    rate_limit: number
    /** Calls a month of the plan; null means none. */
    monthly_quota: number | null
    /** Calls of this month, this one included. */
    monthly_used: number
    /** When the next month begins (UTC). */
    resets_at: string
  }
  /** The features, and whether they are enabled. */
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
  /** Audit event id. */
  id: number
  /** When, by the store's clock. */
  created_at: string
  /** The actor. */
  actor: {
    /** The kind of actor; `system` is a rule of the service. */
    type: 'api_key' | 'user' | 'command_line' | 'customer' | 'system'
    /** The id of the API key or the user. */
    id: string | null
    /** The name of the API key or the user as it was then, or the command. */
    name: string | null
  }
  /** The IP address that the call came from. */
  address: string | null
  /** The `x-request-id` of the call. */
  request_id: string | null
  /** The action, such as `order.refund` or `stock.list_keys`. */
  action: string
  /** The kind of record, such as `order`. */
  object: string
  /** The id of the record; null for a change of many records. */
  object_id: string | null
  /** Changed fields. Secrets and personal data are masked. */
  changes: Record<string, {
    /** The value before; null for a new record, left out if it was not read. */
    from?: unknown
    /** The value after. */
    to: unknown
  }>
}

/** A change of an account. */
export interface LedgerEntry {
  /** The id of the entry, such as `payment_42`. */
  id: string
  /** When. */
  at: string
  /**
   * `wallet`: money of the store; its entries add up to `available_cents`. `customer_balances`:
   * credit of customers; its entries add up to their balances.
   */
  account: 'wallet' | 'customer_balances'
  /** Below 0 for money that left the account. */
  amount_cents: number
  /** ISO 4217. */
  currency: string
  /** The order; null if there is none. */
  order_id: string | null
  /**
   * `withdrawal_returned`: a withdrawal that failed or was cancelled. `adjustment`: a change by the
   * seller.
   */
  reason: 'payment' | 'refund' | 'withdrawal' | 'withdrawal_returned' | 'adjustment'
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
    | 'order_delivery'
    | 'order_shipped'
    | 'stock_alert'
    | 'password_reset'
    | 'team_invitation'
    | null
  /** `kept`: not to be sent, as on a test side or without a mail server. */
  status: 'queued' | 'sent' | 'failed' | 'kept'
  /** When it was written. */
  created_at: string
  /** When the mail server took it. */
  sent_at: string | null
  /**
   * The text, on test sides only; null on live sides, where it may hold keys, and for mail with a
   * link to sign in.
   */
  text: string | null
}

/** The settings of a store. */
export interface Settings {
  /** Minutes until an unpaid order expires. Orders that exist keep their `expires_at`. */
  order_expiry_minutes: number
  /** Days after completion without a review until the store creates one; null for never. */
  auto_review_days: number | null
  /** Days after completion during which a return can be requested. */
  return_window_days: number
  /** IANA name of the time zone of the seller's days. */
  time_zone: string
  /** The address for help; replies to mail go to it. */
  support_email: string | null
  /** The address for returned goods. */
  return_address: Address | null
}

/** The money that the orders of a store brought in, and how much of it is available. */
export interface Wallet {
  /** Always `wallet`. */
  object: 'wallet'
  /** ISO 4217. */
  currency: string
  /** All that orders were paid. */
  paid_cents: number
  /** All that orders were refunded. */
  refunded_cents: number
  /** Withdrawals that have not ended. */
  pending_cents: number
  /** Completed withdrawals, fees included. */
  withdrawn_cents: number
  /**
   * The amount that can be withdrawn: paid, less refunded, pending and withdrawn. Below 0 after
   * refunds of money that was withdrawn.
   */
  available_cents: number
}

/** Money that is taken out of the wallet. */
export interface Withdrawal {
  /** The id of the withdrawal. */
  id: number
  /** Always `withdrawal`. */
  object: 'withdrawal'
  /** The amount that leaves the wallet. */
  amount_cents: number
  /** The part of it that the transfer costs. */
  fee_cents: number
  /** The amount that arrives: the amount less the fee. */
  net_cents: number
  /** ISO 4217. */
  currency: string
  /** How it is sent, such as `bank_transfer`. */
  method: string
  /** The account that receives it, such as an IBAN. */
  address: string
  /** `completed`: it was sent. `failed` and `cancelled` gave the money back to the wallet. */
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled'
  /** A reference of the transfer; null until it is completed. */
  reference: string | null
  /** Why it failed; null unless it did. */
  failure_reason: string | null
  /** When it was requested. */
  created_at: string
  /** When it was completed. */
  completed_at: string | null
}
