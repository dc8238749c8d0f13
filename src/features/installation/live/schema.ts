import { z } from 'zod'

/** The limit of a count. The dashboard shows it as "1,000 or more". */
export const COUNTED_MAX = 1_000

const Count = (description: string) => z.int().min(0).max(COUNTED_MAX).describe(description)

export const Counts = z
  .object({
    orders: Count('The sum of `to_review`, `to_deliver` and `to_ship`.'),
    to_review: Count('Orders with a payment to review.'),
    to_deliver: Count('Orders that are paid, not delivered and not on hold.'),
    to_ship: Count('Delivered orders with units to ship.'),
    disputes: Count('Payments with an open dispute.'),
    tickets: Count('Open tickets that wait for an answer by the team.'),
    questions: Count('Questions without an answer.'),
    returns: Count('Returns that are requested, approved or received.'),
    payouts: Count('Payouts that partners requested.'),
    endpoints: Count('Webhook endpoints that fail, or were turned off for failures.'),
  })
  .meta({
    id: 'WaitingCounts',
    description: 'Records that need action by the team, each kind counted up to 1,000.',
  })
export type Counts = z.output<typeof Counts>
