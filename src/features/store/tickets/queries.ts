import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { selectNewest } from '../../../db/newest.ts'
import type { Author, Awaiting, ListedTicket, Message, Ticket, TicketQuery } from './schema.ts'
import type { Standing } from './tickets.rules.ts'

const LISTED = sql`
  t.id, 'ticket' as object, t.subject, t.status, t.awaiting,
  json_build_object(
    'id', (select c.id from customer c where c.store_id = t.store_id and c.email = t.customer_email),
    'email', t.customer_email) as customer,
  t.order_id, t.message_count, t.last_message_at, t.closed_at, t.created_at, t.updated_at`

const TICKET = sql`${LISTED},
  (select coalesce(json_agg(json_build_object(
            'id', m.id, 'author', m.author, 'body', m.body, 'created_at', iso(m.created_at))
          order by m.id), '[]')
     from ticket_message m
    where m.store_id = t.store_id and m.ticket_id = t.id) as messages`

export async function selectTicket(
  db: Db,
  storeId: number,
  id: number,
): Promise<Ticket | undefined> {
  const { rows } = await sql<Ticket>`
    select ${TICKET} from ticket t where t.store_id = ${storeId} and t.id = ${id}`.execute(db)
  return rows[0]
}

/** A page of tickets, the newest first, and how many match. */
export function selectTickets(
  db: Db,
  storeId: number,
  { status, awaiting, email, order_id, limit, offset }: TicketQuery,
) {
  return selectNewest<ListedTicket>(db, {
    table: 'ticket',
    columns: LISTED,
    storeId,
    limit,
    offset,
    filters: [
      status && sql`t.status = any(${status}::text[])`,
      awaiting && sql`t.awaiting = any(${awaiting}::text[])`,
      email !== undefined && sql`t.customer_email = ${email}`,
      order_id !== undefined && sql`t.order_id = ${order_id}`,
    ],
  })
}

export async function selectTally(
  db: Db,
  storeId: number,
): Promise<(Standing & { tickets: number })[]> {
  const { rows } = await sql<Standing & { tickets: number }>`
    select status, nullif(awaiting, '') as awaiting, tickets
      from ticket_tally where store_id = ${storeId}`.execute(db)
  return rows
}

/** Counts tickets for each standing, in the order of their keys so that no two calls deadlock. */
export async function addToTally(
  tx: Tx,
  storeId: number,
  changes: readonly (Standing & { by: number })[],
): Promise<void> {
  await sql`
    insert into ticket_tally as y (store_id, status, awaiting, tickets)
    select ${storeId}, c.status, c.awaiting, c.by
      from unnest(${changes.map((item) => item.status)}::text[],
                  ${changes.map((item) => item.awaiting ?? '')}::text[],
                  ${changes.map((item) => item.by)}::bigint[]) as c(status, awaiting, by)
     order by c.status, c.awaiting
        on conflict (store_id, status, awaiting)
        do update set tickets = y.tickets + excluded.tickets`.execute(tx)
}

export async function orderExists(db: Db, storeId: number, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from "order" where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows.length > 0
}

export interface NewTicketRow {
  email: string
  subject: string
  message: string
  order_id: string | null
  now: string
}

/** Creates a ticket that awaits the seller, with its first message. */
export async function insertTicket(tx: Tx, storeId: number, row: NewTicketRow): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into ticket (store_id, customer_email, order_id, subject, status, awaiting,
                          message_count, last_message_at, created_at, updated_at)
      values (${storeId}, ${row.email}, ${row.order_id}, ${row.subject}, 'open', 'seller',
              1, ${row.now}, ${row.now}, ${row.now})
      returning id
    ), first as (
      insert into ticket_message (store_id, ticket_id, author, body, created_at)
      select ${storeId}, id, 'customer', ${row.message}, ${row.now} from made
    )
    select id from made`.execute(tx)
  const [ticket] = rows
  if (!ticket) throw new Error('An insert created no ticket.')
  return ticket.id
}

export interface LockedTicket extends Standing {
  message_count: number
  /** The author of the newest message that is no notice of the system. */
  last_author: Author | null
}

export async function lockTicket(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<LockedTicket | undefined> {
  const { rows } = await sql<Omit<LockedTicket, 'last_author'>>`
    select status, awaiting, message_count
      from ticket
     where store_id = ${storeId} and id = ${id}
       for update`.execute(tx)
  const [ticket] = rows
  if (!ticket) return undefined
  const last = await sql<{ author: Author }>`
    select author from ticket_message
     where store_id = ${storeId} and ticket_id = ${id} and author <> 'system'
     order by id desc
     limit 1`.execute(tx)
  return { ...ticket, last_author: last.rows[0]?.author ?? null }
}

export interface NewMessageRow {
  ticket_id: number
  author: Author
  body: string
  awaiting: Awaiting | null
  now: string
}

/** Adds a message to a ticket, which is locked and open. */
export async function insertMessage(
  tx: Tx,
  storeId: number,
  { ticket_id, author, body, awaiting, now }: NewMessageRow,
): Promise<number> {
  const { rows } = await sql<Pick<Message, 'id'>>`
    with changed as (
      update ticket
         set awaiting = ${awaiting}, message_count = message_count + 1,
             last_message_at = greatest(last_message_at, ${now}),
             updated_at = greatest(updated_at, ${now})
       where store_id = ${storeId} and id = ${ticket_id}
      returning last_message_at
    )
    insert into ticket_message (store_id, ticket_id, author, body, created_at)
    select ${storeId}, ${ticket_id}, ${author}, ${body}, last_message_at from changed
    returning id`.execute(tx)
  const [message] = rows
  if (!message) throw new Error('An insert created no message.')
  return message.id
}

export async function updateStanding(
  tx: Tx,
  storeId: number,
  id: number,
  { status, awaiting, now }: Standing & { now: string },
): Promise<void> {
  await sql`
    update ticket
       set status = ${status}, awaiting = ${awaiting},
           closed_at = ${status === 'closed' ? sql`greatest(created_at, ${now})` : null},
           updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and id = ${id}`.execute(tx)
}

/** Replaces the texts of a person's tickets, and returns their ids. */
export async function clearTickets(
  tx: Tx,
  storeId: number,
  {
    orderIds,
    emails,
    replacement,
    text,
  }: {
    orderIds: readonly string[]
    emails: readonly string[]
    replacement: string
    text: string
  },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update ticket set customer_email = ${replacement}, subject = ${text}
     where store_id = ${storeId} and id = any(array(
       select id from ticket where store_id = ${storeId} and order_id = any(${orderIds}::text[])
        union
       select id from ticket where store_id = ${storeId} and customer_email = any(${emails}::text[])))
    returning id`.execute(tx)
  const ids = rows.map((row) => row.id)
  await sql`
    update ticket_message set body = ${text}
     where store_id = ${storeId} and ticket_id = any(${ids}::bigint[])`.execute(tx)
  return ids
}
