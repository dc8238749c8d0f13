import type { Tx } from '../../../db/database.ts'
import { isErasedEmail } from '../../../kernel/erased-email.ts'
import { newId } from '../../../kernel/ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import { insertMail } from './queries.ts'
import type { Template } from './schema.ts'
import { mailSealContext } from './sealed.ts'

/** A text for one or more recipients, each of whom gets a separate mail. */
export interface MailContent {
  template: Template
  recipients: readonly string[]
  subject: string
  text: string
  /** The path at which readers unsubscribe. Each recipient gets a separate token. */
  stop?: { path: string; text: string }
}

/**
 * Writes mail in the transaction of the change that the mail reports. A job sends it later. Mail of a test
 * side is stored but never sent (decision 4).
 */
export async function queueMail(
  tx: Tx,
  { vault, store, now }: StoreContext,
  { template, subject, recipients: allRecipients, ...content }: MailContent,
): Promise<void> {
  const recipients = allRecipients.filter((email) => !isErasedEmail(email))
  if (recipients.length === 0) return
  const message = newId('msg_')
  await insertMail(tx, store.id, {
    message,
    template,
    content_enc: vault.seal(mailSealContext(store.id, message), JSON.stringify(content)),
    subject,
    status: store.livemode ? 'queued' : 'kept',
    created_at: now,
    recipients,
  })
}
