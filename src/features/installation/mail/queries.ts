import { sql } from 'kysely'
import type { CreatedPeriod } from '../../../db/created.ts'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { selectPage } from '../../../db/newest.ts'
import { allRows, execute, hasRows } from '../../../db/rows.ts'
import type { Page } from '../../../kernel/page.ts'
import type { OutboxMessage, Template } from './schema.ts'

interface NewMail {
  template: Template
  message: string
  content_enc: Buffer
  subject: string
  status: 'queued' | 'kept'
  created_at: string
  recipients: readonly string[]
}

export const insertMail = (tx: Tx, storeId: number, mail: NewMail) =>
  execute(tx)`
    insert into mail (store_id, message, template, content_enc, subject, recipient, status, due_at, created_at)
    select ${storeId}, ${mail.message}, ${mail.template}, ${mail.content_enc}, ${mail.subject}, r.email,
           ${mail.status}, clock_timestamp(), ${mail.created_at}
      from unnest(${mail.recipients}::text[]) as r(email)`

export interface DueMail {
  store_id: number
  store_name: string
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
    returning m.store_id, s.name as store_name, s.support_email, s.clock_offset_ms, m.id, m.message, m.content_enc,
              m.subject, m.recipient, m.attempts`

export interface MailResult {
  status: 'queued' | 'sent' | 'failed' | 'kept'
  error: string | null
  /** Seconds until the next attempt of queued mail. */
  wait_s: number
  sent_at: string | null
}

/** Records the result of an attempt. Sent and failed mail loses its text, which may have keys (decision 128). */
export async function recordResult(
  db: Db,
  { store_id, id }: Pick<DueMail, 'store_id' | 'id'>,
  { status, error, wait_s, sent_at }: MailResult,
): Promise<void> {
  const hasEnded = status === 'sent' || status === 'failed'
  await sql`
    update mail
       set status = ${status}, error = ${error}, sent_at = ${sent_at},
           content_enc = case when ${hasEnded}::boolean then null else content_enc end,
           due_at = clock_timestamp() + make_interval(secs => ${wait_s})
     where store_id = ${store_id} and id = ${id} and status = 'queued'`.execute(db)
}

type OutboxRow = Omit<OutboxMessage, 'text'> & {
  message: string
  content_enc: Buffer | null
}

/** Returns a page of mail, the newest first, and the total. `hasTexts` adds the sealed contents. */
export const selectOutbox = (
  db: Db,
  storeId: number,
  page: Page & CreatedPeriod,
  { hasTexts }: { hasTexts: boolean },
) =>
  selectPage<OutboxRow>(db, {
    table: 'mail',
    columns: sql`
      id, recipient as to, subject, template, status, created_at, sent_at, message,
      case when ${hasTexts}::boolean then content_enc end as content_enc`,
    storeId,
    ...page,
    filters: [],
  })
