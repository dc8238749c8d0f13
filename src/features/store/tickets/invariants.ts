import { sql } from 'kysely'
import { breaking, type Invariant } from '../../../db/invariant.ts'

export const ticketInvariants: readonly Invariant[] = [
  breaking(
    'tickets_are_counted',
    'The stats of tickets are the numbers of tickets for each status and awaited side.',
    sql`
      select store_id, status, awaiting
        from (select store_id, status, awaiting, tickets from ticket_tally
               union all
              select store_id, status, coalesce(awaiting, ''), -1 from ticket) t
       group by store_id, status, awaiting
      having sum(tickets) <> 0`,
  ),
  breaking(
    'messages_are_counted',
    'A ticket counts its messages and knows the time of the newest one.',
    sql`
      select t.store_id, t.id
        from ticket t
        left join ticket_message m on m.store_id = t.store_id and m.ticket_id = t.id
       group by t.store_id, t.id
      having t.message_count <> count(m.id) or t.last_message_at is distinct from max(m.created_at)`,
  ),
]
