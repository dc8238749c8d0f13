// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Settings } from './account-records.gen.ts'
import type { AddressInput, PageQuery } from './shared.gen.ts'

export interface AccountCompleteWithdrawalBody {
  /** A reference, such as the number of the transfer. */
  reference: string
}

export interface AccountDisconnectPaymentProviderQuery {
  /** If true, the provider is disconnected even if one of its payments is open. */
  force?: boolean
}

export interface AccountFailWithdrawalBody {
  /** The reason for the failure. */
  reason: string
}

export interface AccountListAuditEventsQuery {
  /** The number of records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** The `next_cursor` of the previous page. */
  cursor?: number
  /** Only events of this API key or user. */
  actor_id?: string
  /** Only events with this action, such as `order.refund`. */
  action?: string
  /** Only events of the record with this id. */
  object_id?: string
}

export interface AccountListCallsQuery {
  /** The number of records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** The `next_cursor` of the previous page. */
  cursor?: string
  /** Only calls with this status, such as `422`, or class, such as `4xx`. */
  status?: string
  /** Only calls of this operation, such as `orders.create`. */
  operation?: string
  /** Only calls with this API key. */
  api_key_id?: number
  /** Only the call with this id. */
  request_id?: string
}

export interface AccountListLedgerQuery {
  /** The number of records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** `next_cursor` of the previous page. */
  cursor?: string
}

export interface AccountListOutboxQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** Only mail about this order. */
  order_id?: string
  /** Only mail of these templates. */
  template?: (
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
  )[]
  /** Only mail with one of these states. */
  status?: ('queued' | 'sent' | 'failed' | 'bounced' | 'kept')[]
}

export interface AccountListPaymentCallbacksQuery {
  /** The number of records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** The `next_cursor` of the previous page. */
  cursor?: number
  /** Only callbacks of this provider. */
  provider?: string
  /** Only callbacks with this status. */
  status?: 'received' | 'applied' | 'ignored' | 'failed'
  /** Only callbacks about this order. */
  order_id?: string
}

export interface AccountListWithdrawalsQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** One or several statuses. */
  status?: ('pending' | 'processing' | 'completed' | 'failed' | 'cancelled')[]
}

export interface AccountProcessWithdrawalBody {
  /** A reference, such as the number of the transfer. */
  reference?: string | null
}

export interface ClockAdvance {
  /**
   * The duration, such as `45s`, `90m`, `12h` or `3d`. The clock can be at most ten years ahead.
   */
  advance: string
}

/** A text that is not stored yet. Fields that are left out keep their value in the preview. */
export interface MailTemplateDraft {
  /** The subject, one line. It accepts the placeholders without keys and links. */
  subject?: string
  /**
   * The text. An empty line ends a paragraph. Placeholders: `{{store_name}}`, `{{order_number}}`,
   * `{{order_url}}`, `{{customer_name}}`, `{{items}}`, `{{total}}`, `{{keys}}`, `{{amount}}`,
   * `{{reason}}`, `{{tracking_url}}`, `{{link}}`. A paragraph whose only placeholder is empty is
   * left out; a link alone on a line is shown as a button.
   */
  body_text?: string
}

export interface MailTemplateInput {
  /** The subject, one line. It accepts the placeholders without keys and links. */
  subject: string
  /**
   * The text. An empty line ends a paragraph. Placeholders: `{{store_name}}`, `{{order_number}}`,
   * `{{order_url}}`, `{{customer_name}}`, `{{items}}`, `{{total}}`, `{{keys}}`, `{{amount}}`,
   * `{{reason}}`, `{{tracking_url}}`, `{{link}}`. A paragraph whose only placeholder is empty is
   * left out; a link alone on a line is shown as a button.
   */
  body_text: string
}

export interface MailTemplateTest {
  /** The recipient. */
  to: string
}

export interface PaymentProviderInput {
  /**
   * `stripe`: a secret or restricted key, which begins with `sk_` or `rk_`. Default: none; `stripe`
   * requires it.
   */
  secret_key?: string
  /**
   * `stripe`: the signing secret of the webhook endpoint for `callback_url`, which begins with
   * `whsec_`. Default: none; `stripe` requires it.
   */
  webhook_secret?: string
  /** `stripe`: the publishable key, which begins with `pk_`. Default: none. */
  publishable_key?: string
}

export interface SettingsPatch extends Partial<Pick<
  Settings,
  'order_expiry_minutes' | 'auto_review_days' | 'return_window_days' | 'time_zone' |
    'support_email' | 'mail_from_name' | 'language' | 'mail_api_orders'
>> {
  /** The address for returned goods. */
  return_address?: AddressInput | null
}

export interface WithdrawalInput {
  /** The amount to deduct from the wallet, in minor units; at most `available_cents`. */
  amount_cents: number
  /**
   * The part of the amount that the transfer costs, in minor units; less than the amount. Default
   * `0`.
   */
  fee_cents?: number
  /** The method of the transfer, such as `bank_transfer`. */
  method: string
  /** The account that receives the transfer, such as an IBAN. */
  address: string
}
