import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

export interface NewMail {
  message: string
  content_enc: Buffer
  status: 'queued' | 'kept'
  created_at: string
  recipients: readonly string[]
}

export async function insertMail(tx: Tx, storeId: number, mail: NewMail): Promise<void> {
  await sql`
    insert into mail (store_id, message, content_enc, recipient, status, due_at, created_at)
    select ${storeId}, ${mail.message}, ${mail.content_enc}, r.email, ${mail.status},
           clock_timestamp(), ${mail.created_at}
      from unnest(${mail.recipients}::text[]) as r(email)`.execute(tx)
}

/** Whom a mail was written to. */
export async function selectRecipient(
  db: Db,
  storeId: number,
  id: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ recipient: string }>`
    select recipient from mail where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows[0]?.recipient
}

export interface DueMail {
  store_id: number
  store_name: string
  id: number
  message: string
  content_enc: Buffer
  recipient: string
  attempts: number
}

/** Takes mail that is due, and puts the next try off: who dies while sending has it sent again. */
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
    returning m.store_id, s.name as store_name, m.id, m.message, m.content_enc, m.recipient,
              m.attempts`.execute(db)
  return rows
}

export interface MailResult {
  status: 'queued' | 'sent' | 'failed' | 'kept'
  error: string | null
  /** Seconds until the next try, where it is still queued. */
  wait_s: number
}

export async function recordResult(
  db: Db,
  { store_id, id }: Pick<DueMail, 'store_id' | 'id'>,
  { status, error, wait_s }: MailResult,
): Promise<void> {
  await sql`
    update mail
       set status = ${status}, error = ${error},
           due_at = clock_timestamp() + make_interval(secs => ${wait_s})
     where store_id = ${store_id} and id = ${id} and status = 'queued'`.execute(db)
}
