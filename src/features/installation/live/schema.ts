import { z } from 'zod'

/** The limit of a count; more is shown as "1,000 or more". */
export const COUNTED_MAX = 1_000

const Count = (what: string) => z.int().min(0).max(COUNTED_MAX).describe(what)

export const Counts = z
  .object({
    orders: Count('Orders with a payment to review, paid but not delivered, or to be shipped.'),
    tickets: Count('Open tickets that wait for an answer of the team.'),
    questions: Count('Questions without an answer.'),
    returns: Count('Returns that are requested, approved or received.'),
    payouts: Count('Payouts that partners requested.'),
    endpoints: Count('Webhook endpoints that fail, or were turned off for failures.'),
  })
  .meta({
    id: 'WaitingCounts',
    description: 'Records that wait for a person, each kind counted up to 1,000.',
  })
export type Counts = z.output<typeof Counts>
