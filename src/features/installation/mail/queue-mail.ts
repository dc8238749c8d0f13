import type { Tx } from '../../../db/database.ts'
import { isErasedEmail } from '../../../kernel/erased-email.ts'
import { newId } from '../../../kernel/ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import { insertMail } from './queries.ts'
import type { Template } from './schema.ts'
import { mailSealContext } from './sealed.ts'

/** One text for one or many; each gets a mail of their own. */
export interface Letter {
  template: Template
  recipients: readonly string[]
  subject: string
  text: string
  /** The path at which readers unsubscribe; each gets a token of their own. */
  stop?: { path: string; text: string }
}

/**
 * Writes mail in the transaction of the change that it reports; a job sends it. A test side's mail is kept
 * instead (decision 4).
 */
export async function queueMail(
  tx: Tx,
  { vault, store, now }: StoreContext,
  { template, recipients: named, subject, ...content }: Letter,
): Promise<void> {
  const recipients = named.filter((email) => !isErasedEmail(email))
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
