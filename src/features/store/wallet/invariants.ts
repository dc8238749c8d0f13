import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

const REPAIR =
  'This is a bug in Tradepost. Copy the database and report the bug, then run `npx tradepost wallet repair` for each store.'

/** The stores, with the time since which no event is deleted. Events are kept for 30 days. */
const STORES = sql`
  (select id, clock_timestamp() + clock_offset_ms * interval '1 ms' - interval '29 days' as kept_since
     from store)`

export const walletInvariants: readonly Invariant[] = [
  invariantOf(
    'wallets_count_orders',
    'A wallet and the deltas that are not folded yet equal the payments and refunds of the orders of the store.',
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
  invariantOf(
    'wallets_count_withdrawals',
    'The pending and withdrawn amounts of a wallet equal the sums of its open and completed withdrawals.',
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
  invariantOf(
    'withdrawal_events',
    'A completed withdrawal has exactly one event, and other withdrawals have none.',
    sql`
      select w.store_id, w.id
        from withdrawal w
        join ${STORES} s on s.id = w.store_id
        left join event e on e.store_id = w.store_id and e.object_id = w.id::text
                         and e.type = 'withdrawal.completed' and not e.test
       group by w.store_id, w.id, s.kept_since
      having count(e.no) > (w.status = 'completed')::int
          or (w.status = 'completed' and w.completed_at >= s.kept_since and count(e.no) = 0)`,
  ),
]
