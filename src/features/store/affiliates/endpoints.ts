import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted, Pagination } from '../../../kernel/shapes.ts'
import * as partners from './change-partners.ts'
import * as payouts from './change-payouts.ts'
import { getProgram, updateProgram } from './change-program.ts'
import { listConversions } from './list-conversions.ts'
import { reviewConversion } from './review-conversion.ts'
import * as s from './schema.ts'

/** The programme itself can be read and changed while the feature is off, because a change can turn it on. */
const READ = { permission: 'affiliates:read', feature: 'affiliates' } as const
const WRITE = { permission: 'affiliates:write', feature: 'affiliates' } as const
const OneProgram = z.object({ program: s.Program })
const OnePartner = z.object({ partner: s.Partner })
const OnePayout = z.object({ payout: s.Payout })

const statusEndpoint = (
  verb: 'approve' | 'reject' | 'suspend',
  status: 'approved' | 'rejected' | 'suspended',
) =>
  endpoint({
    ...WRITE,
    id: `affiliates.${verb}_partner`,
    method: 'POST',
    path: `/affiliates/partners/:id/${verb}`,
    summary: `${verb[0]?.toUpperCase()}${verb.slice(1)} a partner.`,
    params: s.PartnerPath,
    response: OnePartner,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    handle: async ({ context, params }) => ({
      partner: await partners.setPartnerStatus(context, params.id, status),
    }),
  })

export const affiliateEndpoints = [
  endpoint({
    ...READ,
    id: 'affiliates.list_conversions',
    method: 'GET',
    path: '/affiliates/conversions',
    summary: 'List conversions, the newest first, 25 a page.',
    query: s.ConversionQuery,
    response: s.Conversions,
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listConversions(context, query),
  }),
  endpoint({
    ...WRITE,
    id: 'affiliates.review_conversion',
    method: 'POST',
    path: '/affiliates/conversions/:invoice_id/review',
    summary: 'Accept or reject a conversion. A rejected conversion earns no commission.',
    params: s.ConversionPath,
    body: s.ConversionReview,
    example: { status: 'valid' },
    response: z.object({ conversion: s.Conversion }),
    errors: ['NOT_FOUND', 'INVALID_STATE', 'VALIDATION_FAILED'],
    handle: async ({ context, params, body }) => ({
      conversion: await reviewConversion(context, params.invoice_id, body),
    }),
  }),
  endpoint({
    id: 'affiliates.get_program',
    method: 'GET',
    path: '/affiliates/program',
    permission: 'affiliates:read',
    summary: 'Get the programme.',
    response: OneProgram,
    errors: [],
    handle: async ({ context }) => ({ program: await getProgram(context) }),
  }),
  endpoint({
    id: 'affiliates.update_program',
    method: 'PATCH',
    path: '/affiliates/program',
    permission: 'affiliates:write',
    summary: 'Update the programme. Absent fields keep their values.',
    body: s.ProgramPatch,
    example: { enabled: true, commission_percent: 15 },
    response: OneProgram,
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, body }) => ({ program: await updateProgram(context, body) }),
  }),
  endpoint({
    ...READ,
    id: 'affiliates.list_partners',
    method: 'GET',
    path: '/affiliates/partners',
    summary: 'List partners, the newest first.',
    query: s.PartnerQuery,
    response: z.object({
      partners: z.array(s.Partner).describe('A page of partners.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => partners.listPartners(context, query),
  }),
  endpoint({
    ...WRITE,
    id: 'affiliates.invite_partner',
    method: 'POST',
    path: '/affiliates/partners',
    summary: 'Invite a partner, who is approved at once.',
    body: s.NewPartner,
    example: { email: 'grace@example.com', name: 'Grace' },
    status: 201,
    response: OnePartner,
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, body }) => ({ partner: await partners.invitePartner(context, body) }),
  }),
  endpoint({
    ...WRITE,
    id: 'affiliates.apply',
    method: 'POST',
    path: '/affiliates/applications',
    summary: 'Apply as a partner.',
    body: s.Application,
    example: { email: 'grace@example.com', name: 'Grace' },
    status: 201,
    response: OnePartner,
    errors: ['VALIDATION_FAILED', 'INVALID_STATE'],
    handle: async ({ context, body }) => ({
      partner: await partners.applyAsPartner(context, body),
    }),
  }),
  endpoint({
    ...READ,
    id: 'affiliates.get_partner',
    method: 'GET',
    path: '/affiliates/partners/:id',
    summary: 'Get a partner.',
    params: s.PartnerPath,
    response: OnePartner,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({
      partner: await partners.getPartner(context, params.id),
    }),
  }),
  endpoint({
    ...WRITE,
    id: 'affiliates.update_partner',
    method: 'PATCH',
    path: '/affiliates/partners/:id',
    summary: 'Update a partner. Absent fields keep their values; null clears a field.',
    params: s.PartnerPath,
    body: s.PartnerPatch,
    example: { commission_percent: 20 },
    response: OnePartner,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ context, params, body }) => ({
      partner: await partners.updatePartner(context, params.id, body),
    }),
  }),
  statusEndpoint('approve', 'approved'),
  statusEndpoint('reject', 'rejected'),
  statusEndpoint('suspend', 'suspended'),
  endpoint({
    ...READ,
    id: 'affiliates.list_links',
    method: 'GET',
    path: '/affiliates/partners/:id/links',
    summary: 'List the links of a partner, the oldest first.',
    params: s.PartnerPath,
    response: z.object({ links: z.array(s.PartnerLink).describe('All links.') }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({
      links: (await partners.getPartner(context, params.id)).links,
    }),
  }),
  endpoint({
    ...WRITE,
    id: 'affiliates.create_link',
    method: 'POST',
    path: '/affiliates/partners/:id/links',
    summary: 'Create a link of a partner.',
    params: s.PartnerPath,
    body: s.NewLink,
    example: { code: 'grace' },
    status: 201,
    response: z.object({ link: s.PartnerLink }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ context, params, body }) => ({
      link: await partners.createLink(context, params.id, body),
    }),
  }),
  endpoint({
    ...WRITE,
    id: 'affiliates.delete_link',
    method: 'DELETE',
    path: '/affiliates/links/:code',
    summary: 'Delete a link. Its conversions are not deleted.',
    params: s.LinkPath,
    response: z.object({ ...Deleted, code: z.string().describe('The code of the deleted link.') }),
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => partners.deleteLink(context, params.code),
  }),
  endpoint({
    ...READ,
    id: 'affiliates.list_payouts',
    method: 'GET',
    path: '/affiliates/payouts',
    summary: 'List payouts, the newest first.',
    query: s.PayoutQuery,
    response: z.object({
      payouts: z.array(s.Payout).describe('A page of payouts.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => payouts.listPayouts(context, query),
  }),
  endpoint({
    ...WRITE,
    id: 'affiliates.request_payout',
    method: 'POST',
    path: '/affiliates/payouts',
    summary: 'Request a payout of the whole available amount of a partner.',
    body: s.NewPayout,
    example: { partner_id: 'par_0350000000000000000000', method: 'bank_transfer' },
    status: 201,
    response: OnePayout,
    errors: ['VALIDATION_FAILED', 'INVALID_STATE'],
    handle: async ({ context, body }) => ({ payout: await payouts.requestPayout(context, body) }),
  }),
  endpoint({
    ...READ,
    id: 'affiliates.get_payout',
    method: 'GET',
    path: '/affiliates/payouts/:id',
    summary: 'Get a payout.',
    params: s.PayoutPath,
    response: OnePayout,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({
      payout: await payouts.getPayout(context, params.id),
    }),
  }),
  endpoint({
    ...WRITE,
    id: 'affiliates.send_payout',
    method: 'POST',
    path: '/affiliates/payouts/:id/send',
    summary: 'Mark a payout as sent.',
    params: s.PayoutPath,
    body: s.SentPayout,
    example: { reference: 'Transfer 4711' },
    response: OnePayout,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'VALIDATION_FAILED'],
    handle: async ({ context, params, body }) => ({
      payout: await payouts.sendPayout(context, params.id, body),
    }),
  }),
  endpoint({
    ...WRITE,
    id: 'affiliates.reject_payout',
    method: 'POST',
    path: '/affiliates/payouts/:id/reject',
    summary: 'Reject a payout. Its commissions are available again.',
    params: s.PayoutPath,
    body: s.RejectedPayout,
    example: { note: 'Wrong account number.' },
    response: OnePayout,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'VALIDATION_FAILED'],
    handle: async ({ context, params, body }) => ({
      payout: await payouts.rejectPayout(context, params.id, body),
    }),
  }),
]
