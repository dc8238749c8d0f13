import { z } from 'zod'
import { DateTime, HttpUrl } from '../../../kernel/shapes.ts'

export const NewDynamicAddress = z
  .strictObject({
    url: HttpUrl.nullable().describe(
      'The address to call for the text of each delivery. Null removes it, and the next address then gets a new secret.',
    ),
  })
  .meta({ id: 'DynamicAddressInput' })
export type NewDynamicAddress = z.output<typeof NewDynamicAddress>

const AddressFields = {
  url: z.string().nullable().describe('The address; null if there is none.'),
  created_at: DateTime.nullable().describe('The time at which the first address was set.'),
  updated_at: DateTime.nullable().describe('The time at which the address was last set.'),
}

export const DynamicAddress = z.object(AddressFields).meta({
  id: 'DynamicAddress',
  description: 'The address that provides the texts of a dynamic variant.',
})
export type DynamicAddress = z.output<typeof DynamicAddress>

export const SetDynamicAddress = z
  .object({
    ...AddressFields,
    secret: z
      .string()
      .nullable()
      .describe(
        'The signing secret. It is shown only when the first address is set, so store it now; otherwise null.',
      ),
  })
  .meta({
    id: 'SetDynamicAddress',
    description:
      'The address that provides the texts of a dynamic variant, and its signing secret.',
  })
export type SetDynamicAddress = z.output<typeof SetDynamicAddress>
