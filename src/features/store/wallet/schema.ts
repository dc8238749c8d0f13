import { z } from 'zod'
import {
  Cents,
  DateTime,
  Line,
  OneOrMoreOf,
  PageQuery,
  PathId,
  Text,
} from '../../../kernel/shapes.ts'

export const STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const
export type Status = (typeof STATUSES)[number]

const METHOD_MAX = 64
const ADDRESS_MAX = 256
const REFERENCE_MAX = 255
const REASON_MAX = 1_000

export const Wallet = z
  .object({
    object: z.literal('wallet').describe('Always `wallet`.'),
    currency: z.string().describe('ISO 4217.'),
    paid_cents: z.int().describe('All that orders were paid.'),
    refunded_cents: z.int().describe('All that orders were refunded.'),
    pending_cents: z.int().describe('Withdrawals that have not ended.'),
    withdrawn_cents: z.int().describe('Completed withdrawals, fees included.'),
    available_cents: z
      .int()
      .describe(
        'The amount that can be withdrawn: paid, less refunded, pending and withdrawn. Below 0 after refunds of money that was withdrawn.',
      ),
  })
  .meta({
    id: 'Wallet',
    description:
      'The money that the orders of a store brought in, and how much of it is available.',
  })
export type Wallet = z.output<typeof Wallet>

export const Withdrawal = z
  .object({
    id: z.int().describe('The id of the withdrawal.'),
    object: z.literal('withdrawal').describe('Always `withdrawal`.'),
    amount_cents: z.int().describe('The amount that leaves the wallet.'),
    fee_cents: z.int().describe('The part of it that the transfer costs.'),
    net_cents: z.int().describe('The amount that arrives: the amount less the fee.'),
    currency: z.string().describe('ISO 4217.'),
    method: z.string().describe('How it is sent, such as `bank_transfer`.'),
    address: z.string().describe('The account that receives it, such as an IBAN.'),
    status: z
      .enum(STATUSES)
      .describe(
        '`completed`: it was sent. `failed` and `cancelled` gave the money back to the wallet.',
      ),
    reference: z
      .string()
      .nullable()
      .describe('A reference of the transfer; null until it is completed.'),
    failure_reason: z.string().nullable().describe('Why it failed; null unless it did.'),
    created_at: DateTime.describe('When it was requested.'),
    completed_at: DateTime.nullable().describe('When it was completed.'),
  })
  .meta({ id: 'Withdrawal', description: 'Money that is taken out of the wallet.' })
export type Withdrawal = z.output<typeof Withdrawal>

export const NewWithdrawal = z
  .strictObject({
    amount_cents: Cents.min(1, 'Use 1 or more.').describe(
      'The amount that leaves the wallet; at most `available_cents`.',
    ),
    fee_cents: Cents.default(0).describe(
      'The part of it that the transfer costs; less than the amount.',
    ),
    method: Line(METHOD_MAX).describe('How it is sent, such as `bank_transfer`.'),
    address: Line(ADDRESS_MAX).describe('The account that receives it, such as an IBAN.'),
  })
  .refine(({ amount_cents, fee_cents }) => fee_cents < amount_cents, {
    path: ['fee_cents'],
    error: 'Use less than amount_cents.',
  })
  .meta({ id: 'NewWithdrawal' })
export type NewWithdrawal = z.output<typeof NewWithdrawal>

export const Completion = z.strictObject({
  reference: Line(REFERENCE_MAX).describe('A reference, such as the number of the transfer.'),
})

export const Failure = z.strictObject({
  reason: Text(REASON_MAX).describe('Why it failed.'),
})

export const WithdrawalPath = z.object({ id: PathId.describe('The withdrawal.') })

export const WithdrawalQuery = z.object({
  ...PageQuery,
  status: OneOrMoreOf(STATUSES).describe('Only with these statuses.'),
})
export type WithdrawalQuery = z.output<typeof WithdrawalQuery>
