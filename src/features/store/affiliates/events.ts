import type { NewEvent } from '../../../events/ledger.ts'
import { toMajor } from '../../../kernel/money.ts'
import type { Conversion, Partner, Payout } from './schema.ts'

export const partnerAppliedEvent = ({
  id,
  email,
  name,
  status,
  created_at,
}: Partner): NewEvent => ({
  type: 'affiliate.partner_applied',
  object_id: id,
  object: { object: 'affiliate_partner', id, email, name, status, created_at },
})

export const conversionEvent = (conversion: Conversion): NewEvent => ({
  type: 'affiliate.conversion',
  object_id: conversion.invoice_id,
  object: {
    object: 'affiliate_conversion',
    invoice_id: conversion.invoice_id,
    partner: conversion.partner,
    link_code: conversion.link_code,
    source: conversion.source,
    status: conversion.status,
    flags: conversion.flags,
    order_total: toMajor(conversion.order_total, conversion.order_currency),
    order_currency: conversion.order_currency,
    commission: toMajor(conversion.commission, conversion.commission_currency),
    commission_currency: conversion.commission_currency,
    available_at: conversion.available_at,
  },
})

export const payoutEvent = (type: 'requested' | 'sent', payout: Payout): NewEvent => ({
  type: `affiliate.payout_${type}`,
  object_id: String(payout.id),
  object: {
    object: 'affiliate_payout',
    id: payout.id,
    partner: payout.partner,
    amount: toMajor(payout.amount_cents, payout.currency),
    currency: payout.currency,
    status: payout.status,
    method: payout.method,
    reference: payout.reference,
    requested_at: payout.requested_at,
    sent_at: payout.sent_at,
  },
})
