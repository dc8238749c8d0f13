import { invalidState } from '../../../kernel/errors.ts'
import type { Customer } from './schema.ts'

/** Refuses a change of an erased customer, so that no personal data is added again. */
export function checkNotErased({ id, erased_at }: Pick<Customer, 'id' | 'erased_at'>): void {
  if (erased_at === null) return
  throw invalidState('erased', `The customer ${id} was erased. Create a new customer instead.`)
}
