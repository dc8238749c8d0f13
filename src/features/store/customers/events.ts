import type { NewEvent } from '../../../events/ledger.ts'
import type { Customer } from './schema.ts'

/** The event of a customer who was created by a call or by a first order. */
export const customerCreatedEvent = ({
  id,
  email,
  name,
  country,
  created_at,
}: Pick<Customer, 'id' | 'email' | 'name' | 'country' | 'created_at'>): NewEvent => ({
  type: 'customer.created',
  object_id: String(id),
  object: { object: 'customer', id, email, name, country, created_at },
})
