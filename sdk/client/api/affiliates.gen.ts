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
   * Needs the permission `affiliates:read`, and the feature `affiliates` switched on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listConversions(query?: AffiliatesListConversionsQuery, options?: CallOptions): List<{
    conversions: AffiliateConversion[]
    /** For the next page; null on the last. */
    next_cursor: number | null
    /** Under the partner filter, whatever the status filter. */
    counts: {
      /** All conversions. */
      all: number
      /** Valid ones. */
      valid: number
      /** Flagged ones. */
      flagged: number
      /** Rejected ones. */
      rejected: number
    }
  }, AffiliateConversion>
  /**
   * Accept or reject a conversion. A rejected one earns nothing.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` switched on in the store.
   * @param invoiceId The order.
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
   * Update the programme. Fields you leave out keep their value.
   *
   * Needs the permission `affiliates:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  updateProgram(body: AffiliateProgramPatch, options?: CallOptions): Call<{ program: AffiliateProgram }>
  /**
   * List partners, the newest first.
   *
   * Needs the permission `affiliates:read`, and the feature `affiliates` switched on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listPartners(query?: AffiliatesListPartnersQuery, options?: CallOptions): List<{ partners: AffiliatePartner[]; pagination: Pagination }, AffiliatePartner>
  /**
   * Invite a partner, who is approved at once.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` switched on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  invitePartner(body: NewAffiliatePartner, options?: PostOptions): Call<{ partner: AffiliatePartner }>
  /**
   * Apply as a partner.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` switched on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`, `INVALID_STATE`
   */
  apply(body: AffiliateApplication, options?: PostOptions): Call<{ partner: AffiliatePartner }>
  /**
   * Get a partner.
   *
   * Needs the permission `affiliates:read`, and the feature `affiliates` switched on in the store.
   * @param id The partner.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getPartner(id: string, options?: CallOptions): Call<{ partner: AffiliatePartner }>
  /**
   * Update a partner. Fields you leave out keep their value; null clears.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` switched on in the store.
   * @param id The partner.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  updatePartner(id: string, body: AffiliatePartnerPatch, options?: CallOptions): Call<{ partner: AffiliatePartner }>
  /**
   * Approve a partner.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` switched on in the store.
   * @param id The partner.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  approvePartner(id: string, options?: PostOptions): Call<{ partner: AffiliatePartner }>
  /**
   * Reject a partner.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` switched on in the store.
   * @param id The partner.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  rejectPartner(id: string, options?: PostOptions): Call<{ partner: AffiliatePartner }>
  /**
   * Suspend a partner.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` switched on in the store.
   * @param id The partner.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
   */
  suspendPartner(id: string, options?: PostOptions): Call<{ partner: AffiliatePartner }>
  /**
   * List the links of a partner, the oldest first.
   *
   * Needs the permission `affiliates:read`, and the feature `affiliates` switched on in the store.
   * @param id The partner.
   * @throws {TradepostError} `NOT_FOUND`
   */
  listLinks(id: string, options?: CallOptions): Call<{
    /** All links. */
    links: AffiliateLink[]
  }>
  /**
   * Create a link of a partner.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` switched on in the store.
   * @param id The partner.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  createLink(id: string, body?: NewAffiliateLink, options?: PostOptions): Call<{ link: AffiliateLink }>
  /**
   * Delete a link. Its conversions stay.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` switched on in the store.
   * @param code The code of the link.
   * @throws {TradepostError} `NOT_FOUND`
   */
  deleteLink(code: string, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** The code of the deleted link. */
    code: string
  }>
  /**
   * List payouts, the newest first.
   *
   * Needs the permission `affiliates:read`, and the feature `affiliates` switched on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listPayouts(query?: AffiliatesListPayoutsQuery, options?: CallOptions): List<{ payouts: AffiliatePayout[]; pagination: Pagination }, AffiliatePayout>
  /**
   * Request a payout of all that is available to a partner.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` switched on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`, `INVALID_STATE`
   */
  requestPayout(body: NewAffiliatePayout, options?: PostOptions): Call<{ payout: AffiliatePayout }>
  /**
   * Get a payout.
   *
   * Needs the permission `affiliates:read`, and the feature `affiliates` switched on in the store.
   * @param id The payout.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getPayout(id: number, options?: CallOptions): Call<{ payout: AffiliatePayout }>
  /**
   * Mark a payout as sent.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` switched on in the store.
   * @param id The payout.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `VALIDATION_FAILED`
   */
  sendPayout(id: number, body?: SentAffiliatePayout, options?: PostOptions): Call<{ payout: AffiliatePayout }>
  /**
   * Reject a payout. Its commissions are available again.
   *
   * Needs the permission `affiliates:write`, and the feature `affiliates` switched on in the store.
   * @param id The payout.
   * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `VALIDATION_FAILED`
   */
  rejectPayout(id: number, body?: RejectedAffiliatePayout, options?: PostOptions): Call<{ payout: AffiliatePayout }>
}

export interface AffiliateApplication {
  /** Unique among the partners of the store. */
  email: string
  /** The name of the applicant. */
  name: string
  /** A note of the applicant. */
  note?: string | null
  /** The applicant's address. */
  ip?: string | null
}

/** A paid order that came through a partner. */
export interface AffiliateConversion {
  /** The order. */
  invoice_id: string
  /** When the order was created. */
  captured_at: string
  /** When the order was paid. */
  paid_at: string
  /** The origin of the conversion. */
  source: 'link' | 'coupon' | 'manual'
  /** A flagged conversion waits for a review. */
  status: 'valid' | 'flagged' | 'rejected'
  /** Why it was flagged. */
  flags: ('self_referral' | 'same_ip' | 'blocked_customer' | 'high_velocity')[]
  /** In minor units. */
  order_total: number
  /** ISO 4217. */
  order_currency: string
  /** The status of the order. */
  invoice_status: string
  /** `none`, `partial` or `full`. */
  refund_status: string
  /** The partner. */
  partner: {
    /** The partner. */
    id: string
    /** In lower case. */
    email: string
    /** As given. */
    name: string | null
  }
  /** The code of the link or coupon. */
  link_code: string
  /** In minor units, less what refunds took back. */
  commission: number
  /** ISO 4217. */
  commission_currency: string
  /** `none` until the order is completed. */
  commission_state: 'none' | 'pending' | 'available' | 'requested' | 'paid' | 'reversed'
  /** When the commission can be paid out. */
  available_at: string | null
}

export type AffiliatePartnerPatch = Partial<Pick<
  NewAffiliatePartner,
  'name' | 'commission_percent' | 'note'
>>

/** A payout to a partner. */
export interface AffiliatePayout {
  /** The payout. */
  id: number
  /** Always `affiliate_payout`. */
  object: 'affiliate_payout'
  /** The partner. */
  partner: {
    /** The partner. */
    id: string
    /** In lower case. */
    email: string
    /** As given. */
    name: string | null
  }
  /** In minor units. */
  amount_cents: number
  /** ISO 4217. */
  currency: string
  /** The status. */
  status: 'requested' | 'sent' | 'rejected' | 'cancelled'
  /** How it is paid. */
  method: string
  /** The account that receives the payout. */
  destination: string | null
  /** Such as the number of a transfer. */
  reference: string | null
  /** Why it was rejected. */
  note: string | null
  /** When it was requested. */
  requested_at: string
  /** When it was marked as sent. */
  sent_at: string | null
}

/** The affiliate programme. */
export interface AffiliateProgram {
  /** Always `affiliate_program`. */
  object: 'affiliate_program'
  /** True if the programme is on. Other processes notice within 5 seconds. */
  enabled: boolean
  /** The commission of the subtotal less the discount. */
  commission_percent: number
  /** Days from completion until a commission can be paid out, 0 to 90. */
  hold_days: number
  /** Days for which a click is remembered, 1 to 365. */
  cookie_days: number
  /** The least amount of a payout, in minor units. */
  min_payout_cents: number
  /** True if an application is approved at once. */
  auto_approve: boolean
  /** True if applications are accepted. */
  public_signup: boolean
  /**
   * The discount that your storefront offers referred customers. It is stored and changes no order.
   */
  customer_discount_percent: number
  /** The https address that partner links lead to. */
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
  /** For the seller. */
  note?: string | null
}

export interface AffiliatesListConversionsQuery {
  /** Only this status. Default `"all"`. */
  status?: 'all' | 'valid' | 'flagged' | 'rejected'
  /** Only this partner. */
  partner_id?: string
  /** `next_cursor` of the previous page. */
  cursor?: number
}

export interface AffiliatesListPartnersQuery extends PageQuery {
  /** One or several statuses. */
  status?: ('applied' | 'approved' | 'rejected' | 'suspended')[]
  /** Part of the email or name, without case. */
  search?: string
}

export interface AffiliatesListPayoutsQuery extends PageQuery {
  /** One or several statuses. */
  status?: ('requested' | 'sent' | 'rejected' | 'cancelled')[]
  /** Only this partner. */
  partner_id?: string
}

export interface NewAffiliateLink {
  /** If omitted, one is generated. */
  code?: string
}

export interface NewAffiliatePartner {
  /** Unique among the partners of the store. */
  email: string
  /** The name of the person or company. */
  name?: string | null
  /** The commission of this partner; null means that of the programme. */
  commission_percent?: number | null
  /** For the seller. */
  note?: string | null
}

export interface NewAffiliatePayout {
  /** The partner, who is paid all that is available. */
  partner_id: string
  /** How it is paid, such as bank_transfer. */
  method: string
  /** The account that receives the payout. */
  destination?: string | null
}

export interface RejectedAffiliatePayout {
  /** For the seller. */
  note?: string | null
}

export interface SentAffiliatePayout {
  /** Such as the number of a transfer. */
  reference?: string | null
}
