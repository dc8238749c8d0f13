import { sql } from 'kysely'
import { breaking, type Invariant } from '../../../db/invariant.ts'

const REPAIR =
  'This is a fault of ours: keep a copy of the database and report it, then run `npx tradepost wallet repair` for each store.'

/** Invariants of wallets and withdrawals. */

export const walletInvariants: readonly Invariant[] = [
  breaking(
    'wallets_count_orders',
    'A wallet, with the changes that are not added to it yet, holds what the orders of its store were paid and refunded.',
    sql`
      select store_id
        from (select store_id, paid_cents, refunded_cents from wallet
               union all
              select store_id, paid_cents, refunded_cents from wallet_delta
               union all
              select store_id, -paid_cents, -refunded_cents from "order") t
       group by store_id
      having sum(paid_cents) <> 0 or sum(refunded_cents) <> 0`,
    REPAIR,
  ),
  breaking(
    'wallets_count_withdrawals',
    'A wallet counts its withdrawals: those that have not ended, and those that were completed.',
    sql`
      select store_id
        from (select store_id, pending_cents, withdrawn_cents from wallet
               union all
              select store_id,
                     case when status in ('pending', 'processing') then -amount_cents else 0 end,
                     case when status = 'completed' then -amount_cents else 0 end
                from withdrawal) t
       group by store_id
      having sum(pending_cents) <> 0 or sum(withdrawn_cents) <> 0`,
    REPAIR,
  ),
  breaking(
    'withdrawal_events',
    'A completed withdrawal sent its event once, and no other withdrawal did.',
    sql`
      select w.store_id, w.id
        from withdrawal w
        join (select s.id, clock_timestamp() + s.clock_offset_ms * interval '1 ms' - interval '29 days' as kept
                from store s) s on s.id = w.store_id
        left join event e on e.store_id = w.store_id and e.object_id = w.id::text
                         and e.type = 'withdrawal.completed' and not e.test
       group by w.store_id, w.id, s.kept
      having count(e.no) > (w.status = 'completed')::int
          or (w.status = 'completed' and w.completed_at >= s.kept and count(e.no) = 0)`,
  ),
]
