import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

export const ticketInvariants: readonly Invariant[] = [
  invariantOf(
    'tickets_are_counted',
    'The stored counts equal the numbers of tickets by status and awaited party.',
    sql`
      select store_id, status, awaiting
        from (select store_id, status, awaiting, tickets from ticket_tally
               union all
              select store_id, status, coalesce(awaiting, ''), -1 from ticket) t
       group by store_id, status, awaiting
      having sum(tickets) <> 0`,
  ),
  invariantOf(
    'messages_are_counted',
    'The stored number of messages and time of the newest message of a ticket are correct.',
    sql`
      select t.store_id, t.id
        from ticket t
        left join ticket_message m on m.store_id = t.store_id and m.ticket_id = t.id
       group by t.store_id, t.id
      having t.message_count <> count(m.id) or t.last_message_at is distinct from max(m.created_at)`,
  ),
]
