import { type App, type Job, storeNow } from '../../../app.ts'
import type { SmtpConfig } from '../../../config/config.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import { sendMail } from './mailer.ts'
import * as q from './queries.ts'
import type { Letter } from './queue-mail.ts'
import { isFinal, type MailFailure, reasonOf, waitAfter } from './retry.rules.ts'
import { mailSealContext } from './sealed.ts'
import { stopToken } from './stop-link.rules.ts'

const BATCH = 20

/**
 * Sends mail that is due. A process without a mail server leaves it to a process that has one, and
 * keeps it if there is none (decision 128).
 */
export const sendMailJob: Job = {
  name: 'send-mail',
  due: q.nextMail,
  async run(app) {
    const { smtp } = app.config
    if (smtp) await q.recordSender(app.db)
    else if (await q.selectSenderRuns(app.db)) return false
    const due = await q.claimMail(app.db, BATCH)
    await Promise.all(
      due.map(async (mail) => {
        const result = smtp ? await attempt(app, smtp, mail) : KEPT
        await q.recordResult(app.db, mail, result)
      }),
    )
    return due.length === BATCH
  },
}

/** Processes without a mail server leave mail to this one for 15 minutes after each record. */
export const recordMailSenderJob: Job = {
  name: 'record-mail-sender',
  every_ms: MINUTE_MS,
  async run({ db, config }) {
    if (config.smtp) await q.recordSender(db)
    return false
  },
}

const KEPT: q.MailResult = { status: 'kept', error: null, wait_s: 0, sent_at: null }

async function attempt(app: App, smtp: SmtpConfig, mail: q.DueMail): Promise<q.MailResult> {
  try {
    const sealContext = mailSealContext(mail.store_id, mail.message)
    const letter = JSON.parse(app.vault.open(sealContext, mail.content_enc).toString())
    await sendMail(smtp, {
      from: { name: mail.store_name, address: smtp.from },
      to: mail.recipient,
      ...(mail.support_email && { replyTo: mail.support_email }),
      subject: mail.subject ?? letter.subject,
      ...withStop(app, mail, letter),
      // The same for every attempt, so that a mailbox may recognize a repeat.
      messageId: `<${mail.message}.${mail.id}@${smtp.from.replace(/.*@/, '')}>`,
    })
    return { status: 'sent', error: null, wait_s: 0, sent_at: storeNow(app, mail) }
  } catch (error) {
    const refusal = error as Error & MailFailure
    const { code, responseCode } = refusal
    const wait_s = isFinal(refusal) ? undefined : waitAfter(mail.attempts)
    const { id: mail_id, store_id } = mail
    app.log.warn({ mail_id, store_id, code, responseCode }, 'mail was not sent')
    const ended = { error: reasonOf(refusal).slice(0, 500), sent_at: null }
    return wait_s === undefined
      ? { ...ended, status: 'failed', wait_s: 0 }
      : { ...ended, status: 'queued', wait_s }
  }
}

/** The text with the address by which this reader unsubscribes (RFC 8058). */
function withStop(
  { vault, config }: App,
  { store_id, recipient }: q.DueMail,
  { text, stop }: Pick<Letter, 'text' | 'stop'>,
) {
  if (!stop) return { text }
  const reader = { store_id, email: recipient }
  const token = stopToken(reader, (signed) => vault.hmac('stop_mail', signed))
  const url = config.publicUrl + stop.path + token
  return { text: `${text}\n\n${stop.text}\n${url}`, stopUrl: url }
}
