import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import { Refusal } from '../../../kernel/errors.ts'
import type { MethodName } from '../../../kernel/payment-methods.ts'
import type { Store, StoreContext } from '../../../store-context.ts'

/** A payment as its provider knows it. */
export interface PaymentRef {
  /** Our id, which is also the idempotency key of calls to the provider (decision 453). */
  id: number
  order_id: string
  amount_cents: number
  currency: string
  /** Null if the provider has not answered yet. */
  external_id: string | null
  /** True if the buyer lets the provider save the method for renewals. */
  saves_method: boolean
  /** The id at the provider of the saved method that is charged without its buyer; null if the buyer pays. */
  saved_method: string | null
  /** The part of its money that has gone back. */
  refunded_cents: number
  /** The id of the customer at the provider, if the provider knows the customer. */
  provider_customer: string | null
}

/** Returns true for a payment that moves no money: its buyer has the provider save a method for renewals (decision 176). */
export const isSetUp = ({ amount_cents }: Pick<PaymentRef, 'amount_cents'>): boolean =>
  amount_cents === 0

/** A method that a provider has saved for a customer. */
export interface SavedMethod {
  external_id: string
  provider_customer: string | null
  /** The name of the method, such as `Visa`. */
  label: string
  last4: string | null
  /** The month, such as `2030-04`. */
  expires: string | null
}

/** The saved method that is charged. */
export type ChargedMethod = Pick<SavedMethod, 'external_id' | 'provider_customer'>

/** The result of a charge. `external_id` is null if the provider has refused it. */
export interface ProviderCharge {
  external_id: string | null
  record: ProviderRecord
}

/** A page of a provider on which a buyer can pay. */
export interface NewSession extends PaymentRef {
  order_number: number
  /** The page that the provider links to after the payment. */
  return_url: string | null
  /** The time of the start, by the clock of the store. */
  created_at: string
  expires_at: string
}

export interface Session {
  external_id: string
  checkout_url: string
  expires_at: string
}

/** The state of a payment in the records of its provider, which decides (decision 453). */
export type ProviderRecord =
  | { status: 'open' | 'expired' | 'ended' }
  | (WithTransaction & { status: 'processing' })
  /** `needs_buyer` is true if the bank does not refuse the charge, and asks for the buyer. */
  | (WithTransaction & { status: 'failed'; failure: ProviderFailure; needs_buyer?: boolean })
  /** The amount that arrived, its refunds that the provider has made, and the dispute of its buyer. */
  | (WithTransaction & {
      status: 'paid'
      amount_cents: number
      refunds: ProviderRefund[]
      /** Refunds that did not reach the buyer, also after the provider had called them made. */
      failed_refunds?: FailedRefund[]
      dispute: ProviderDispute | null
      /** True if money of another currency arrived. The amount is then that of the payment. */
      has_other_currency?: boolean
      /** The fee of the provider: null until it has told it, and absent if it takes none. */
      fee?: ProviderFee | null
      /** The method that the provider has saved. */
      saved_method?: SavedMethod | undefined
    })

/** A fee in the minor units of the currency in which the provider pays the seller. */
export interface ProviderFee {
  amount_cents: number
  currency: string
}

interface WithTransaction {
  /** The id of the transaction at the provider, which refunds and disputes there name. */
  transaction_id?: string
}

/** A dispute in the records of a provider. */
export interface ProviderDispute {
  id: string
  status: 'open' | 'won' | 'lost'
  /** The reason, in the words of the provider. */
  reason: string | null
  amount_cents: number
  /** The time until which the seller can answer. */
  due_at: string | null
  /** Null until the provider has told it. */
  fee_cents: number | null
}

/** A refund in the records of a provider. */
export interface ProviderRefund {
  external_id: string
  amount_cents: number
  /** Our id of it; null if it was made at the provider. */
  refund_id: number | null
}

/** A refund whose money did not reach the buyer. */
export interface FailedRefund {
  external_id: string
  failure: ProviderFailure
}

/** A refund that a provider is asked for. */
export interface RefundRef {
  /** Our id, which is also the idempotency key of the call. */
  id: number
  amount_cents: number
  currency: string
  /** Null if the provider has not answered yet. */
  external_id: string | null
  payment: PaymentRef
}

/** The answer of a provider about a refund. */
export type RefundRecord =
  | { status: 'pending' | 'succeeded'; external_id: string }
  | { status: 'failed'; external_id: string | null; failure: ProviderFailure }

/** The reason for which a payment failed, or for which a provider refused a call. */
export interface ProviderFailure {
  code: string
  message: string
}

/** A callback whose signature is valid. */
export interface Callback {
  /** The id of the event at the provider. Repeated callbacks have the same. */
  external_id: string
  type: string
  /** The payment that the provider's record names, if it names this store. */
  payment_id: number | null
  /** True if the provider's record names this store. */
  names_store: boolean
  /** The ids at the provider that may be those of a payment. */
  external_ids: string[]
}

/** The credentials of a store at a provider that has accepted them, and the name of the account. */
export interface Connection {
  account: string | null
  credentials: Record<string, string> | null
}

/** The answer of a provider to the question whether it still accepts the credentials of a store. */
export type Probe =
  /** `provider_ms` is the time by the clock of the provider, in Unix milliseconds; null if it has none. */
  { state: 'works'; provider_ms: number | null } | { state: 'refused' | 'unreachable' }

/** Checks the body of a call against a shape. */
export type ReadBody = <S extends z.ZodType>(shape: S) => z.output<S>

/** The newest payments of a store that its provider has as paid. */
export interface PaidAtProvider {
  /** The time in Unix milliseconds since which all of them are listed. */
  since_ms: number
  external_ids: string[]
}

/** The wire format of a payment provider. Its functions are called outside of transactions. */
export interface Provider {
  name: string
  /** The payment method that it serves. */
  method: MethodName
  isOffered(store: Store): boolean
  /** Reads the credentials of a new connection, and asks the provider whether it accepts them (decision 460). */
  checkCredentials(context: StoreContext, read: ReadBody): Promise<Connection>
  /** Asks the provider whether it still accepts the stored credentials, and records the answer. */
  probe(context: StoreContext): Promise<Probe>
  /**
   * Lists the newest payments of the store on pages of the provider that are paid there, for `doctor`. A provider without it
   * is a part of this program.
   */
  listPaid?(context: StoreContext): Promise<PaidAtProvider>
  /** Refuses an amount that the provider cannot carry. */
  checkAmount(payment: Pick<PaymentRef, 'amount_cents' | 'currency'>): void
  /** Opens a page on which the buyer pays. The same payment gets the same page. */
  create(context: StoreContext, session: NewSession): Promise<Session>
  read(context: StoreContext, payment: PaymentRef): Promise<ProviderRecord>
  /** Ends the page, so that the buyer can no longer pay there. Returns the record after it. */
  end(context: StoreContext, payment: PaymentRef): Promise<ProviderRecord>
  /** Charges a saved method without its buyer. The same payment is charged once. */
  chargeSaved?(
    context: StoreContext,
    payment: PaymentRef,
    method: ChargedMethod,
  ): Promise<ProviderCharge>
  /** Deletes a saved method. One that is not known there is deleted already. */
  deleteMethod?(context: StoreContext, external_id: string): Promise<void>
  /** Asks for a refund, or about one that it was asked for before. The same refund is made once. */
  refund(context: StoreContext, refund: RefundRef): Promise<RefundRecord>
  /**
   * Returns all money of a payment of which another amount or another currency arrived. Returns the reason if the provider
   * refuses. A provider without it takes any amount, and counts what arrives.
   */
  returnAll?(context: StoreContext, payment: PaymentRef): Promise<ProviderFailure | undefined>
  /** Returns undefined if the signature is missing, wrong or too old. */
  readCallback(
    context: StoreContext,
    request: { headers: IncomingHttpHeaders; body: Buffer },
  ): Promise<Callback | undefined>
}

/** Creates the refusal for a call that a provider has refused as wrong. */
export const providerRefused = ({ code, message }: ProviderFailure) =>
  new Refusal('PROVIDER_REFUSED', message, { provider_code: code })

/** Returns the reason of a refusal of a provider; undefined for any other error. */
export function failureOf(error: unknown): ProviderFailure | undefined {
  if (!(error instanceof Refusal) || error.code !== 'PROVIDER_REFUSED') return undefined
  return { code: String(error.details?.provider_code), message: error.message }
}
