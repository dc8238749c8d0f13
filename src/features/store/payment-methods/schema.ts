import { z } from 'zod'
import { DateTime, PathId } from '../../../kernel/shapes.ts'
import { CustomerPath } from '../customers/index.ts'

export const PaymentMethod = z
  .object({
    id: z.int().describe('The id of the payment method.'),
    object: z.literal('payment_method').describe('Always `payment_method`.'),
    provider: z.string().describe('The payment provider that has it.'),
    label: z.string().describe('The name of the method, such as `Visa`.'),
    last4: z.string().nullable().describe('The last four characters of its number.'),
    expires: z.string().nullable().describe('The month in which it expires, such as `2030-04`.'),
    is_default: z.boolean().describe('True if renewals charge it: the newest one of the provider.'),
    created_at: DateTime.describe('The time at which it was saved.'),
  })
  .meta({ id: 'PaymentMethod', description: 'A way to pay that a customer has saved.' })
export type PaymentMethod = z.output<typeof PaymentMethod>

export const MethodPath = CustomerPath.extend({
  payment_method_id: PathId.describe('The id of the payment method.'),
})
