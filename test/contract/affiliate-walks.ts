import { openProgram, partner, requested, sale } from '../affiliates.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'
import type { Prepare } from './ask.ts'

// Walks of the affiliate programme. Its commissions are available at once, so that payouts can be requested.

let named = 0

async function aPartner(tradepost: Tradepost, options: CallOptions) {
  await openProgram(tradepost, { hold_days: 0 }, options)
  return partner(tradepost, { note: 'Met at a fair.' }, options)
}

async function anApplicant(tradepost: Tradepost, options: CallOptions): Promise<string> {
  await openProgram(tradepost, {}, options)
  named += 1
  const body = { email: `applicant-${named}@example.com`, name: 'Ada' }
  return (await tradepost.post('/affiliates/applications', body, options)).json.partner.id
}

async function aConversion(tradepost: Tradepost, options: CallOptions) {
  const { id, code } = await aPartner(tradepost, options)
  const sold = await sale(tradepost, code, {}, options)
  return { partner_id: id, invoice_id: sold.id }
}

async function aPayout(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const { partner_id } = await aConversion(tradepost, options)
  return requested(tradepost, partner_id, options)
}

/** One record of every kind, for the test that other stores do not see them. */
export async function affiliateRecords(tradepost: Tradepost, options: CallOptions) {
  const { partner: owner, id } = await aPayout(tradepost, options)
  named += 1
  const path = `/affiliates/partners/${owner.id}/links`
  const { link } = (await tradepost.post(path, { code: `theirs${named}` }, options)).json
  const { json } = await tradepost.get(`/affiliates/conversions?partner_id=${owner.id}`, options)
  return {
    partners: [owner.id],
    links: [link.code],
    conversions: [json.conversions[0].invoice_id],
    payouts: [id],
  }
}

const onPartner =
  (body?: Json): Prepare =>
  async (tradepost, options) => ({
    params: { id: (await aPartner(tradepost, options)).id },
    ...(body && { body }),
  })

const onPayout =
  (body?: Json): Prepare =>
  async (tradepost, options) => ({
    params: { id: (await aPayout(tradepost, options)).id },
    ...(body && { body }),
  })

export const affiliateWalks: Record<string, Prepare> = {
  'affiliates.list_conversions': async (tradepost, options) => {
    const { partner_id } = await aConversion(tradepost, options)
    return { query: { partner_id } }
  },
  'affiliates.review_conversion': async (tradepost, options) => {
    const { invoice_id } = await aConversion(tradepost, options)
    return { params: { invoice_id }, body: { status: 'rejected', note: 'A friend.' } }
  },
  'affiliates.get_program': async () => ({}),
  'affiliates.update_program': async () => ({ body: { enabled: true, cookie_days: 14 } }),
  'affiliates.list_partners': async (tradepost, options) => {
    await aPartner(tradepost, options)
    return {}
  },
  'affiliates.invite_partner': async (tradepost, options) => {
    await openProgram(tradepost, {}, options)
    named += 1
    return { body: { email: `invited-${named}@example.com`, name: 'Ada' } }
  },
  'affiliates.apply': async (tradepost, options) => {
    await openProgram(tradepost, {}, options)
    named += 1
    return { body: { email: `applied-${named}@example.com`, name: 'Ada' } }
  },
  'affiliates.get_partner': onPartner(),
  'affiliates.update_partner': onPartner({ name: 'Ada', note: null }),
  'affiliates.approve_partner': async (tradepost, options) => ({
    params: { id: await anApplicant(tradepost, options) },
  }),
  'affiliates.reject_partner': async (tradepost, options) => ({
    params: { id: await anApplicant(tradepost, options) },
  }),
  'affiliates.suspend_partner': onPartner(),
  'affiliates.list_links': onPartner(),
  'affiliates.create_link': onPartner({}),
  'affiliates.delete_link': async (tradepost, options) => ({
    params: { code: (await aPartner(tradepost, options)).code },
  }),
  'affiliates.list_payouts': async (tradepost, options) => {
    const { partner: owner } = await aPayout(tradepost, options)
    return { query: { partner_id: owner.id } }
  },
  'affiliates.request_payout': async (tradepost, options) => {
    const { partner_id } = await aConversion(tradepost, options)
    return { body: { partner_id, method: 'bank_transfer' } }
  },
  'affiliates.get_payout': onPayout(),
  'affiliates.send_payout': onPayout({ reference: 'Transfer 4711' }),
  'affiliates.reject_payout': onPayout({ note: 'Wrong account.' }),
}
