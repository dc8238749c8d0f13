import { openProgram, partner, requestPayout, sale } from '../affiliates.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'
import type { Prepare } from './call-input.ts'

// Prepared calls of the affiliate programme. Commissions are available immediately, so that payouts
// can be requested.

let lastNumber = 0

async function createPartner(tradepost: Tradepost, options: CallOptions) {
  // Other tests may have set terms under which a sale earns nothing.
  const terms = { hold_days: 0, commission_percent: 10, customer_discount_percent: 0 }
  await openProgram(tradepost, terms, options)
  return partner(tradepost, { note: 'Met at a fair.' }, options)
}

async function createApplicant(tradepost: Tradepost, options: CallOptions): Promise<string> {
  // Other tests may have set terms under which nobody can apply, or each applicant is approved.
  await openProgram(tradepost, { public_signup: true, auto_approve: false }, options)
  lastNumber += 1
  const body = { email: `applicant-${lastNumber}@example.com`, name: 'Ada' }
  return (await tradepost.post('/affiliates/applications', body, options)).json.partner.id
}

async function createConversion(tradepost: Tradepost, options: CallOptions) {
  const { id, code } = await createPartner(tradepost, options)
  const paidOrder = await sale(tradepost, code, {}, options)
  return { partner_id: id, invoice_id: paidOrder.id }
}

async function createPayout(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const { partner_id } = await createConversion(tradepost, options)
  return requestPayout(tradepost, partner_id, options)
}

/** Creates one record of every kind, for the test that other stores cannot read them. */
export async function createAffiliateRecords(tradepost: Tradepost, options: CallOptions) {
  const { partner: payee, id } = await createPayout(tradepost, options)
  lastNumber += 1
  const path = `/affiliates/partners/${payee.id}/links`
  const { link } = (await tradepost.post(path, { code: `theirs${lastNumber}` }, options)).json
  const { json } = await tradepost.get(`/affiliates/conversions?partner_id=${payee.id}`, options)
  return {
    partners: [payee.id],
    links: [link.code],
    conversions: [json.conversions[0].invoice_id],
    payouts: [id],
  }
}

const withPartner =
  (body?: Json): Prepare =>
  async (tradepost, options) => ({
    params: { id: (await createPartner(tradepost, options)).id },
    ...(body && { body }),
  })

const withPayout =
  (body?: Json): Prepare =>
  async (tradepost, options) => ({
    params: { id: (await createPayout(tradepost, options)).id },
    ...(body && { body }),
  })

export const affiliateCalls: Record<string, Prepare> = {
  'affiliates.list_conversions': async (tradepost, options) => {
    const { partner_id } = await createConversion(tradepost, options)
    return { query: { partner_id } }
  },
  'affiliates.review_conversion': async (tradepost, options) => {
    const { invoice_id } = await createConversion(tradepost, options)
    return { params: { invoice_id }, body: { status: 'rejected', note: 'A friend.' } }
  },
  'affiliates.get_program': async () => ({}),
  'affiliates.update_program': async (tradepost, options) => {
    // Each call sets another value, because a present value is no change (decision 391).
    const { program } = (await tradepost.get('/affiliates/program', options)).json
    return { body: { enabled: true, cookie_days: program.cookie_days === 14 ? 15 : 14 } }
  },
  'affiliates.list_partners': async (tradepost, options) => {
    await createPartner(tradepost, options)
    return {}
  },
  'affiliates.invite_partner': async (tradepost, options) => {
    await openProgram(tradepost, {}, options)
    lastNumber += 1
    return { body: { email: `invited-${lastNumber}@example.com`, name: 'Ada' } }
  },
  'affiliates.apply': async (tradepost, options) => {
    await openProgram(tradepost, {}, options)
    lastNumber += 1
    return { body: { email: `applied-${lastNumber}@example.com`, name: 'Ada' } }
  },
  'affiliates.get_partner': withPartner(),
  'affiliates.update_partner': withPartner({ name: 'Ada', note: null }),
  'affiliates.approve_partner': async (tradepost, options) => ({
    params: { id: await createApplicant(tradepost, options) },
  }),
  'affiliates.reject_partner': async (tradepost, options) => ({
    params: { id: await createApplicant(tradepost, options) },
  }),
  'affiliates.suspend_partner': withPartner(),
  'affiliates.list_links': withPartner(),
  'affiliates.create_link': withPartner({}),
  'affiliates.delete_link': async (tradepost, options) => ({
    params: { code: (await createPartner(tradepost, options)).code },
  }),
  'affiliates.list_payouts': async (tradepost, options) => {
    const { partner: payee } = await createPayout(tradepost, options)
    return { query: { partner_id: payee.id } }
  },
  'affiliates.request_payout': async (tradepost, options) => {
    const { partner_id } = await createConversion(tradepost, options)
    return { body: { partner_id, method: 'bank_transfer' } }
  },
  'affiliates.get_payout': withPayout(),
  'affiliates.send_payout': withPayout({ reference: 'Transfer 4711' }),
  'affiliates.reject_payout': withPayout({ note: 'Wrong account.' }),
}
