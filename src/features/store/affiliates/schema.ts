import { z } from 'zod'
import {
  Cents,
  DateTime,
  Email,
  HTTPS_ADDRESS,
  IdText,
  Line,
  OneOrMoreOf,
  PageQuery,
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
  .regex(/^[a-z0-9_-]{3,32}$/, 'Use 3 to 32 of a to z, 0 to 9, _ and -.')
const LandingUrl = Url(HTTPS_ADDRESS)

const ProgramFields = {
  enabled: z
    .boolean()
    .describe('True if the programme is on. Other processes notice within 5 seconds.'),
  commission_percent: Percent.describe('The commission of the subtotal less the discount.'),
  hold_days: z
    .int()
    .min(0, 'Use 0 to 90.')
    .max(90, 'Use 0 to 90.')
    .describe('Days from completion until a commission can be paid out, 0 to 90.'),
  cookie_days: z
    .int()
    .min(1, 'Use 1 to 365.')
    .max(365, 'Use 1 to 365.')
    .describe('Days for which a click is remembered, 1 to 365.'),
  min_payout_cents: Cents.describe('The least amount of a payout, in minor units.'),
  auto_approve: z.boolean().describe('True if an application is approved at once.'),
  public_signup: z.boolean().describe('True if applications are accepted.'),
  customer_discount_percent: Percent.describe(
    'The discount that your storefront offers referred customers. It is stored and changes no order.',
  ),
  landing_url: LandingUrl.nullable().describe('The https address that partner links lead to.'),
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

export const Link = z
  .object({
    code: z.string().describe('The code in the address.'),
    url: z.string().describe('The address to share.'),
    clicks: z.int().describe('How often it was followed.'),
    created_at: DateTime.describe('When it was created.'),
  })
  .meta({ id: 'AffiliateLink', description: 'A link of a partner.' })
export type Link = z.output<typeof Link>
export const NewLink = z
  .strictObject({ code: LinkCode.optional().describe('If omitted, one is generated.') })
  .meta({ id: 'NewAffiliateLink' })
export const LinkPath = z.object({ code: LinkCode.describe('The code of the link.') })

const Name = Line(128).nullable().describe('The name of the person or company.')
const OwnPercent = Percent.nullable().describe(
  'The commission of this partner; null means that of the programme.',
)
const Note = Text(1_000).nullable().describe('For the seller.')

const Named = z
  .object({
    id: z.string().describe('The partner.'),
    email: z.string().describe('In lower case.'),
    name: z.string().nullable().describe('As given.'),
  })
  .describe('The partner.')

export const Partner = z
  .object({
    id: z.string().describe('The partner.'),
    object: z.literal('affiliate_partner').describe('Always `affiliate_partner`.'),
    email: z.string().describe('In lower case.'),
    name: z.string().nullable().describe('As given.'),
    note: z.string().nullable().describe('For the seller.'),
    status: z.enum(PARTNER_STATUSES).describe('Only an approved partner earns.'),
    commission_percent: z.number().nullable().describe('Null means that of the programme.'),
    links: z.array(Link).describe('The links, the oldest first.'),
    clicks: z.int().describe('Clicks of all links.'),
    conversions: z.int().describe('Conversions of any status.'),
    earned_cents: z.int().describe('All commissions, less what refunds took back.'),
    available_cents: z
      .int()
      .describe('The amount of the next payout; below 0 after refunds of paid commissions.'),
    pending_cents: z.int().describe('Held until it is available, or until a review.'),
    paid_cents: z.int().describe('The sum of the payouts that were sent.'),
    created_at: DateTime.describe('When the partner applied or was invited.'),
    updated_at: DateTime.describe('When the record last changed.'),
  })
  .meta({ id: 'AffiliatePartner', description: 'A partner of the programme.' })
export type Partner = z.output<typeof Partner>
export const PartnerPath = z.object({ id: PartnerId.describe('The partner.') })
export const NewPartner = z
  .strictObject({
    email: Email.describe('Unique among the partners of the store.'),
    name: Name.default(null),
    commission_percent: OwnPercent.default(null),
    note: Note.default(null),
  })
  .meta({ id: 'NewAffiliatePartner' })
export type NewPartner = z.output<typeof NewPartner>
export const Application = z
  .strictObject({
    email: Email.describe('Unique among the partners of the store.'),
    name: Line(128).describe('The name of the applicant.'),
    note: Text(1_000).nullable().default(null).describe('A note of the applicant.'),
    ip: z.union([z.ipv4(), z.ipv6()]).nullable().default(null).describe("The applicant's address."),
  })
  .meta({ id: 'AffiliateApplication' })
export type Application = z.output<typeof Application>
export const PartnerPatch = z
  .strictObject({ name: Name, commission_percent: OwnPercent, note: Note })
  .partial()
  .meta({ id: 'AffiliatePartnerPatch' })
export type PartnerPatch = z.output<typeof PartnerPatch>
export const PartnerQuery = z.object({
  ...PageQuery,
  status: OneOrMoreOf(PARTNER_STATUSES).describe('One or several statuses.'),
  search: Line(254).optional().describe('Part of the email or name, without case.'),
})
export type PartnerQuery = z.output<typeof PartnerQuery>

export const Conversion = z
  .object({
    invoice_id: z.string().describe('The order.'),
    captured_at: DateTime.describe('When the order was created.'),
    paid_at: DateTime.describe('When the order was paid.'),
    source: z.enum(['link', 'coupon', 'manual']).describe('The origin of the conversion.'),
    status: z.enum(CONVERSION_STATUSES).describe('A flagged conversion waits for a review.'),
    flags: z.array(z.enum(FLAGS)).describe('Why it was flagged.'),
    order_total: z.int().describe('In minor units.'),
    order_currency: z.string().describe('ISO 4217.'),
    invoice_status: z.string().describe('The status of the order.'),
    refund_status: z.string().describe('`none`, `partial` or `full`.'),
    partner: Named,
    link_code: z.string().describe('The code of the link or coupon.'),
    commission: z.int().describe('In minor units, less what refunds took back.'),
    commission_currency: z.string().describe('ISO 4217.'),
    commission_state: z.enum(STATES).describe('`none` until the order is completed.'),
    available_at: DateTime.nullable().describe('When the commission can be paid out.'),
  })
  .meta({ id: 'AffiliateConversion', description: 'A paid order that came through a partner.' })
export type Conversion = z.output<typeof Conversion>
export const ConversionQuery = z.object({
  status: z
    .enum(['all', ...CONVERSION_STATUSES])
    .default('all')
    .describe('Only this status.'),
  partner_id: PartnerId.optional().describe('Only this partner.'),
  cursor: IdText('Use next_cursor of the previous page.')
    .optional()
    .describe('`next_cursor` of the previous page.'),
})
export type ConversionQuery = z.output<typeof ConversionQuery>
export const Conversions = z.object({
  conversions: z.array(Conversion).describe('At most 25, the newest first.'),
  next_cursor: z.int().nullable().describe('For the next page; null on the last.'),
  counts: z
    .object({
      all: z.int().describe('All conversions.'),
      valid: z.int().describe('Valid ones.'),
      flagged: z.int().describe('Flagged ones.'),
      rejected: z.int().describe('Rejected ones.'),
    })
    .describe('Under the partner filter, whatever the status filter.'),
})
export type Conversions = z.output<typeof Conversions>
export const ConversionPath = z.object({
  invoice_id: z
    .string()
    .regex(/^ord_[0-9A-Za-z]{22}$/)
    .describe('The order.'),
})
export const Review = z
  .strictObject({
    status: z.enum(['valid', 'rejected']).describe('The result of the review.'),
    note: Note.default(null),
  })
  .meta({ id: 'AffiliateReview' })
export type Review = z.output<typeof Review>

export const Payout = z
  .object({
    id: z.int().describe('The payout.'),
    object: z.literal('affiliate_payout').describe('Always `affiliate_payout`.'),
    partner: Named,
    amount_cents: z.int().describe('In minor units.'),
    currency: z.string().describe('ISO 4217.'),
    status: z.enum(PAYOUT_STATUSES).describe('The status.'),
    method: z.string().describe('How it is paid.'),
    destination: z.string().nullable().describe('The account that receives the payout.'),
    reference: z.string().nullable().describe('Such as the number of a transfer.'),
    note: z.string().nullable().describe('Why it was rejected.'),
    requested_at: DateTime.describe('When it was requested.'),
    sent_at: DateTime.nullable().describe('When it was marked as sent.'),
  })
  .meta({ id: 'AffiliatePayout', description: 'A payout to a partner.' })
export type Payout = z.output<typeof Payout>
export const PayoutPath = z.object({ id: PathId.describe('The payout.') })
export const NewPayout = z
  .strictObject({
    partner_id: PartnerId.describe('The partner, who is paid all that is available.'),
    method: Line(64).describe('How it is paid, such as bank_transfer.'),
    destination: Line(255)
      .nullable()
      .default(null)
      .describe('The account that receives the payout.'),
  })
  .meta({ id: 'NewAffiliatePayout' })
export type NewPayout = z.output<typeof NewPayout>
export const PayoutQuery = z.object({
  ...PageQuery,
  status: OneOrMoreOf(PAYOUT_STATUSES).describe('One or several statuses.'),
  partner_id: PartnerId.optional().describe('Only this partner.'),
})
export type PayoutQuery = z.output<typeof PayoutQuery>
export const SentPayout = z
  .strictObject({
    reference: Line(255).nullable().default(null).describe('Such as the number of a transfer.'),
  })
  .meta({ id: 'SentAffiliatePayout' })
export const RejectedPayout = z
  .strictObject({ note: Note.default(null) })
  .meta({ id: 'RejectedAffiliatePayout' })
