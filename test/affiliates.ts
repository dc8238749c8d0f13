import { order, product } from './build.ts'
import type { CallOptions, Json, Tradepost } from './harness.ts'

/** Partners, links and sales of an affiliate programme, made through the API. */

async function made(answer: Promise<{ status: number; json: Json; text: string }>): Promise<Json> {
  const { status, json, text } = await answer
  if (status >= 300) throw new Error(text)
  return json
}

/** Turns the programme on, for everybody. Commissions are held for 30 days, and any amount can be paid out. */
export const openProgram = (
  tradepost: Tradepost,
  fields: Json = {},
  options: CallOptions = {},
): Promise<Json> => {
  const body = { enabled: true, public_signup: true, min_payout_cents: 0, ...fields }
  return made(tradepost.patch('/affiliates/program', body, options))
}

let named = 0

/** An approved partner with one link. */
export async function partner(
  tradepost: Tradepost,
  fields: Json = {},
  options: CallOptions = {},
): Promise<{ id: string; email: string; code: string }> {
  named += 1
  const body = { email: `partner-${named}@example.com`, name: 'Grace', ...fields }
  const { partner } = await made(tradepost.post('/affiliates/partners', body, options))
  const code = `code-${named}`
  await made(tradepost.post(`/affiliates/partners/${partner.id}/links`, { code }, options))
  return { id: partner.id, email: partner.email, code }
}

/** A license for 10.00, which is delivered as soon as it is paid, or a service, which is not. */
export const aGood = async (tradepost: Tradepost, fields: Json = {}, options: CallOptions = {}) =>
  (await product(tradepost, { type: 'license', ...fields }, options)).id

/** A completed order of a new buyer that came through a link. */
export async function sale(
  tradepost: Tradepost,
  code: string,
  fields: Json = {},
  options: CallOptions = {},
): Promise<Json> {
  named += 1
  const customer = { email: `buyer-${named}@example.com` }
  const id = await aGood(tradepost, {}, options)
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
  const { conversions } = await made(tradepost.get('/affiliates/conversions', options))
  return conversions.find((item: Json) => item.invoice_id === orderId)
}

export const partnerNow = async (
  tradepost: Tradepost,
  id: string,
  options: CallOptions = {},
): Promise<Json> => (await made(tradepost.get(`/affiliates/partners/${id}`, options))).partner

/** A requested payout of everything that is available. */
export const requested = async (
  tradepost: Tradepost,
  partner_id: string,
  options: CallOptions = {},
): Promise<Json> => {
  const body = { partner_id, method: 'bank_transfer', destination: 'DE02 1203 0000 0000 2020 51' }
  return (await made(tradepost.post('/affiliates/payouts', body, options))).payout
}
