import type { NewEvent } from '../../../events/ledger.ts'

/** Reports a customer that was created, by a call or by a first order. */
export const asNewCustomer = ({
  id,
  email,
  name,
  country,
  created_at,
}: {
  id: number
  email: string
  name: string | null
  country: string | null
  created_at: string
}): NewEvent => ({
  type: 'customer.created',
  object_id: String(id),
  object: { object: 'customer', id, email, name, country, created_at },
})
