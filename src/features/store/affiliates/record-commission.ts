import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import { canonicalRange } from '../../../kernel/net.ts'
import { DAY_MS, iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { balanceChange, commissionAfterRefunds, commissionOf, flagsOf } from './commission.rules.ts'
import { conversionEvent } from './events.ts'
import * as q from './queries/index.ts'

/** The partner that an order is attributed to. */
export interface Affiliate {
  partner_id: string
  link_code: string
}

interface Referral {
  affiliate_code: string | undefined
  coupon: { code: string; affiliate_partner_id: string | null } | undefined
}

/**
 * Returns the partner who referred the buyer: the partner of the coupon, or else of the link. An order
 * without a coupon or link needs no statement.
 */
export async function findReferrer(
  tx: Tx,
  { store }: StoreContext,
  { affiliate_code, coupon }: Referral,
): Promise<Affiliate | null> {
  const partner_id = coupon?.affiliate_partner_id ?? null
  if (!store.features.affiliates || (affiliate_code === undefined && partner_id === null))
    return null
  const code = affiliate_code ?? null
  const { by_coupon, by_link } = await q.selectReferrer(tx, store.id, { code, partner_id })
  if (by_coupon && coupon) return { partner_id: by_coupon, link_code: coupon.code }
  return by_link && code ? { partner_id: by_link, link_code: code.toLowerCase() } : null
}

/** The fields of an order that this feature reads. */
interface ReferredOrder {
  id: string
  affiliate: Affiliate | null
  customer: { id: number; email: string }
  coupon: { code: string } | null
  ip: string | null
  subtotal_cents: number
  discount_cents: number
  created_at: string
}

/** Inserts the conversion of a paid order. Its commission is recorded when the order is completed. */
export async function captureConversion(
  tx: Tx,
  context: StoreContext,
  order: ReferredOrder,
): Promise<void> {
  const { affiliate, customer, ip } = order
  const { store, now } = context
  if (!affiliate || !store.features.affiliates) return
  const partner = await q.lockPartner(tx, store.id, affiliate.partner_id)
  if (partner?.status !== 'approved') return
  const ips = ip === null ? [] : [ip, canonicalRange(ip) ?? ip]
  // A coupon that belongs to no partner may have the same code as the link.
  const coupon_code = order.coupon?.code === affiliate.link_code ? affiliate.link_code : null
  const sale = { partner_id: partner.id, customer_id: customer.id, coupon_code, ips, now }
  const { by_coupon, ...signals } = await q.selectSignals(tx, store.id, sale)
  const emails = { partner_email: partner.email, buyer_email: customer.email }
  const flags = flagsOf({ ...signals, ...emails })
  const status = flags.length > 0 ? 'flagged' : 'valid'
  const { commission_percent } = await q.selectProgram(tx, store.id)
  const isNew = await q.insertConversion(tx, store.id, {
    order_id: order.id,
    partner_id: partner.id,
    link_code: affiliate.link_code,
    source: by_coupon ? 'coupon' : 'link',
    status,
    flags,
    percent: partner.commission_percent ?? commission_percent,
    captured_at: order.created_at,
    paid_at: now,
  })
  if (isNew) await q.addToPartner(tx, store.id, partner.id, { [status]: 1 })
}

/** Records the commission of a completed order. Only an approved partner earns a commission. */
export async function recordCommission(
  tx: Tx,
  context: StoreContext,
  order: ReferredOrder,
): Promise<readonly NewEvent[]> {
  const { store, now } = context
  if (!order.affiliate) return []
  const conversion = await q.lockConversion(tx, store.id, order.id)
  if (!conversion || conversion.available_at !== null) return []
  const base_cents = commissionOf(order.subtotal_cents - order.discount_cents, conversion.percent)
  const isEarned = conversion.status !== 'rejected' && conversion.partner_status === 'approved'
  const commission_cents = isEarned ? commissionAfterRefunds(base_cents, conversion) : 0
  const { hold_days } = await q.selectProgram(tx, store.id)
  await q.updateConversion(tx, store.id, conversion.id, {
    base_cents,
    commission_cents,
    state: commission_cents > 0 ? 'pending' : 'none',
    available_at: iso(Date.parse(now) + hold_days * DAY_MS),
  })
  const balances = balanceChange(conversion, { ...conversion, commission_cents })
  await q.addToPartner(tx, store.id, conversion.partner_id, {
    earned_cents: commission_cents,
    ...balances,
  })
  const updatedConversion = await q.selectConversion(tx, { storeId: store.id, now }, order.id)
  return updatedConversion ? [conversionEvent(updatedConversion)] : []
}

/**
 * Reverses a commission in proportion to the refunded amount. If it is in a payout already, the
 * amount is subtracted from the next one.
 */
export async function reverseCommission(
  tx: Tx,
  { store, now }: StoreContext,
  order: ReferredOrder,
): Promise<void> {
  if (!order.affiliate) return
  const conversion = await q.lockConversion(tx, store.id, order.id)
  if (!conversion || conversion.state === 'none' || conversion.state === 'reversed') return
  const { id, state, partner_id, commission_cents, adjusted_cents } = conversion
  const remaining_cents = commissionAfterRefunds(conversion.base_cents, conversion)
  const reversed_cents = commission_cents - adjusted_cents - remaining_cents
  if (reversed_cents <= 0) return
  const isUnpaid = state === 'pending'
  if (isUnpaid) {
    const stateChange = remaining_cents === 0 ? { state: 'reversed' as const } : {}
    await q.updateConversion(tx, store.id, id, {
      commission_cents: remaining_cents,
      ...stateChange,
    })
  } else {
    await q.updateConversion(tx, store.id, id, { adjusted_cents: adjusted_cents + reversed_cents })
    const row = { partner_id, order_id: order.id, amount_cents: -reversed_cents, created_at: now }
    await q.insertAdjustment(tx, store.id, row)
  }
  const balances = isUnpaid
    ? balanceChange(conversion, { ...conversion, commission_cents: remaining_cents })
    : { adjusted_cents: -reversed_cents }
  await q.addToPartner(tx, store.id, partner_id, { earned_cents: -reversed_cents, ...balances })
}
