import { sql } from 'kysely'
import { readContent, renderMail } from '../src/features/installation/mail/content.ts'
import type { Json, Tradepost } from './harness.ts'

interface StoredMail {
  store_id: number
  message: string
  content_enc: Buffer
  status: string
  subject: string
}

/** Returns the status, the subject and the decrypted content of the mails to an address. */
export async function mailsTo({ app, db }: Tradepost, recipient: string): Promise<Json[]> {
  const { rows } = await sql<StoredMail>`
    select store_id, message, content_enc, status, subject
      from mail where recipient = ${recipient} order by id`.execute(db)
  return rows.map(({ store_id, message, content_enc, status, subject }) => {
    const sealContext = { column: 'mail.content', storeId: store_id, row: message }
    const content = readContent(app.vault.open(sealContext, content_enc).toString())
    return { status, subject, ...content, ...renderMail(subject, content) }
  })
}
