import { order, product } from './build.ts'
import { type CallOptions, expectSuccess, type Json, type Tradepost } from './harness.ts'

// Creates partners, links and sales of an affiliate programme through the API.

/**
 * Enables the programme with public sign-up. Commissions are held for 30 days, and any amount can
 * be paid out.
 */
export const openProgram = (
  tradepost: Tradepost,
  fields: Json = {},
  options: CallOptions = {},
): Promise<Json> => {
  const body = { enabled: true, public_signup: true, min_payout_cents: 0, ...fields }
  return expectSuccess(tradepost.patch('/affiliates/program', body, options))
}

let count = 0

/** Creates an approved partner with one link. */
export async function partner(
  tradepost: Tradepost,
  fields: Json = {},
  options: CallOptions = {},
): Promise<{ id: string; email: string; code: string }> {
  count += 1
  const body = { email: `partner-${count}@example.com`, name: 'Grace', ...fields }
  const answer = await expectSuccess(tradepost.post('/affiliates/partners', body, options))
  const { id, email } = answer.partner
  const code = `code-${count}`
  await expectSuccess(tradepost.post(`/affiliates/partners/${id}/links`, { code }, options))
  return { id, email, code }
}

/**
 * Creates a license product for 10.00 by default. Its keys are delivered when an order is paid; a
 * service is delivered manually.
 */
export const createLicenseProduct = async (
  tradepost: Tradepost,
  fields: Json = {},
  options: CallOptions = {},
) => (await product(tradepost, { type: 'license', ...fields }, options)).id

/** Creates a completed order of a new buyer who followed a link. */
export async function sale(
  tradepost: Tradepost,
  code: string,
  fields: Json = {},
  options: CallOptions = {},
): Promise<Json> {
  count += 1
  const customer = { email: `buyer-${count}@example.com` }
  const id = await createLicenseProduct(tradepost, {}, options)
  return order(
    tradepost,
    id,
    { customer, affiliate_code: code, mark_paid: true, ...fields },
    options,
  )
}

export async function conversionOf(
  tradepost: Tradepost,
  orderId: string,
  options: CallOptions = {},
): Promise<Json> {
  const { conversions } = await expectSuccess(tradepost.get('/affiliates/conversions', options))
  return conversions.find((item: Json) => item.invoice_id === orderId)
}

export const getPartner = async (
  tradepost: Tradepost,
  id: string,
  options: CallOptions = {},
): Promise<Json> =>
  (await expectSuccess(tradepost.get(`/affiliates/partners/${id}`, options))).partner

/** Requests a payout of the whole available amount. */
export const requestPayout = async (
  tradepost: Tradepost,
  partner_id: string,
  options: CallOptions = {},
): Promise<Json> => {
  const body = { partner_id, method: 'bank_transfer', destination: 'DE02 1203 0000 0000 2020 51' }
  return (await expectSuccess(tradepost.post('/affiliates/payouts', body, options))).payout
}
