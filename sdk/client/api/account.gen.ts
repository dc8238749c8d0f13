// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { Address, NewAddress, PageQuery, Pagination } from './shared.gen.ts'

/** The store, its plan and what the calling key may do. */
export interface AccountApi {
  /**
   * Show the store, its plan and limits, and what the calling key may do.
   *
   * Needs the permission `account:read`.
   */
  get(options?: CallOptions): Promise<{ account: Account }>
  /**
   * Get the settings of the store.
   *
   * Needs the permission `account:read`.
   */
  getSettings(options?: CallOptions): Promise<{ settings: Settings }>
  /**
   * Change the settings of the store.
   *
   * Each side of a store has its own settings. They hold for what happens from then on: new orders,
   * requests of returns, and reviews that are not created yet. Where several processes serve a
   * store, the others follow within 5 s.
   *
   * Needs the permission `account:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  updateSettings(body: SettingsPatch, options?: CallOptions): Promise<{ settings: Settings }>
  /**
   * List who changed or revealed what, newest first.
   *
   * Every change through the Store API, the Client Security API and the command line, and every
   * reveal or export of secrets. Events are kept for 400 days.
   *
   * Needs the permission `account:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listAuditEvents(query?: AccountListAuditEventsQuery, options?: CallOptions): List<{
    audit_events: AccountAuditEvent[]
    /** The next page; null at the end. */
    next_cursor: number | null
  }, AccountAuditEvent>
  /**
   * List mail to customers, the newest first.
   *
   * The mail of a test side is kept and shown with its text. Mail is deleted after 30 days. `total`
   * is exact up to 10,000; `has_more` is always right.
   *
   * Needs the permission `account:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listOutbox(query?: AccountListOutboxQuery, options?: CallOptions): List<{ messages: OutboxMessage[]; pagination: Pagination }, OutboxMessage>
  /**
   * Get what the orders of the store brought in, and what can be withdrawn.
   *
   * Needs the permission `account:read`.
   */
  getWallet(options?: CallOptions): Promise<{ wallet: Wallet }>
  /**
   * List what changed the wallet and the balances of customers, the newest first.
   *
   * Needs the permission `account:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listLedger(query?: AccountListLedgerQuery, options?: CallOptions): List<{
    entries: LedgerEntry[]
    /** The next page; null at the end. */
    next_cursor: string | null
  }, LedgerEntry>
  /**
   * List withdrawals, the newest first.
   *
   * Needs the permission `account:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listWithdrawals(query?: AccountListWithdrawalsQuery, options?: CallOptions): List<{ withdrawals: Withdrawal[]; pagination: Pagination }, Withdrawal>
  /**
   * Request a withdrawal from the wallet.
   *
   * Its amount is no longer available from now on. Tradepost moves no money: send the transfer, and
   * then complete the withdrawal. Send an `Idempotency-Key`, so that a repeated call withdraws
   * once.
   *
   * Needs the permission `account:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  createWithdrawal(body: NewWithdrawal, options?: PostOptions): Promise<{ withdrawal: Withdrawal }>
  /**
   * Get a withdrawal.
   *
   * Needs the permission `account:read`.
   * @param id The withdrawal.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getWithdrawal(id: number, options?: CallOptions): Promise<{ withdrawal: Withdrawal }>
  /**
   * Record that a withdrawal was sent.
   *
   * Sends `withdrawal.completed`.
   *
   * Needs the permission `account:write`.
   * @param id The withdrawal.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  completeWithdrawal(id: number, body: AccountCompleteWithdrawalBody, options?: PostOptions): Promise<{ withdrawal: Withdrawal }>
  /**
   * Record that a withdrawal failed.
   *
   * Its amount is available again.
   *
   * Needs the permission `account:write`.
   * @param id The withdrawal.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  failWithdrawal(id: number, body: AccountFailWithdrawalBody, options?: PostOptions): Promise<{ withdrawal: Withdrawal }>
  /**
   * Cancel a withdrawal that was not sent.
   *
   * Its amount is available again.
   *
   * Needs the permission `account:write`.
   * @param id The withdrawal.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  cancelWithdrawal(id: number, options?: PostOptions): Promise<{ withdrawal: Withdrawal }>
  /**
   * Move the clock of a store's test side forward. Only with a test key.
   *
   * Everything that becomes due meanwhile runs in order, each at its own time: orders expire,
   * trials end, subscriptions renew, webhooks are retried. It answers when all of that has run.
   *
   * Needs the permission `account:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`, `STORE_NOT_ALLOWED`, `SERVICE_UNAVAILABLE`
   */
  advanceTestClock(body: ClockAdvance, options?: PostOptions): Promise<{
    /** The current time of the store's clock. */
    now: string
  }>
}

/** The store, the calling key, and what is switched on. */
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
  /** The calling key, and what is left to it. */
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
  /** The id of the record; null where it was many. */
  object_id: string | null
  /** Changed fields. Secrets and personal data are masked. */
  changes: Record<string, {
    /** The value before; null for something new, left out where it was not read. */
    from?: unknown
    /** The value after. */
    to: unknown
  }>
}

export interface AccountCompleteWithdrawalBody {
  /** A reference, such as the number of the transfer. */
  reference: string
}

export interface AccountFailWithdrawalBody {
  /** Why it failed. */
  reason: string
}

export interface AccountListAuditEventsQuery {
  /** Records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** `next_cursor` of the page before. */
  cursor?: number
  /** Only acts of this API key or user. */
  actor_id?: string
  /** Only this action, such as `order.refund`. */
  action?: string
  /** Only acts on the record with this id. */
  object_id?: string
}

export interface AccountListLedgerQuery {
  /** Records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** `next_cursor` of the page before. */
  cursor?: string
}

export type AccountListOutboxQuery = PageQuery

export interface AccountListWithdrawalsQuery extends PageQuery {
  /** Only with these statuses. */
  status?: ('pending' | 'processing' | 'completed' | 'failed' | 'cancelled')[]
}

export interface ClockAdvance {
  /** By how much: `45s`, `90m`, `12h` or `3d`. At most ten years ahead in all. */
  advance: string
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
  /** The order; null where it was about none. */
  order_id: string | null
  /**
   * `withdrawal_returned`: a withdrawal that failed or was cancelled. `adjustment`: a change by the
   * seller.
   */
  reason: 'payment' | 'refund' | 'withdrawal' | 'withdrawal_returned' | 'adjustment'
}

export interface NewWithdrawal {
  /** The amount that leaves the wallet; at most `available_cents`. */
  amount_cents: number
  /** The part of it that the transfer costs; less than the amount. Default `0`. */
  fee_cents?: number
  /** How it is sent, such as `bank_transfer`. */
  method: string
  /** The account that receives it, such as an IBAN. */
  address: string
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

export interface SettingsPatch extends Partial<Pick<
  Settings,
  'order_expiry_minutes' | 'auto_review_days' | 'return_window_days' | 'time_zone' |
    'support_email'
>> {
  /** The address for returned goods. */
  return_address?: NewAddress | null
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
