import { z } from 'zod'
import { DateTime } from '../../../kernel/shapes.ts'

export const Account = z
  .object({
    store: z
      .object({
        id: z.string().describe('The store hash, as in `x-store-hash`.'),
        name: z.string().describe('The name customers see.'),
        slug: z.string().describe('The name in addresses.'),
        currency: z.string().describe('ISO 4217; every amount of the store is in it.'),
        plan: z.string().describe('`free`, `starter`, `growth`, `scale` or `self_hosted`.'),
        livemode: z.boolean().describe('False on the test side.'),
        created_at: DateTime.describe('When the store was opened.'),
      })
      .describe('The store the call was for.'),
    api: z
      .object({
        permissions: z.array(z.string()).describe('The permissions of the calling key.'),
        rate_limit: z.int().describe('Calls a minute; 0 means no limit.'),
        monthly_quota: z.int().nullable().describe('Calls a month of the plan; null means none.'),
        monthly_used: z.int().describe('Calls of this month, this one included.'),
        resets_at: DateTime.describe('When the next month begins (UTC).'),
      })
      .describe('The calling key, and its remaining calls.'),
    features: z
      .object({
        affiliates: z.boolean().describe('The affiliate programme.'),
        shipping: z.boolean().describe('Shipping of physical products.'),
        subscriptions: z.boolean().describe('Recurring products.'),
      })
      .describe('The features, and whether they are enabled.'),
  })
  .meta({ id: 'Account', description: 'The store, the calling key, and the features that are on.' })
export type Account = z.output<typeof Account>
