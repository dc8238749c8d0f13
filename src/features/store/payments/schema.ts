import { z } from 'zod'
import { CursorQuery } from '../../../kernel/client-shapes.ts'
import { TOTAL_MAX } from '../../../kernel/money.ts'
import { PROVIDER_METHODS } from '../../../kernel/payment-methods.ts'
import { ReturnUrl } from '../../../kernel/return-url.ts'
import { DateTime, Line } from '../../../kernel/shapes.ts'
import { TEST_ACTIONS } from '../payment-providers/index.ts'

const METHOD_MAX = 64

export const NewPayment = z
  .strictObject({
    // The use case refuses a missing or unknown method, because it knows the usable ones.
    method: z
      .preprocess((value) => (value === undefined ? '' : value), Line(METHOD_MAX, 0))
      .meta({ openapi: { type: 'string', enum: PROVIDER_METHODS } })
      .describe(
        'The payment method. Its provider must be connected to the store, and all products of the order must accept it. If it is refused, `details.allowed` lists the usable methods.',
      ),
    return_url: ReturnUrl.optional().describe(
      'The page to which the provider links after the payment: https, or http to localhost. Default: the `return_url` of the order, otherwise its page.',
    ),
    save_method: z
      .boolean()
      .optional()
      .describe(
        'True to save the method for renewals. For a first order of 0, `true` starts a payment of 0 that saves a method and moves no money, until one is saved. Default: true if the order starts or renews a subscription, otherwise false.',
      ),
  })
  .meta({ id: 'PaymentInput' })
export type NewPayment = z.output<typeof NewPayment>

const CALLBACK_KINDS = ['once', 'twice', 'late', 'never', 'forged', 'reordered'] as const
export type CallbackKind = (typeof CALLBACK_KINDS)[number]

export const Simulation = z
  .strictObject({
    do: z
      .enum(TEST_ACTIONS)
      .describe(
        'The action of the buyer or the bank. `pay_part` pays half and `overpay` one unit too much, unless `amount_cents` is sent. Money can arrive for an ended payment too.',
      ),
    amount_cents: z
      .int('Use an integer in minor units, such as 1999 for 19.99.')
      .min(1, 'Use 1 or more.')
      .max(TOTAL_MAX, `Use at most ${TOTAL_MAX}.`)
      .optional()
      .describe(
        'The amount that arrives, in minor units. Default: the amount of the payment, half of it for `pay_part`, and one unit more for `overpay`.',
      ),
    callback: z
      .enum(CALLBACK_KINDS)
      .default('once')
      .describe(
        'The way in which the provider reports it: `once`; `twice`; `late`, 5 minutes later by the clock of the store; `never`; `forged`, a callback with a wrong signature about something that did not happen; `reordered`, with an older callback after it.',
      ),
  })
  .meta({ id: 'SimulationInput' })
export type Simulation = z.output<typeof Simulation>

const CALLBACK_STATUSES = ['received', 'applied', 'ignored', 'failed'] as const

export const PaymentCallback = z
  .object({
    id: z.int().describe('The id of the callback.'),
    object: z.literal('payment_callback').describe('Always `payment_callback`.'),
    provider: z.string().describe('The payment provider that sent it.'),
    external_id: z.string().describe('The id of the event at the provider.'),
    type: z.string().describe('The type of the event, in the words of the provider.'),
    status: z
      .enum(CALLBACK_STATUSES)
      .describe(
        '`received` until it is applied, then `applied`; `ignored` if it is not about a payment of this store; `failed` if it could not be applied within a day.',
      ),
    order_id: z.string().nullable().describe('The id of the order; null until it is known.'),
    payment_id: z.int().nullable().describe('The id of the payment; null until it is known.'),
    attempts: z.int().describe('The number of attempts to apply it.'),
    error: z.string().nullable().describe('The reason for which the last attempt failed.'),
    received_at: DateTime.describe('The time at which it arrived first.'),
    applied_at: DateTime.nullable().describe('The time at which it was applied.'),
  })
  .meta({ id: 'PaymentCallback', description: 'A message of a payment provider about an event.' })
export type PaymentCallback = z.output<typeof PaymentCallback>

export const CallbackQuery = z.object({
  ...CursorQuery,
  provider: Line(64).optional().describe('Only callbacks of this provider.'),
  status: z.enum(CALLBACK_STATUSES).optional().describe('Only callbacks with this status.'),
  order_id: Line(64).optional().describe('Only callbacks about this order.'),
})
export type CallbackQuery = z.output<typeof CallbackQuery>
