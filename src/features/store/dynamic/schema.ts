import { z } from 'zod'
import { DateTime, HttpUrl } from '../../../kernel/shapes.ts'

export const NewDynamicAddress = z
  .strictObject({
    url: HttpUrl.nullable().describe(
      'The address that is asked for the text of each delivery. Null removes it; the next address gets a new secret.',
    ),
  })
  .meta({ id: 'NewDynamicAddress' })
export type NewDynamicAddress = z.output<typeof NewDynamicAddress>

const AddressFields = {
  url: z.string().nullable().describe('The address; null if there is none.'),
  created_at: DateTime.nullable().describe('When the first address was set.'),
  updated_at: DateTime.nullable().describe('When it was last set.'),
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
      .describe('The secret of the signature, with the first address only. Store it now.'),
  })
  .meta({ id: 'SetDynamicAddress', description: 'The address as it was set.' })
export type SetDynamicAddress = z.output<typeof SetDynamicAddress>
