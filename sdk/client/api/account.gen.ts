// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { Account, AccountAuditEvent, LedgerEntry, OutboxMessage, Settings, Wallet, Withdrawal } from './account-records.gen.ts'
import type { NewAddress, PageQuery, Pagination } from './shared.gen.ts'

/** The store, its plan and the permissions of the calling key. */
export interface AccountApi {
  /**
   * Show the store, its plan and limits, and the permissions of the calling key.
   *
   * Needs the permission `account:read`.
   */
  get(options?: CallOptions): Call<{ account: Account }>
  /**
   * Get the settings of the store.
   *
   * Needs the permission `account:read`.
   */
  getSettings(options?: CallOptions): Call<{ settings: Settings }>
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
  updateSettings(body: SettingsPatch, options?: CallOptions): Call<{ settings: Settings }>
  /**
   * List changes and reveals with their actors, newest first.
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
   * Get the earnings of the orders, and the amount that can be withdrawn.
   *
   * Needs the permission `account:read`.
   */
  getWallet(options?: CallOptions): Call<{ wallet: Wallet }>
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
  createWithdrawal(body: NewWithdrawal, options?: PostOptions): Call<{ withdrawal: Withdrawal }>
  /**
   * Get a withdrawal.
   *
   * Needs the permission `account:read`.
   * @param id The withdrawal.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getWithdrawal(id: number, options?: CallOptions): Call<{ withdrawal: Withdrawal }>
  /**
   * Record that a withdrawal was sent.
   *
   * Sends `withdrawal.completed`.
   *
   * Needs the permission `account:write`.
   * @param id The withdrawal.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  completeWithdrawal(id: number, body: AccountCompleteWithdrawalBody, options?: PostOptions): Call<{ withdrawal: Withdrawal }>
  /**
   * Record that a withdrawal failed.
   *
   * Its amount is available again.
   *
   * Needs the permission `account:write`.
   * @param id The withdrawal.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  failWithdrawal(id: number, body: AccountFailWithdrawalBody, options?: PostOptions): Call<{ withdrawal: Withdrawal }>
  /**
   * Cancel a withdrawal that was not sent.
   *
   * Its amount is available again.
   *
   * Needs the permission `account:write`.
   * @param id The withdrawal.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  cancelWithdrawal(id: number, options?: PostOptions): Call<{ withdrawal: Withdrawal }>
  /**
   * Move the clock of a store's test side forward. Only with a test key.
   *
   * Everything that becomes due meanwhile runs in order, each at its own time: orders expire,
   * trials end, subscriptions renew, webhooks are retried. It answers when all of that has run.
   *
   * Needs the permission `account:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`, `STORE_NOT_ALLOWED`, `SERVICE_UNAVAILABLE`
   */
  advanceTestClock(body: ClockAdvance, options?: PostOptions): Call<{
    /** The current time of the store's clock. */
    now: string
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

export interface SettingsPatch extends Partial<Pick<
  Settings,
  'order_expiry_minutes' | 'auto_review_days' | 'return_window_days' | 'time_zone' |
    'support_email'
>> {
  /** The address for returned goods. */
  return_address?: NewAddress | null
}
