import { z } from 'zod'
import { METHODS } from '../../../kernel/payment-methods.ts'
import { DateTime, QueryBoolean } from '../../../kernel/shapes.ts'

export const PaymentProvider = z
  .object({
    object: z.literal('payment_provider').describe('Always `payment_provider`.'),
    provider: z.string().describe('The name of the provider.'),
    status: z
      .enum(['connected', 'failing'])
      .nullable()
      .describe(
        '`connected`; `failing` if the provider refused the credentials in the last call; null if the provider is not connected.',
      ),
    methods: z.array(z.enum(METHODS)).describe('The payment methods that it serves.'),
    callback_url: z.string().describe('The URL to which the provider sends its callbacks.'),
    account: z
      .string()
      .nullable()
      .describe('The name of the account at the provider; null for `test`, which has none.'),
    livemode: z.boolean().describe('True on the live side of the store.'),
    last_checked_at: DateTime.nullable().describe(
      'The time at which the provider last accepted the credentials.',
    ),
    last_callback_at: DateTime.nullable().describe(
      'The time of the last callback with a valid signature, within a minute.',
    ),
    last_error: z
      .string()
      .nullable()
      .describe('The last reason for which the provider refused a call.'),
  })
  .meta({ id: 'PaymentProvider', description: 'A payment provider that a store can connect.' })
export type PaymentProvider = z.output<typeof PaymentProvider>

export const ProviderPath = z.object({
  provider: z.string().describe('The name of the provider.'),
})

const Credential = z
  .unknown()
  .optional()
  .meta({ openapi: { type: 'string' } })

/** The credentials of any provider. Each provider checks its own, after its name. */
export const NewConnection = z
  .looseObject({
    secret_key: Credential.describe(
      '`stripe`: a secret or restricted key, which begins with `sk_` or `rk_`. Default: none; `stripe` requires it.',
    ),
    webhook_secret: Credential.describe(
      '`stripe`: the signing secret of the webhook endpoint for `callback_url`, which begins with `whsec_`. Default: none; `stripe` requires it.',
    ),
    publishable_key: Credential.describe(
      '`stripe`: the publishable key, which begins with `pk_`. Default: none.',
    ),
  })
  .meta({ id: 'PaymentProviderInput' })

export const Disconnection = z.object({
  force: QueryBoolean.optional().describe(
    'If true, the provider is disconnected even if one of its payments is open.',
  ),
})
