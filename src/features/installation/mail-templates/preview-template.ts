import { inTransaction } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { fillMail, queueMail, renderMail } from '../mail/index.ts'
import { sampleValues } from '../mail-texts/index.ts'
import type { MailDraft, MailTemplatePath } from './schema.ts'
import { checkPlaceholders, keyOf, readTemplate, type StoreTextKey } from './word-template.ts'

/** Returns a mail with sample values. Fields of a draft replace those of the stored text. */
export async function previewTemplate(
  context: StoreContext,
  path: MailTemplatePath,
  draft: MailDraft,
) {
  const key = keyOf(path)
  checkPlaceholders(draft)
  const text = { ...(await readTemplate(context, key)), ...draft }
  const mail = { ...key, values: sampleOf(context, key) }
  const { subject, ...body } = fillMail(context, text, mail)
  return { subject, ...renderMail(subject, body) }
}

/** Queues a mail with sample values to one address. */
export async function testTemplate(context: StoreContext, path: MailTemplatePath, to: string) {
  const key = keyOf(path)
  const mail = { ...key, recipients: [to], values: sampleOf(context, key) }
  await inTransaction(context.db, (tx) => queueMail(tx, context, mail))
  context.audit.reportChange(null, { to })
  return { to }
}

const sampleOf = ({ store, now }: StoreContext, { template, language }: StoreTextKey) =>
  sampleValues(store, { template, language, now })
