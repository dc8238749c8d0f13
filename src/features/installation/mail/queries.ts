import { sql } from 'kysely'
import { anyOf, rowsOf } from '../../../db/arrays.ts'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { selectNewest } from '../../../db/newest.ts'
import { allRows, execute, hasRows, onlyRow, onlyValue } from '../../../db/rows.ts'
import type { Template } from '../mail-texts/index.ts'
import type { OutboxMessage, OutboxQuery } from './schema.ts'

interface NewMessage {
  message: string
  template: Template
  subject: string
  content_enc: Buffer
  order_id: string | null
  cause: string | null
  recipients: readonly string[]
}

interface NewMessages {
  messages: readonly NewMessage[]
  status: 'queued' | 'kept'
  created_at: string
}

const MESSAGE_TYPES = {
  message: 'text',
  template: 'text',
  subject: 'text',
  content_enc: 'bytea',
  order_id: 'text',
  cause: 'text',
} as const

/** Inserts a mail for each recipient of each message, unless the order has a mail with the same cause already. */
export function insertMails(
  tx: Tx,
  storeId: number,
  { messages, status, created_at }: NewMessages,
): Promise<void> {
  const recipients = messages.flatMap(({ message, recipients: emails }) =>
    emails.map((email) => ({ message, email })),
  )
  return execute(tx)`
    insert into mail (store_id, message, template, content_enc, subject, recipient, status, due_at, created_at,
                      order_id, cause)
    select ${storeId}, m.message, m.template, m.content_enc, m.subject, r.email, ${status}, clock_timestamp(),
           ${created_at}, m.order_id, m.cause
      from ${rowsOf('m', messages, MESSAGE_TYPES)}
      join ${rowsOf('r', recipients, { message: 'text', email: 'text' })} on r.message = m.message
        on conflict (store_id, order_id, template, cause) where cause is not null do nothing`
}

/** Returns the number of mails without an order that have this cause, since a time. */
export const countMailOfCause = (
  db: Db,
  storeId: number,
  { cause, since }: { cause: string; since: string },
) =>
  onlyValue<number>(db)`
    select count(*) as count from mail
     where store_id = ${storeId} and order_id is null and cause = ${cause} and created_at >= ${since}`

export interface DueMail {
  store_id: number
  store_name: string
  /** The name of the sender; null for the name of the store. */
  mail_from_name: string | null
  /** The address for replies; null if the store has none. */
  support_email: string | null
  clock_offset_ms: number
  id: number
  message: string
  content_enc: Buffer
  /** Null for mail of an older version, which has its subject in its content. */
  subject: string | null
  recipient: string
  attempts: number
}

/** A process with a mail server counts as running for this time after its last record. An upgrade takes less. */
const SENDER_TIMEOUT = sql`interval '15 minutes'`

/** Records that a process with a mail server is running, at most every ten seconds. */
export const recordSender = (db: Db) =>
  execute(db)`
    insert into mail_sender (seen_at)
    select clock_timestamp()
     where not exists (select from mail_sender
                        where seen_at > clock_timestamp() - interval '10 s')
        on conflict (one) do update set seen_at = excluded.seen_at`

export const isSenderRunning = (db: Db) =>
  hasRows(db)`
    select from mail_sender where seen_at > clock_timestamp() - ${SENDER_TIMEOUT}`

export const nextMail: Expression = sql`(select min(due_at) from mail where status = 'queued')`

/** Claims due mail for five minutes. If the process crashes, the mail is sent again after that. */
export const claimMail = (db: Db, limit: number) =>
  allRows<DueMail>(db)`
    update mail m
       set attempts = m.attempts + 1, due_at = clock_timestamp() + interval '5 minutes'
      from store s
     where s.id = m.store_id and m.status = 'queued'
       and (m.store_id, m.id) in (
         select store_id, id from mail
          where status = 'queued' and due_at <= clock_timestamp()
          order by due_at
          limit ${limit}
            for update skip locked)
    returning m.store_id, s.name as store_name, s.mail_from_name, s.support_email, s.clock_offset_ms, m.id,
              m.message, m.content_enc, m.subject, m.recipient, m.attempts`

/** The limit up to which mail is counted, so that metrics stay cheap. */
const COUNTED_MAX = 10_000

/** Counts the mail that waits, along the index of due mail. The age is 0 if none is due. */
export const selectMailBacklog = (db: Db) =>
  onlyRow<{ waiting: number; oldest_due_age_ms: number }>(db)`
    select (select count(*)::integer
              from (select from mail
                     where status = 'queued'
                     order by due_at
                     limit ${COUNTED_MAX}) m) as waiting,
           coalesce((select greatest(0, extract(epoch from clock_timestamp() - min(due_at)) * 1000)
                       from mail where status = 'queued'), 0)::float8 as oldest_due_age_ms`

export interface MailResult {
  status: 'queued' | 'sent' | 'failed' | 'kept' | 'bounced'
  error: string | null
  /** Seconds until the next attempt of queued mail. */
  wait_s: number
  sent_at: string | null
  bounced_at: string | null
}

/** Records the result of an attempt. Mail that is not sent again loses its text, which may have keys (decision 128). */
export async function recordResult(
  db: Db,
  { store_id, id }: Pick<DueMail, 'store_id' | 'id'>,
  { status, error, wait_s, sent_at, bounced_at }: MailResult,
): Promise<void> {
  const hasEnded = status === 'sent' || status === 'failed' || status === 'bounced'
  await sql`
    update mail
       set status = ${status}, error = ${error}, sent_at = ${sent_at}, bounced_at = ${bounced_at},
           content_enc = case when ${hasEnded}::boolean then null else content_enc end,
           due_at = clock_timestamp() + make_interval(secs => ${wait_s})
     where store_id = ${store_id} and id = ${id} and status = 'queued'`.execute(db)
}

type OutboxRow = Omit<OutboxMessage, 'text' | 'html'> & {
  message: string
  content_enc: Buffer | null
}

/** Returns a page of mail, the newest first (decision 505), and the total. `hasTexts` adds the sealed contents. */
export const selectOutbox = (
  db: Db,
  storeId: number,
  { order_id, template, status, ...page }: OutboxQuery,
  { hasTexts }: { hasTexts: boolean },
) =>
  selectNewest<OutboxRow>(db, {
    table: 'mail',
    columns: sql`
      id, recipient as to, subject, template, order_id, status, attempts, error, created_at, sent_at,
      bounced_at, message,
      case when ${hasTexts}::boolean then content_enc end as content_enc`,
    storeId,
    ...page,
    filters: [
      order_id !== undefined && sql`order_id = ${order_id}`,
      template && sql`template = ${anyOf(template, 'text')}`,
      status && sql`status = ${anyOf(status, 'text')}`,
    ],
  })

/**
 * Returns the SQL for the permanent refusal of the last mail of an order: null if a later mail was sent, or if that mail
 * went to a former address of the customer. `order` is the alias of the order, and `address` the current address. A mail
 * without a cause was sent again, perhaps to an address that was never the customer's.
 */
export const mailProblemOf = (order: string, address: Expression): Expression => sql`
  (select case when m.status = 'bounced'
                    and (m.recipient = ${address}
                         or (m.cause is null
                             and m.recipient <> ${sql.ref(`${order}.customer_email`)}))
               then json_build_object('message_id', m.id, 'at', iso(m.bounced_at), 'answer', m.error) end
     from mail m
    where m.store_id = ${sql.ref(`${order}.store_id`)} and m.order_id = ${sql.ref(`${order}.id`)}
      and m.status in ('sent', 'bounced')
    order by m.id desc
    limit 1)`
