import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { countedTo, type Page } from '../../../kernel/page.ts'
import type { OutboxMessage, Template } from './schema.ts'

export interface NewMail {
  template: Template
  message: string
  content_enc: Buffer
  subject: string
  status: 'queued' | 'kept'
  created_at: string
  recipients: readonly string[]
}

export async function insertMail(tx: Tx, storeId: number, mail: NewMail): Promise<void> {
  await sql`
    insert into mail (store_id, message, template, content_enc, subject, recipient, status, due_at, created_at)
    select ${storeId}, ${mail.message}, ${mail.template}, ${mail.content_enc}, ${mail.subject}, r.email,
           ${mail.status}, clock_timestamp(), ${mail.created_at}
      from unnest(${mail.recipients}::text[]) as r(email)`.execute(tx)
}

export interface DueMail {
  store_id: number
  store_name: string
  /** The address for replies; null if the store names none. */
  support_email: string | null
  clock_offset_ms: number
  id: number
  message: string
  content_enc: Buffer
  /** Mail of an older version has its subject in its content. */
  subject: string | null
  recipient: string
  attempts: number
}

/** A process that has a mail server may be away for so long, as for an upgrade. */
const SENDER_GONE = sql`interval '15 minutes'`

/** Records that a process that has a mail server runs, at most every ten seconds. */
export async function recordSender(db: Db): Promise<void> {
  await sql`
    insert into mail_sender (seen_at)
    select clock_timestamp()
     where not exists (select from mail_sender
                        where seen_at > clock_timestamp() - interval '10 s')
        on conflict (one) do update set seen_at = excluded.seen_at`.execute(db)
}

export async function selectSenderRuns(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from mail_sender where seen_at > clock_timestamp() - ${SENDER_GONE}`.execute(db)
  return rows.length > 0
}

export const nextMail: Expression = sql`(select min(due_at) from mail where status = 'queued')`

/** Claims mail that is due, and postpones its next attempt: after a crash it is sent again. */
export async function claimMail(db: Db, batch: number): Promise<DueMail[]> {
  const { rows } = await sql<DueMail>`
    update mail m
       set attempts = m.attempts + 1, due_at = clock_timestamp() + interval '5 minutes'
      from store s
     where s.id = m.store_id and m.status = 'queued'
       and (m.store_id, m.id) in (
         select store_id, id from mail
          where status = 'queued' and due_at <= clock_timestamp()
          order by due_at
          limit ${batch}
            for update skip locked)
    returning m.store_id, s.name as store_name, s.support_email, s.clock_offset_ms, m.id, m.message, m.content_enc,
              m.subject, m.recipient, m.attempts`.execute(db)
  return rows
}

export interface MailResult {
  status: 'queued' | 'sent' | 'failed' | 'kept'
  error: string | null
  /** Seconds until the next attempt, where it is still queued. */
  wait_s: number
  sent_at: string | null
}

/** Mail that ended loses its text: it may hold keys (decision 128). */
export async function recordResult(
  db: Db,
  { store_id, id }: Pick<DueMail, 'store_id' | 'id'>,
  { status, error, wait_s, sent_at }: MailResult,
): Promise<void> {
  const ended = status === 'sent' || status === 'failed'
  await sql`
    update mail
       set status = ${status}, error = ${error}, sent_at = ${sent_at},
           content_enc = case when ${ended}::boolean then null else content_enc end,
           due_at = clock_timestamp() + make_interval(secs => ${wait_s})
     where store_id = ${store_id} and id = ${id} and status = 'queued'`.execute(db)
}

export type OutboxRow = Omit<OutboxMessage, 'text'> & {
  message: string
  content_enc: Buffer | null
}

/** A page of mail, the newest first, and the total. `texts` adds the sealed contents. */
export async function selectOutbox(
  db: Db,
  storeId: number,
  { limit, offset }: Page,
  { texts }: { texts: boolean },
): Promise<{ rows: OutboxRow[]; total: number }> {
  const { rows } = await sql<OutboxRow>`
    select id, recipient as to, subject, template, status, created_at, sent_at, message,
           case when ${texts}::boolean then content_enc end as content_enc
      from mail
     where store_id = ${storeId}
     order by id desc
     limit ${limit} offset ${offset}`.execute(db)
  const count = await sql<{ total: number }>`
    select count(*) as total
      from (select from mail where store_id = ${storeId}
             limit ${countedTo({ limit, offset })}) m`.execute(db)
  return { rows, total: count.rows[0]?.total ?? 0 }
}
