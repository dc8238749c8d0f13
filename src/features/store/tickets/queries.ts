import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { hasEmail } from '../../../db/has-email.ts'
import { selectNewest } from '../../../db/newest.ts'
import { updateRecord } from '../../../db/records.ts'
import { allRows, execute, firstRow, onlyRow } from '../../../db/rows.ts'
import type {
  Author,
  Awaiting,
  ListedTicket,
  Ticket,
  TicketMessage,
  TicketQuery,
} from './schema.ts'
import type { TicketState } from './tickets.rules.ts'

const LISTED_COLUMNS = sql`
  t.id, 'ticket' as object, t.subject, t.status, t.awaiting,
  json_build_object(
    'id', (select c.id from customer c where c.store_id = t.store_id and c.email = t.customer_email),
    'email', t.customer_email) as customer,
  t.order_id, t.message_count, t.last_message_at, t.closed_at, t.created_at, t.updated_at`

const TICKET = sql`${LISTED_COLUMNS},
  (select coalesce(json_agg(json_build_object(
            'id', m.id, 'author', m.author, 'body', m.body, 'created_at', iso(m.created_at))
          order by m.id), '[]')
     from ticket_message m
    where m.store_id = t.store_id and m.ticket_id = t.id) as messages`

export const selectTicket = (db: Db, storeId: number, id: number) =>
  firstRow<Ticket>(db)`
    select ${TICKET} from ticket t where t.store_id = ${storeId} and t.id = ${id}`

/** The expressions of an index, which must be repeated literally so that PostgreSQL uses it. */
const AWAITING_FIRST = sql`
  t.awaiting is distinct from 'seller', case when t.awaiting = 'seller' then t.last_message_at end,
  t.last_message_at desc, t.id desc`

/** Returns a page of tickets and the number of matches. */
export function selectTickets(
  db: Db,
  storeId: number,
  { status, awaiting, email, order_id, sort, ...page }: TicketQuery,
) {
  return selectNewest<ListedTicket>(db, {
    table: 'ticket',
    columns: LISTED_COLUMNS,
    storeId,
    ...page,
    sortedBy: sort === 'waiting' ? AWAITING_FIRST : undefined,
    filters: [
      status && sql`t.status = any(${status}::text[])`,
      awaiting && sql`t.awaiting = any(${awaiting}::text[])`,
      email !== undefined && hasEmail('t.customer_email', email),
      order_id !== undefined && sql`t.order_id = ${order_id}`,
    ],
  })
}

export const selectTally = (db: Db, storeId: number) =>
  allRows<TicketState & { tickets: number }>(db)`
    select status, nullif(awaiting, '') as awaiting, tickets
      from ticket_tally where store_id = ${storeId}`

/** Adds to the counts of tickets, in the sequence of the keys, so that two calls never deadlock. */
export const addToTally = (
  tx: Tx,
  storeId: number,
  changes: readonly (TicketState & { delta: number })[],
) =>
  execute(tx)`
    insert into ticket_tally as tally (store_id, status, awaiting, tickets)
    select ${storeId}, change.status, change.awaiting, change.delta
      from unnest(${changes.map((item) => item.status)}::text[],
                  ${changes.map((item) => item.awaiting ?? '')}::text[],
                  ${changes.map((item) => item.delta)}::bigint[]) as change(status, awaiting, delta)
     order by change.status, change.awaiting
        on conflict (store_id, status, awaiting)
        do update set tickets = tally.tickets + excluded.tickets`

interface NewTicketRow {
  email: string
  subject: string
  message: string
  order_id: string | null
  now: string
}

/** Inserts a ticket with its first message. The ticket awaits the seller. */
export async function insertTicket(tx: Tx, storeId: number, row: NewTicketRow): Promise<number> {
  const { id } = await onlyRow<{ id: number }>(tx)`
    with created as (
      insert into ticket (store_id, customer_email, order_id, subject, status, awaiting,
                          message_count, last_message_at, created_at, updated_at)
      values (${storeId}, ${row.email}, ${row.order_id}, ${row.subject}, 'open', 'seller',
              1, ${row.now}, ${row.now}, ${row.now})
      returning id
    ), first as (
      insert into ticket_message (store_id, ticket_id, author, body, created_at)
      select ${storeId}, id, 'customer', ${row.message}, ${row.now} from created
    )
    select id from created`
  return id
}

interface LockedTicket extends TicketState {
  message_count: number
  /** The author of the newest message, not counting notices of the system. */
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
  const lastMessages = await sql<{ author: Author }>`
    select author from ticket_message
     where store_id = ${storeId} and ticket_id = ${id} and author <> 'system'
     order by id desc
     limit 1`.execute(tx)
  return { ...ticket, last_author: lastMessages.rows[0]?.author ?? null }
}

interface NewMessageRow {
  ticket_id: number
  author: Author
  body: string
  awaiting: Awaiting | null
  now: string
}

/** Adds a message to an open ticket, which the caller has locked. */
export async function insertMessage(
  tx: Tx,
  storeId: number,
  { ticket_id, author, body, awaiting, now }: NewMessageRow,
): Promise<number> {
  const { id } = await onlyRow<Pick<TicketMessage, 'id'>>(tx)`
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
    returning id`
  return id
}

export const updateState = (
  tx: Tx,
  storeId: number,
  id: number,
  { status, awaiting, now }: TicketState & { now: string },
) =>
  execute(tx)`
    update ticket
       set status = ${status}, awaiting = ${awaiting},
           closed_at = ${status === 'closed' ? sql`greatest(created_at, ${now})` : null},
           updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and id = ${id}`

export const updateOrderId = (
  tx: Tx,
  storeId: number,
  id: number,
  columns: { order_id: string | null; updated_at: string },
) => updateRecord(tx, 'ticket', { storeId, id }, columns)

/** Replaces the texts in the tickets of a person, and returns the ids of the tickets. */
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
