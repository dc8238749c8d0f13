import { z } from 'zod'
import { withRule } from '../../../kernel/broken-rule.ts'
import {
  Cents,
  DateTime,
  Line,
  ListQuery,
  OneOrMoreOf,
  PathId,
  VisibleText,
} from '../../../kernel/shapes.ts'

const STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const
export type WithdrawalStatus = (typeof STATUSES)[number]

const METHOD_MAX = 64
const ADDRESS_MAX = 256
const REFERENCE_MAX = 255
const REASON_MAX = 1_000

export const Wallet = z
  .object({
    object: z.literal('wallet').describe('Always `wallet`.'),
    currency: z.string().describe('The currency, an ISO 4217 code.'),
    paid_cents: z.int().describe('The sum of all payments of orders, in minor units.'),
    refunded_cents: z.int().describe('The sum of all refunds of orders, in minor units.'),
    pending_cents: z
      .int()
      .describe('The sum of pending and processing withdrawals, in minor units.'),
    withdrawn_cents: z
      .int()
      .describe('The sum of completed withdrawals including fees, in minor units.'),
    available_cents: z
      .int()
      .describe(
        'The amount that can be withdrawn, in minor units: paid less refunded, pending and withdrawn. It can be below 0 after refunds of money that was withdrawn.',
      ),
  })
  .meta({
    id: 'Wallet',
    description:
      'The payments and refunds of the orders of a store, and the amount that can be withdrawn.',
  })
export type Wallet = z.output<typeof Wallet>

export const Withdrawal = z
  .object({
    id: z.int().describe('The id of the withdrawal.'),
    object: z.literal('withdrawal').describe('Always `withdrawal`.'),
    amount_cents: z.int().describe('The amount that is deducted from the wallet, in minor units.'),
    fee_cents: z.int().describe('The part of the amount that the transfer costs, in minor units.'),
    net_cents: z.int().describe('The amount less the fee, in minor units.'),
    currency: z.string().describe('The currency, an ISO 4217 code.'),
    method: z.string().describe('The method of the transfer, such as `bank_transfer`.'),
    address: z.string().describe('The account that receives the transfer, such as an IBAN.'),
    status: z
      .enum(STATUSES)
      .describe(
        'The status. `processing`: the transfer is under way. `completed`: the transfer was made. `failed` and `cancelled`: the amount is available again.',
      ),
    reference: z
      .string()
      .nullable()
      .describe('A reference of the transfer; null until one is recorded.'),
    failure_reason: z
      .string()
      .nullable()
      .describe('The reason for the failure; null if the withdrawal has not failed.'),
    created_at: DateTime.describe('The time when the withdrawal was requested.'),
    completed_at: DateTime.nullable().describe(
      'The time when the withdrawal was completed; null if it was not.',
    ),
  })
  .meta({ id: 'Withdrawal', description: 'A withdrawal of money from the wallet.' })
export type Withdrawal = z.output<typeof Withdrawal>

export const NewWithdrawal = z
  .strictObject({
    amount_cents: Cents.min(1, 'Use 1 or more.').describe(
      'The amount to deduct from the wallet, in minor units; at most `available_cents`.',
    ),
    fee_cents: Cents.default(0).describe(
      'The part of the amount that the transfer costs, in minor units; less than the amount.',
    ),
    method: Line(METHOD_MAX).describe('The method of the transfer, such as `bank_transfer`.'),
    address: Line(ADDRESS_MAX).describe('The account that receives the transfer, such as an IBAN.'),
  })
  .refine(({ amount_cents, fee_cents }) => fee_cents < amount_cents, {
    path: ['fee_cents'],
    ...withRule('Use less than amount_cents.', { rule: 'less_than' }),
  })
  .meta({ id: 'WithdrawalInput' })
export type NewWithdrawal = z.output<typeof NewWithdrawal>

export const Processing = z.strictObject({
  reference: Line(REFERENCE_MAX)
    .nullable()
    .default(null)
    .describe('A reference, such as the number of the transfer.'),
})

export const Completion = z.strictObject({
  reference: Line(REFERENCE_MAX).describe('A reference, such as the number of the transfer.'),
})

export const Failure = z.strictObject({
  reason: VisibleText(REASON_MAX).describe('The reason for the failure.'),
})

export const WithdrawalPath = z.object({ id: PathId.describe('The id of the withdrawal.') })

export const WithdrawalQuery = z.object({
  ...ListQuery,
  status: OneOrMoreOf(STATUSES).describe('One or several statuses.'),
})
export type WithdrawalQuery = z.output<typeof WithdrawalQuery>
