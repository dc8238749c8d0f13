import type { Tx } from '../../../db/database.ts'
import { isErasedEmail } from '../../../kernel/erased-email.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Language } from '../../../kernel/language.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  buttonLabels,
  defaultText,
  fillBody,
  fillSubject,
  type MailText,
  type MailValues,
  selectCustomTextsOf,
  type Template,
  type TextKey,
} from '../mail-texts/index.ts'
import type { MailContent } from './content.ts'
import * as q from './queries.ts'
import { mailSealContext } from './sealed.ts'

/** A mail for one or more recipients, each of whom gets a separate mail. */
export interface NewMail {
  template: Template
  /** The language; by default that of the store. */
  language?: Language
  recipients: readonly string[]
  values: MailValues
  /** The order that the mail is about. */
  order_id?: string
  /** The event or record of the order that the mail reports. It is reported once. */
  cause?: string
  /** The path at which readers unsubscribe, and the sentence about it. Each recipient gets a separate token. */
  stop?: { path: string; text: string }
}

/** Writes one mail; see `queueMails`. */
export const queueMail = (tx: Tx, context: StoreContext, mail: NewMail): Promise<void> =>
  queueMails(tx, context, [mail])

/**
 * Writes mail in the transaction of the change that it reports. A job sends it later. Mail of a test side is stored
 * but never sent (decision 4).
 */
export async function queueMails(
  tx: Tx,
  context: StoreContext,
  allMails: readonly NewMail[],
): Promise<void> {
  const { vault, store, now } = context
  const mails = allMails
    .map((mail) => ({ ...mail, language: mail.language ?? store.language }))
    .map((mail) => ({ ...mail, recipients: mail.recipients.filter((to) => !isErasedEmail(to)) }))
    .filter(({ recipients }) => recipients.length > 0)
  if (mails.length === 0) return
  const textOf = await readTexts(tx, context, mails)
  const messages = mails.map(({ template, order_id = null, cause = null, recipients, ...mail }) => {
    const message = newId('msg_')
    const { subject, ...content } = fillMail(context, textOf({ template, ...mail }), {
      template,
      ...mail,
    })
    const content_enc = vault.seal(mailSealContext(store.id, message), JSON.stringify(content))
    return { message, template, subject, content_enc, order_id, cause, recipients }
  })
  const status = store.livemode ? 'queued' : 'kept'
  await q.insertMails(tx, store.id, { messages, status, created_at: now })
}

/** Returns a function that returns the text of a template: that of the store, or the built-in one. */
async function readTexts(tx: Tx, { store }: StoreContext, mails: readonly TextKey[]) {
  const nameOf = ({ template, language }: TextKey) => `${template} ${language}`
  const keys = [...new Map(mails.map((mail) => [nameOf(mail), mail])).values()]
  const customTexts = await selectCustomTextsOf(tx, store.id, keys)
  const texts = new Map(customTexts.map((text) => [nameOf(text), text]))
  return (key: TextKey): MailText =>
    texts.get(nameOf(key)) ?? defaultText(key.template, key.language)
}

/** Fills a text. If nothing remains of a subject that a store has worded, the mail gets the built-in subject. */
export function fillMail(
  { store }: Pick<StoreContext, 'store'>,
  { subject, body_text }: MailText,
  { template, language, values, stop }: TextKey & Pick<NewMail, 'values' | 'stop'>,
): MailContent & { subject: string } {
  const allValues = { store_name: store.name, ...values }
  return {
    subject:
      fillSubject(subject, allValues) ||
      fillSubject(defaultText(template, language).subject, allValues),
    language,
    store_name: store.name,
    blocks: fillBody(body_text, allValues, buttonLabels(template, language)),
    ...(stop && { stop }),
  }
}
