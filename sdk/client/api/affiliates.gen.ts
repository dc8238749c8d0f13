// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { AffiliateLink, AffiliatePartner, PageQuery, Pagination } from './shared.gen.ts'

/** The partner programme: partners, conversions and payouts. */
export interface AffiliatesApi {
  /**
   * List conversions, the newest first, 25 a page.
   *
   * Needs the permission `affiliates:read`, and the feature `affiliates` turned on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listConversions(query?: AffiliatesListConversionsQuery, options?: CallOptions): List<{
    conversions: AffiliateConversion[]
    /** The cursor of the next page; null on the last page. */
    next_cursor: number | null
    /**
     * The numbers of conversions by status. The partner filter applies, the status filter does not.
     */
    counts: {
      /** The number of all conversions. */
      all: number
      /** The number of valid conversions. */
      valid: number
      /** The number of flagged conversions. */
      flagged: number
      /** The number of rejected conversions. */
      rejected: number
    }
  }, AffiliateConversion>
  /**
   * Accept or reject a conversion. A rejected conversion earns no commission.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` turned on in the store.
   * @param invoiceId The id of the order.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `VALIDATION_FAILED`
   */
  reviewConversion(invoiceId: string, body: AffiliateReview, options?: PostOptions): Call<{ conversion: AffiliateConversion }>
  /**
   * Get the programme.
   *
   * Needs the permission `affiliates:read`.
   */
  getProgram(options?: CallOptions): Call<{ program: AffiliateProgram }>
  /**
   * Update the programme. Absent fields keep their values.
   *
   * Needs the permission `affiliates:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  updateProgram(body: AffiliateProgramPatch, options?: CallOptions): Call<{ program: AffiliateProgram }>
  /**
   * List partners, the newest first.
   *
   * Needs the permission `affiliates:read`, and the feature `affiliates` turned on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listPartners(query?: AffiliatesListPartnersQuery, options?: CallOptions): List<{ partners: AffiliatePartner[]; pagination: Pagination }, AffiliatePartner>
  /**
   * Invite a partner, who is approved at once.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` turned on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  invitePartner(body: AffiliatePartnerInput, options?: PostOptions): Call<{ partner: AffiliatePartner }>
  /**
   * Apply as a partner.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` turned on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`, `INVALID_STATE`
   */
  apply(body: AffiliateApplication, options?: PostOptions): Call<{ partner: AffiliatePartner }>
  /**
   * Get a partner.
   *
   * Needs the permission `affiliates:read`, and the feature `affiliates` turned on in the store.
   * @param id The id of the partner.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getPartner(id: string, options?: CallOptions): Call<{ partner: AffiliatePartner }>
  /**
   * Update a partner. Absent fields keep their values; null clears a field.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` turned on in the store.
   * @param id The id of the partner.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  updatePartner(id: string, body: AffiliatePartnerPatch, options?: CallOptions): Call<{ partner: AffiliatePartner }>
  /**
   * Approve a partner.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` turned on in the store.
   * @param id The id of the partner.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  approvePartner(id: string, options?: PostOptions): Call<{ partner: AffiliatePartner }>
  /**
   * Reject a partner.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` turned on in the store.
   * @param id The id of the partner.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  rejectPartner(id: string, options?: PostOptions): Call<{ partner: AffiliatePartner }>
  /**
   * Suspend a partner.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` turned on in the store.
   * @param id The id of the partner.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  suspendPartner(id: string, options?: PostOptions): Call<{ partner: AffiliatePartner }>
  /**
   * List the links of a partner, the oldest first.
   *
   * Needs the permission `affiliates:read`, and the feature `affiliates` turned on in the store.
   * @param id The id of the partner.
   * @throws {TradepostError} `NOT_FOUND`
   */
  listLinks(id: string, options?: CallOptions): Call<{
    /** All links. */
    links: AffiliateLink[]
  }>
  /**
   * Create a link of a partner.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` turned on in the store.
   * @param id The id of the partner.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  createLink(id: string, body?: AffiliateLinkInput, options?: PostOptions): Call<{ link: AffiliateLink }>
  /**
   * Delete a link. Its conversions are not deleted.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` turned on in the store.
   * @param code The code of the link.
   * @throws {TradepostError} `NOT_FOUND`
   */
  deleteLink(code: string, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The code of the deleted link. */
    code: string
  }>
  /**
   * List payouts, the newest first.
   *
   * Needs the permission `affiliates:read`, and the feature `affiliates` turned on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listPayouts(query?: AffiliatesListPayoutsQuery, options?: CallOptions): List<{ payouts: AffiliatePayout[]; pagination: Pagination }, AffiliatePayout>
  /**
   * Request a payout of the whole available amount of a partner.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` turned on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`, `INVALID_STATE`
   */
  requestPayout(body: AffiliatePayoutInput, options?: PostOptions): Call<{ payout: AffiliatePayout }>
  /**
   * Get a payout.
   *
   * Needs the permission `affiliates:read`, and the feature `affiliates` turned on in the store.
   * @param id The id of the payout.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getPayout(id: number, options?: CallOptions): Call<{ payout: AffiliatePayout }>
  /**
   * Mark a payout as sent.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` turned on in the store.
   * @param id The id of the payout.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `VALIDATION_FAILED`
   */
  sendPayout(id: number, body?: SentAffiliatePayout, options?: PostOptions): Call<{ payout: AffiliatePayout }>
  /**
   * Reject a payout. Its commissions are available again.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` turned on in the store.
   * @param id The id of the payout.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `VALIDATION_FAILED`
   */
  rejectPayout(id: number, body?: RejectedAffiliatePayout, options?: PostOptions): Call<{ payout: AffiliatePayout }>
}

export interface AffiliateApplication {
  /** The email address, which is unique among the partners of the store. */
  email: string
  /** The name of the applicant. */
  name: string
  /** A note of the applicant. */
  note?: string | null
  /** The IP address of the applicant. */
  ip?: string | null
}

/** A paid order whose buyer a partner referred. */
export interface AffiliateConversion {
  /** The id of the order. */
  invoice_id: string
  /** The time when the order was created. */
  captured_at: string
  /** The time when the order was paid. */
  paid_at: string
  /** The origin of the conversion. */
  source: 'link' | 'coupon' | 'manual'
  /** The status of the conversion. A flagged conversion waits for a review. */
  status: 'valid' | 'flagged' | 'rejected'
  /** The reasons for which the conversion was flagged. */
  flags: ('self_referral' | 'same_ip' | 'blocked_customer' | 'high_velocity')[]
  /** The total of the order, in minor units. */
  order_total: number
  /** The currency of the order, an ISO 4217 code. */
  order_currency: string
  /** The status of the order. */
  invoice_status: string
  /** The refund status of the order: `none`, `partial` or `full`. */
  refund_status: string
  /** The partner. */
  partner: {
    /** The id of the partner. */
    id: string
    /** The email address, in lower case. */
    email: string
    /** The name of the person or company. */
    name: string | null
  }
  /** The code of the link or coupon. */
  link_code: string
  /** The commission after refunds, in minor units. */
  commission: number
  /** The currency of the commission, an ISO 4217 code. */
  commission_currency: string
  /** The state of the commission; `none` until the order is completed. */
  commission_state: 'none' | 'pending' | 'available' | 'requested' | 'paid' | 'reversed'
  /** The time when the commission can be paid out. */
  available_at: string | null
}

export interface AffiliateLinkInput {
  /** The code in the URL. Default: a random code. */
  code?: string
}

export interface AffiliatePartnerInput {
  /** The email address, which is unique among the partners of the store. */
  email: string
  /** The name of the person or company. */
  name?: string | null
  /** The commission of this partner in percent; null means the commission of the programme. */
  commission_percent?: number | null
  /** A note that only the seller reads. */
  note?: string | null
}

export type AffiliatePartnerPatch = Partial<Pick<
  AffiliatePartner,
  'name' | 'commission_percent' | 'note'
>>

/** A payout to a partner. */
export interface AffiliatePayout {
  /** The id of the payout. */
  id: number
  /** Always `affiliate_payout`. */
  object: 'affiliate_payout'
  /** The partner. */
  partner: {
    /** The id of the partner. */
    id: string
    /** The email address, in lower case. */
    email: string
    /** The name of the person or company. */
    name: string | null
  }
  /** The amount in minor units. */
  amount_cents: number
  /** The currency, an ISO 4217 code. */
  currency: string
  /** The status of the payout. */
  status: 'requested' | 'sent' | 'rejected' | 'cancelled'
  /** The method of payment; null if none was given. */
  method: string | null
  /** The account that receives the payout. */
  destination: string | null
  /** A reference of the payment, such as the number of a transfer. */
  reference: string | null
  /** The reason for a rejection. */
  note: string | null
  /** The time when the payout was requested. */
  requested_at: string
  /** The time when the payout was marked as sent. */
  sent_at: string | null
}

export interface AffiliatePayoutInput {
  /** The id of the partner. The payout has the whole available amount. */
  partner_id: string
  /** The method of payment, such as bank_transfer. */
  method?: string | null
  /** The account that receives the payout. */
  destination?: string | null
}

/** The affiliate programme. */
export interface AffiliateProgram {
  /** Always `affiliate_program`. */
  object: 'affiliate_program'
  /**
   * True if the programme is on. If several server processes run, the others use a change within 5
   * seconds.
   */
  enabled: boolean
  /** The commission, in percent of the subtotal less the discount. */
  commission_percent: number
  /** Days from completion until a commission can be paid out, 0 to 90. */
  hold_days: number
  /** Days for which the cookie of a click is valid, 1 to 365. */
  cookie_days: number
  /** The minimum amount of a payout, in minor units. */
  min_payout_cents: number
  /** True if an application is approved immediately. */
  auto_approve: boolean
  /** True if applications are accepted. */
  public_signup: boolean
  /**
   * The discount that your storefront offers referred customers. It is stored and changes no order.
   */
  customer_discount_percent: number
  /** The https URL to which partner links redirect. */
  landing_url: string | null
}

export type AffiliateProgramPatch = Partial<Pick<
  AffiliateProgram,
  'enabled' | 'commission_percent' | 'hold_days' | 'cookie_days' | 'min_payout_cents' |
    'auto_approve' | 'public_signup' | 'customer_discount_percent' | 'landing_url'
>>

export interface AffiliateReview {
  /** The result of the review. */
  status: 'valid' | 'rejected'
  /** A note that only the seller reads. */
  note?: string | null
}

export interface AffiliatesListConversionsQuery {
  /** Returns only conversions with this status. Default `"all"`. */
  status?: 'all' | 'valid' | 'flagged' | 'rejected'
  /** Returns only conversions of this partner. */
  partner_id?: string
  /** `next_cursor` of the previous page. */
  cursor?: number
}

export interface AffiliatesListPartnersQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** One or several statuses. */
  status?: ('applied' | 'approved' | 'rejected' | 'suspended')[]
  /** A part of the email or name; case is ignored. */
  search?: string
}

export interface AffiliatesListPayoutsQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** One or several statuses. */
  status?: ('requested' | 'sent' | 'rejected' | 'cancelled')[]
  /** Returns only payouts of this partner. */
  partner_id?: string
}

export interface RejectedAffiliatePayout {
  /** A note that only the seller reads. */
  note?: string | null
}

export interface SentAffiliatePayout {
  /** A reference of the payment, such as the number of a transfer. */
  reference?: string | null
}
