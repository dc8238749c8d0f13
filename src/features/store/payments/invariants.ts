import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

/** Callbacks that report money, by their types at the providers. */
const MONEY = sql`('payment.paid', 'checkout.session.async_payment_succeeded')`

export const paymentInvariants: readonly Invariant[] = [
  invariantOf(
    'reported_money_counts',
    'A payment whose provider has reported its money is not open, expired or cancelled.',
    sql`
      select p.store_id, p.id
        from payment_callback c
        join payment p on p.store_id = c.store_id and p.id = c.payment_id
       where c.status = 'applied' and c.type in ${MONEY}
         and p.status in ('pending', 'processing', 'expired', 'cancelled')
       group by p.store_id, p.id`,
  ),
  invariantOf(
    'provider_has_payments',
    'A payment that counts has an id at its provider, and the provider test has the same amount.',
    sql`
      select p.store_id, p.id
        from payment p
        left join test_payment t on t.store_id = p.store_id and t.payment_id = p.id
       where p.provider is not null and p.status in ('succeeded', 'disputed')
         and case p.provider
               when 'test' then t.status is distinct from 'paid' or t.received_cents <> p.amount_cents
               else p.external_id is null
             end`,
  ),
]
