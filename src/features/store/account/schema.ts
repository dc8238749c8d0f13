import { z } from 'zod'
import { DateTime } from '../../../kernel/shapes.ts'

export const Account = z
  .object({
    store: z
      .object({
        id: z.string().describe('The store hash, as in `x-store-hash`.'),
        name: z.string().describe('The name customers see.'),
        slug: z.string().describe('The name in URLs.'),
        currency: z
          .string()
          .describe('The ISO 4217 code of the currency of all amounts of the store.'),
        plan: z.string().describe('`free`, `starter`, `growth`, `scale` or `self_hosted`.'),
        livemode: z.boolean().describe('False on the test side.'),
        created_at: DateTime.describe('The time when the store was opened.'),
      })
      .describe('The store of the call.'),
    api: z
      .object({
        permissions: z.array(z.string()).describe('The permissions of the calling key.'),
        rate_limit: z.int().describe('The number of calls allowed a minute; 0 means no limit.'),
        monthly_quota: z
          .int()
          .nullable()
          .describe('The number of calls a month that the plan allows; null means no limit.'),
        monthly_used: z.int().describe('The number of calls made this month, including this one.'),
        resets_at: DateTime.describe('The time when the next month begins (UTC).'),
      })
      .meta({
        // Generators would name it `AccountApi`, like the class with the calls of the area `account`.
        id: 'ApiAccess',
        description: 'The calling key, its rate limit and the quota of the store.',
      }),
    features: z
      .object({
        affiliates: z.boolean().describe('The affiliate programme.'),
        shipping: z.boolean().describe('Shipping of physical products.'),
        subscriptions: z.boolean().describe('Recurring products.'),
      })
      .describe('The features that can be switched, each true if it is on.'),
  })
  .meta({ id: 'Account', description: 'The store, the calling key, and the features that are on.' })
export type Account = z.output<typeof Account>
