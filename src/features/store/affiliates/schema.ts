import { z } from 'zod'
import {
  Cents,
  DateTime,
  Email,
  HTTPS_ADDRESS,
  IdText,
  Line,
  ListQuery,
  OneOrMoreOf,
  PathId,
  Percent,
  Text,
  Url,
} from '../../../kernel/shapes.ts'

const PARTNER_STATUSES = ['applied', 'approved', 'rejected', 'suspended'] as const
export type PartnerStatus = (typeof PARTNER_STATUSES)[number]
const CONVERSION_STATUSES = ['valid', 'flagged', 'rejected'] as const
export type ConversionStatus = (typeof CONVERSION_STATUSES)[number]
const PAYOUT_STATUSES = ['requested', 'sent', 'rejected', 'cancelled'] as const
const FLAGS = ['self_referral', 'same_ip', 'blocked_customer', 'high_velocity'] as const
const STATES = ['none', 'pending', 'available', 'requested', 'paid', 'reversed'] as const

const PartnerId = z.string().regex(/^par_[0-9A-Za-z]{22}$/, 'Use the id of a partner, par_….')
export const LinkCode = z
  .string()
  .trim()
  .max(32, { error: 'Write at most 32 characters.', abort: true })
  .regex(/^[a-z0-9_-]{3,32}$/, 'Use 3 to 32 characters: a to z, 0 to 9, _ and -.')
const LandingUrl = Url(HTTPS_ADDRESS)

const ProgramFields = {
  enabled: z
    .boolean()
    .describe(
      'True if the programme is on. If several server processes run, the others use a change within 5 seconds.',
    ),
  commission_percent: Percent.describe(
    'The commission, in percent of the subtotal less the discount.',
  ),
  hold_days: z
    .int()
    .min(0, 'Use 0 to 90.')
    .max(90, 'Use 0 to 90.')
    .describe('Days from completion until a commission can be paid out, 0 to 90.'),
  cookie_days: z
    .int()
    .min(1, 'Use 1 to 365.')
    .max(365, 'Use 1 to 365.')
    .describe('Days for which the cookie of a click is valid, 1 to 365.'),
  min_payout_cents: Cents.describe('The minimum amount of a payout, in minor units.'),
  auto_approve: z.boolean().describe('True if an application is approved immediately.'),
  public_signup: z.boolean().describe('True if applications are accepted.'),
  customer_discount_percent: Percent.describe(
    'The discount that your storefront offers referred customers. It is stored and changes no order.',
  ),
  landing_url: LandingUrl.nullable().describe('The https URL to which partner links redirect.'),
}
export const Program = z
  .object({
    object: z.literal('affiliate_program').describe('Always `affiliate_program`.'),
    ...ProgramFields,
  })
  .meta({ id: 'AffiliateProgram', description: 'The affiliate programme.' })
export type Program = z.output<typeof Program>
export const ProgramPatch = z
  .strictObject(ProgramFields)
  .partial()
  .meta({ id: 'AffiliateProgramPatch' })
export type ProgramPatch = z.output<typeof ProgramPatch>

export const PartnerLink = z
  .object({
    code: z.string().describe('The code in the URL.'),
    url: z.string().describe('The URL that the partner shares.'),
    clicks: z.int().describe('The number of clicks on the link.'),
    created_at: DateTime.describe('The time when the link was created.'),
  })
  .meta({ id: 'AffiliateLink', description: 'A link of a partner.' })
export type PartnerLink = z.output<typeof PartnerLink>
export const NewLink = z
  .strictObject({
    code: LinkCode.optional().describe('The code in the URL. Default: a random code.'),
  })
  .meta({ id: 'AffiliateLinkInput' })
export const LinkPath = z.object({ code: LinkCode.describe('The code of the link.') })

const Name = Line(128).nullable().describe('The name of the person or company.')
const PartnerPercent = Percent.nullable().describe(
  'The commission of this partner in percent; null means the commission of the programme.',
)
const Note = Text(1_000).nullable().describe('A note that only the seller reads.')

const PartnerSummary = z
  .object({
    id: z.string().describe('The id of the partner.'),
    email: z.string().describe('The email address, in lower case.'),
    name: z.string().nullable().describe('The name of the person or company.'),
  })
  .describe('The partner.')

export const Partner = z
  .object({
    id: z.string().describe('The id of the partner.'),
    object: z.literal('affiliate_partner').describe('Always `affiliate_partner`.'),
    email: z.string().describe('The email address, in lower case.'),
    name: z.string().nullable().describe('The name of the person or company.'),
    note: z.string().nullable().describe('A note that only the seller reads.'),
    status: z
      .enum(PARTNER_STATUSES)
      .describe('The status of the partner. Only an approved partner earns commissions.'),
    commission_percent: z
      .number()
      .nullable()
      .describe(
        'The commission of this partner in percent; null means the commission of the programme.',
      ),
    links: z.array(PartnerLink).describe('The links, the oldest first.'),
    clicks: z.int().describe('The number of clicks on all links.'),
    conversions: z.int().describe('The number of conversions of any status.'),
    earned_cents: z.int().describe('The sum of all commissions after refunds, in minor units.'),
    available_cents: z
      .int()
      .describe(
        'The amount of the next payout, in minor units. It can be below 0 after refunds of orders whose commissions were paid.',
      ),
    pending_cents: z
      .int()
      .describe(
        'The sum of the commissions in their hold period or waiting for a review, in minor units.',
      ),
    paid_cents: z.int().describe('The sum of the payouts that were sent, in minor units.'),
    created_at: DateTime.describe('The time when the partner applied or was invited.'),
    updated_at: DateTime.describe('The time when the record last changed.'),
  })
  .meta({ id: 'AffiliatePartner', description: 'A partner of the programme.' })
export type Partner = z.output<typeof Partner>
export const PartnerTotals = z
  .object({
    partners: z.int().describe('The number of approved partners.'),
    links: z.int().describe('The number of their links.'),
    pending_cents: z
      .int()
      .describe(
        'The sum of their commissions in their hold period or waiting for a review, in minor units.',
      ),
    available_cents: z
      .int()
      .describe('The sum of the amounts that they can request now, in minor units.'),
  })
  .describe('The totals of all approved partners.')
export type PartnerTotals = z.output<typeof PartnerTotals>
export const PartnerPath = z.object({ id: PartnerId.describe('The id of the partner.') })
export const NewPartner = z
  .strictObject({
    email: Email.describe('The email address, which is unique among the partners of the store.'),
    name: Name.default(null),
    commission_percent: PartnerPercent.default(null),
    note: Note.default(null),
  })
  .meta({ id: 'AffiliatePartnerInput' })
export type NewPartner = z.output<typeof NewPartner>
export const Application = z
  .strictObject({
    email: Email.describe('The email address, which is unique among the partners of the store.'),
    name: Line(128).describe('The name of the applicant.'),
    note: Text(1_000).nullable().default(null).describe('A note of the applicant.'),
    ip: z
      .union([z.ipv4(), z.ipv6()])
      .nullable()
      .default(null)
      .describe('The IP address of the applicant.'),
  })
  .meta({ id: 'AffiliateApplication' })
export type Application = z.output<typeof Application>
export const PartnerPatch = z
  .strictObject({ name: Name, commission_percent: PartnerPercent, note: Note })
  .partial()
  .meta({ id: 'AffiliatePartnerPatch' })
export type PartnerPatch = z.output<typeof PartnerPatch>
export const PartnerQuery = z.object({
  ...ListQuery,
  status: OneOrMoreOf(PARTNER_STATUSES).describe('One or several statuses.'),
  search: Line(254).optional().describe('A part of the email or name; case is ignored.'),
})
export type PartnerQuery = z.output<typeof PartnerQuery>

export const Conversion = z
  .object({
    invoice_id: z.string().describe('The id of the order.'),
    captured_at: DateTime.describe('The time when the order was created.'),
    paid_at: DateTime.describe('The time when the order was paid.'),
    source: z.enum(['link', 'coupon', 'manual']).describe('The origin of the conversion.'),
    status: z
      .enum(CONVERSION_STATUSES)
      .describe('The status of the conversion. A flagged conversion waits for a review.'),
    flags: z.array(z.enum(FLAGS)).describe('The reasons for which the conversion was flagged.'),
    order_total: z.int().describe('The total of the order, in minor units.'),
    order_currency: z.string().describe('The currency of the order, an ISO 4217 code.'),
    invoice_status: z.string().describe('The status of the order.'),
    refund_status: z
      .string()
      .describe('The refund status of the order: `none`, `partial` or `full`.'),
    partner: PartnerSummary,
    link_code: z.string().describe('The code of the link or coupon.'),
    commission: z.int().describe('The commission after refunds, in minor units.'),
    commission_currency: z.string().describe('The currency of the commission, an ISO 4217 code.'),
    commission_state: z
      .enum(STATES)
      .describe('The state of the commission; `none` until the order is completed.'),
    available_at: DateTime.nullable().describe('The time when the commission can be paid out.'),
  })
  .meta({ id: 'AffiliateConversion', description: 'A paid order whose buyer a partner referred.' })
export type Conversion = z.output<typeof Conversion>
export const ConversionQuery = z.object({
  status: z
    .enum(['all', ...CONVERSION_STATUSES])
    .default('all')
    .describe('Returns only conversions with this status.'),
  partner_id: PartnerId.optional().describe('Returns only conversions of this partner.'),
  cursor: IdText('Use next_cursor of the previous page.')
    .optional()
    .describe('`next_cursor` of the previous page.'),
})
export type ConversionQuery = z.output<typeof ConversionQuery>
export const Conversions = z.object({
  conversions: z.array(Conversion).describe('A page of at most 25 conversions, the newest first.'),
  next_cursor: z.int().nullable().describe('The cursor of the next page; null on the last page.'),
  counts: z
    .object({
      all: z.int().describe('The number of all conversions.'),
      valid: z.int().describe('The number of valid conversions.'),
      flagged: z.int().describe('The number of flagged conversions.'),
      rejected: z.int().describe('The number of rejected conversions.'),
    })
    .describe(
      'The numbers of conversions by status. The partner filter applies, the status filter does not.',
    ),
})
export type Conversions = z.output<typeof Conversions>
export const ConversionPath = z.object({
  invoice_id: z
    .string()
    .regex(/^ord_[0-9A-Za-z]{22}$/)
    .describe('The id of the order.'),
})
export const ConversionReview = z
  .strictObject({
    status: z.enum(['valid', 'rejected']).describe('The result of the review.'),
    note: Note.default(null),
  })
  .meta({ id: 'AffiliateReview' })
export type ConversionReview = z.output<typeof ConversionReview>

export const Payout = z
  .object({
    id: z.int().describe('The id of the payout.'),
    object: z.literal('affiliate_payout').describe('Always `affiliate_payout`.'),
    partner: PartnerSummary,
    amount_cents: z.int().describe('The amount in minor units.'),
    currency: z.string().describe('The currency, an ISO 4217 code.'),
    status: z.enum(PAYOUT_STATUSES).describe('The status of the payout.'),
    method: z.string().nullable().describe('The method of payment; null if none was given.'),
    destination: z.string().nullable().describe('The account that receives the payout.'),
    reference: z
      .string()
      .nullable()
      .describe('A reference of the payment, such as the number of a transfer.'),
    note: z.string().nullable().describe('The reason for a rejection.'),
    requested_at: DateTime.describe('The time when the payout was requested.'),
    sent_at: DateTime.nullable().describe('The time when the payout was marked as sent.'),
  })
  .meta({ id: 'AffiliatePayout', description: 'A payout to a partner.' })
export type Payout = z.output<typeof Payout>
export const PayoutPath = z.object({ id: PathId.describe('The id of the payout.') })
export const NewPayout = z
  .strictObject({
    partner_id: PartnerId.describe(
      'The id of the partner. The payout has the whole available amount.',
    ),
    method: Line(64)
      .nullable()
      .default(null)
      .describe('The method of payment, such as bank_transfer.'),
    destination: Line(255)
      .nullable()
      .default(null)
      .describe('The account that receives the payout.'),
  })
  .meta({ id: 'AffiliatePayoutInput' })
export type NewPayout = z.output<typeof NewPayout>
export const PayoutQuery = z.object({
  ...ListQuery,
  status: OneOrMoreOf(PAYOUT_STATUSES).describe('One or several statuses.'),
  partner_id: PartnerId.optional().describe('Returns only payouts of this partner.'),
})
export type PayoutQuery = z.output<typeof PayoutQuery>
export const SentPayout = z
  .strictObject({
    reference: Line(255)
      .nullable()
      .default(null)
      .describe('A reference of the payment, such as the number of a transfer.'),
  })
  .meta({ id: 'SentAffiliatePayout' })
export const RejectedPayout = z
  .strictObject({ note: Note.default(null) })
  .meta({ id: 'RejectedAffiliatePayout' })
