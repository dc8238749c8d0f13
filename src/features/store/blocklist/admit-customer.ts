import { afterRollback, type Tx } from '../../../db/database.ts'
import { Refusal } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Buyer, type NamedCustomer, upsertCustomer } from '../customers/index.ts'
import { countHits } from './queries.ts'
import { blockedBy } from './values.rules.ts'

/**
 * Returns the customer of an order, created if there is none, or refuses one who is on the blocklist. The
 * refusal never says which entry matched. The blocklist is searched by the statement that writes the
 * customer, so it costs an order no statement.
 */
export async function admitCustomer(
  tx: Tx,
  { store, now }: StoreContext,
  customer: Omit<NamedCustomer, 'now'>,
  ip?: string | null,
): Promise<Buyer> {
  const against = blockedBy(customer.email, ip)
  const buyer = await upsertCustomer(tx, store.id, { ...customer, now }, against)
  if (!('refused_by' in buyer)) return buyer
  const refusal = new Refusal('CUSTOMER_BLOCKED', 'This customer cannot place orders.')
  afterRollback(refusal, (db) => countHits(db, store.id, buyer.refused_by))
  throw refusal
}
