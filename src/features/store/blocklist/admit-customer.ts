import { afterRollback, type Tx } from '../../../db/database.ts'
import { Refusal } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Buyer, type CustomerInput, upsertCustomer } from '../customers/index.ts'
import * as q from './queries.ts'
import { blocklistKeysOf } from './values.rules.ts'

/**
 * Returns the customer of an order, and creates it if there is none. Refuses a customer who is on the
 * blocklist, without saying which entry matched. The statement that writes the customer also searches the
 * blocklist, so an order needs no additional statement.
 */
export async function admitCustomer(
  tx: Tx,
  { store, now }: StoreContext,
  customer: Omit<CustomerInput, 'now'>,
  ip?: string | null,
): Promise<Buyer> {
  const blocklistKeys = blocklistKeysOf(customer.email, ip)
  const buyer = await upsertCustomer(tx, store.id, { ...customer, now }, blocklistKeys)
  if (!('blocking_ids' in buyer)) return buyer
  const refusal = new Refusal(
    'CUSTOMER_BLOCKED',
    'This customer is on the blocklist. Remove the entry to accept the order.',
  )
  afterRollback(refusal, (db) => q.countHits(db, store.id, buyer.blocking_ids))
  throw refusal
}
