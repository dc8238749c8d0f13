// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { Account, AccountAuditEvent, ApiCall, LedgerEntry, MailTemplate, OutboxMessage, PaymentCallback, PaymentProvider, Settings, Wallet, Withdrawal } from './account-records.gen.ts'
import type { AccountCompleteWithdrawalBody, AccountDisconnectPaymentProviderQuery, AccountFailWithdrawalBody, AccountListAuditEventsQuery, AccountListCallsQuery, AccountListLedgerQuery, AccountListOutboxQuery, AccountListPaymentCallbacksQuery, AccountListWithdrawalsQuery, AccountProcessWithdrawalBody, ClockAdvance, MailTemplateDraft, MailTemplateInput, MailTemplateTest, PaymentProviderInput, SettingsPatch, WithdrawalInput } from './account-requests.gen.ts'
import type { Pagination } from './shared.gen.ts'

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
   * Each side of a store has its own settings. A change applies to new orders, new return requests
   * and automatic reviews that have not been created yet. If several server processes run, the
   * others use the new settings within 5 seconds.
   *
   * Needs the permission `account:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  updateSettings(body: SettingsPatch, options?: CallOptions): Call<{ settings: Settings }>
  /**
   * List changes and reveals with their actors, newest first.
   *
   * Lists every change through the Store API, the Client Security API and the command line, and
   * every reveal or export of secrets. Events are kept for 400 days.
   *
   * Needs the permission `account:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listAuditEvents(query?: AccountListAuditEventsQuery, options?: CallOptions): List<{
    audit_events: AccountAuditEvent[]
    /** The cursor of the next page; null on the last page. */
    next_cursor: number | null
  }, AccountAuditEvent>
  /**
   * List calls with API keys, newest first, without their bodies.
   *
   * Lists up to 100,000 calls of the last 7 days. A call appears in the log within about a second.
   *
   * Needs the permission `account:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listCalls(query?: AccountListCallsQuery, options?: CallOptions): List<{
    calls: ApiCall[]
    /** The cursor of the next page; null on the last page. */
    next_cursor: string | null
  }, ApiCall>
  /**
   * List the mail of the store, newest first.
   *
   * A test side sends no mail, but lists it with its text for callers who may also read orders.
   * Mail is deleted after 30 days. `total` is exact up to 10,000. `has_more` is always exact.
   *
   * Needs the permission `account:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listOutbox(query?: AccountListOutboxQuery, options?: CallOptions): List<{ messages: OutboxMessage[]; pagination: Pagination }, OutboxMessage>
  /**
   * List the texts of mail in all languages.
   *
   * Needs the permission `account:read`.
   */
  listMailTemplates(options?: CallOptions): Call<{
    /** Each template in each language. */
    mail_templates: MailTemplate[]
  }>
  /**
   * Replace the text of a kind of mail in a language.
   *
   * Mail that is queued from now on has the text. An unknown placeholder is refused;
   * `details.allowed` lists those that exist.
   *
   * Needs the permission `account:write`.
   * @param template The kind of mail, such as `order_paid`.
   * @param language The language: `en`, `de` or `es`.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  replaceMailTemplate(template: string, language: string, body: MailTemplateInput, options?: CallOptions): Call<{ mail_template: MailTemplate }>
  /**
   * Restore the built-in text of a kind of mail in a language.
   *
   * Needs the permission `account:write`.
   * @param template The kind of mail, such as `order_paid`.
   * @param language The language: `en`, `de` or `es`.
   * @throws {TradepostError} `NOT_FOUND`
   */
  restoreMailTemplate(template: string, language: string, options?: CallOptions): Call<{ mail_template: MailTemplate }>
  /**
   * Show a mail with sample values.
   *
   * Fields that are sent replace those of the stored text. Nothing is stored.
   *
   * Needs the permission `account:read`.
   * @param template The kind of mail, such as `order_paid`.
   * @param language The language: `en`, `de` or `es`.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  previewMailTemplate(template: string, language: string, body?: MailTemplateDraft, options?: PostOptions): Call<{
    /** The subject with sample values. */
    subject: string
    /** The mail as HTML. */
    html: string
    /** The mail as plain text. */
    text: string
  }>
  /**
   * Send a mail with sample values to an address.
   *
   * The mail is listed in the outbox. The mail of a test side is stored and not sent. A store sends
   * 60 test mails an hour.
   *
   * Needs the permission `account:write`.
   * @param template The kind of mail, such as `order_paid`.
   * @param language The language: `en`, `de` or `es`.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  testMailTemplate(template: string, language: string, body: MailTemplateTest, options?: PostOptions): Call<{
    /** The recipient. */
    to: string
  }>
  /**
   * Get the payments and refunds of all orders, and the amount that can be withdrawn.
   *
   * Needs the permission `account:read`.
   */
  getWallet(options?: CallOptions): Call<{ wallet: Wallet }>
  /**
   * List the changes of the wallet and of the balances of customers, the newest first.
   *
   * Needs the permission `account:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listLedger(query?: AccountListLedgerQuery, options?: CallOptions): List<{
    entries: LedgerEntry[]
    /** The cursor of the next page; null on the last page. */
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
   * The amount is deducted from `available_cents` immediately. Tradepost does not transfer money:
   * make the transfer yourself, and then complete the withdrawal. Send an `Idempotency-Key`, so
   * that a repeated call creates only one withdrawal.
   *
   * Needs the permission `account:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  createWithdrawal(body: WithdrawalInput, options?: PostOptions): Call<{ withdrawal: Withdrawal }>
  /**
   * Get a withdrawal.
   *
   * Needs the permission `account:read`.
   * @param id The id of the withdrawal.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getWithdrawal(id: number, options?: CallOptions): Call<{ withdrawal: Withdrawal }>
  /**
   * Record that the transfer of a withdrawal is under way.
   *
   * The withdrawal can then be completed or fail, but no longer be cancelled. No event is sent.
   *
   * Needs the permission `account:write`.
   * @param id The id of the withdrawal.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  processWithdrawal(id: number, body?: AccountProcessWithdrawalBody, options?: PostOptions): Call<{ withdrawal: Withdrawal }>
  /**
   * Record that a withdrawal was sent.
   *
   * The event `withdrawal.completed` is sent.
   *
   * Needs the permission `account:write`.
   * @param id The id of the withdrawal.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  completeWithdrawal(id: number, body: AccountCompleteWithdrawalBody, options?: PostOptions): Call<{ withdrawal: Withdrawal }>
  /**
   * Record that a withdrawal failed.
   *
   * The amount of the withdrawal is available again.
   *
   * Needs the permission `account:write`.
   * @param id The id of the withdrawal.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  failWithdrawal(id: number, body: AccountFailWithdrawalBody, options?: PostOptions): Call<{ withdrawal: Withdrawal }>
  /**
   * Cancel a withdrawal that is `pending`.
   *
   * The amount of the withdrawal is available again.
   *
   * Needs the permission `account:write`.
   * @param id The id of the withdrawal.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  cancelWithdrawal(id: number, options?: PostOptions): Call<{ withdrawal: Withdrawal }>
  /**
   * Move the clock of a store's test side forward. Requires a test key.
   *
   * All work that becomes due runs in order, each at its own time: orders expire, trials end,
   * subscriptions renew, webhooks are retried. The call answers when all of it has run. If the
   * caller disconnects, the clock stops at the next step; a repeated call with the same idempotency
   * key then gets `INVALID_STATE` with the time that remains.
   *
   * Needs the permission `account:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`, `STORE_NOT_ALLOWED`, `INVALID_STATE`,
   * `SERVICE_UNAVAILABLE`
   */
  advanceTestClock(body: ClockAdvance, options?: PostOptions): Call<{
    /** The current time of the store's clock. */
    now: string
  }>
  /**
   * List the callbacks of payment providers, the newest first.
   *
   * They are kept for 30 days.
   *
   * Needs the permission `account:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listPaymentCallbacks(query?: AccountListPaymentCallbacksQuery, options?: CallOptions): List<{
    payment_callbacks: PaymentCallback[]
    /** The cursor of the next page; null on the last page. */
    next_cursor: number | null
  }, PaymentCallback>
  /**
   * Apply a callback again: ask its provider about the payment that it names.
   *
   * Needs the permission `account:write`.
   * @param id The id of the callback.
   * @throws {TradepostError} `NOT_FOUND`
   */
  applyPaymentCallback(id: number, options?: PostOptions): Call<{ payment_callback: PaymentCallback }>
  /**
   * List the payment providers that this side of the store can connect.
   *
   * Needs the permission `account:read`.
   */
  listPaymentProviders(options?: CallOptions): Call<{
    /** All payment providers. */
    payment_providers: PaymentProvider[]
  }>
  /**
   * Connect a payment provider.
   *
   * The provider is asked once whether it accepts the credentials; nothing is stored if it does
   * not. They are encrypted and never shown again; another call replaces them. The payment method
   * of the provider can then be used for orders, and is enabled on products whose methods were
   * never changed. `stripe` needs `secret_key` and `webhook_secret`, with a key of the same mode as
   * this side; create a webhook endpoint for `callback_url` at Stripe with the events
   * `checkout.session.completed`, `checkout.session.async_payment_succeeded`,
   * `checkout.session.async_payment_failed`, `checkout.session.expired`, `charge.refunded`,
   * `refund.updated`, `charge.dispute.created` and `charge.dispute.closed`. `test` has no fields;
   * it is connected to the test side of a store from the start; the live side cannot connect it. If
   * several server processes run, the others accept the method within 5 seconds.
   *
   * Needs the permission `account:write`.
   * @param provider The name of the provider.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  connectPaymentProvider(provider: string, body?: PaymentProviderInput, options?: CallOptions): Call<{ payment_provider: PaymentProvider }>
  /**
   * Disconnect a payment provider.
   *
   * It is refused while a payment of the provider is open. With `?force=true` such payments stay
   * open, and their callbacks are refused.
   *
   * Needs the permission `account:write`.
   * @param provider The name of the provider.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  disconnectPaymentProvider(provider: string, query?: AccountDisconnectPaymentProviderQuery, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The name of the provider. */
    id: string
  }>
}
