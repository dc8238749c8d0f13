import type { Payment, Refund } from './payment-schema.ts'

/** A payment that counts, as far as it can go back. */
export interface Payable {
  id: number
  kind: Payment['kind']
  provider: string | null
  amount_cents: number
  /** The amount that went back through the provider. */
  refunded_cents: number
  /** The amount that the provider was asked for and has not confirmed. */
  pending_cents: number
}

/** A part of a refund. Parts of payments without a provider are one part, without a payment. */
export interface RefundPart {
  payment: Payable | null
  cents: number
}

interface Split {
  cents: number
  /** The amount of earlier refunds that belong to no payment of a provider. */
  recorded_cents: number
}

/**
 * Splits a refund over the payments of an order: the newest first, those from the balance last, none above what it
 * still holds (decision 457).
 */
export function splitRefund(
  payments: readonly Payable[],
  { cents, recorded_cents }: Split,
): RefundPart[] {
  const parts: RefundPart[] = []
  let restCents = cents
  let earlierCents = recorded_cents
  for (const payment of [...payments].sort(inRefundOrder)) {
    let heldCents = payment.amount_cents - payment.refunded_cents - payment.pending_cents
    if (payment.provider === null) {
      const usedCents = Math.min(earlierCents, heldCents)
      earlierCents -= usedCents
      heldCents -= usedCents
    }
    const partCents = Math.min(restCents, heldCents)
    restCents -= partCents
    if (partCents > 0) addPart(parts, payment.provider === null ? null : payment, partCents)
  }
  // An order of 0 is refunded with 0.
  if (restCents > 0 || parts.length === 0) addPart(parts, null, restCents)
  return parts
}

const inRefundOrder = (a: Payable, b: Payable): number =>
  Number(a.kind === 'balance') - Number(b.kind === 'balance') || b.id - a.id

function addPart(parts: RefundPart[], payment: Payable | null, cents: number): void {
  const recordedPart = payment === null && parts.find((part) => part.payment === null)
  if (recordedPart) recordedPart.cents += cents
  else parts.push({ payment, cents })
}

/**
 * Divides the refunded lines among the parts of a refund, so that the amounts of each part add up. The units of a line
 * that is in two parts are those of the first.
 */
export function linesOfParts(
  lines: Refund['items'],
  parts: readonly Pick<RefundPart, 'cents'>[],
): Refund['items'][] {
  const restLines = lines.map((line) => ({ ...line }))
  return parts.map(({ cents }, index) => {
    const isLast = index === parts.length - 1
    const partLines: Refund['items'] = []
    let roomCents = cents
    for (let [line] = restLines; line && (isLast || roomCents > 0); [line] = restLines) {
      const amount_cents = isLast ? line.amount_cents : Math.min(line.amount_cents, roomCents)
      partLines.push({ ...line, amount_cents })
      roomCents -= amount_cents
      if (amount_cents === line.amount_cents) restLines.shift()
      else restLines[0] = { ...line, quantity: 0, amount_cents: line.amount_cents - amount_cents }
    }
    return partLines
  })
}
