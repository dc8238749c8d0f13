import { type App, type Job, storeNow } from '../../../app.ts'
import type { SmtpConfig } from '../../../config/mail-config.ts'
import { emailKey } from '../../../kernel/email.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import { formerSubject, type MailContent, readContent, renderMail } from './content.ts'
import { domainOf, sendMail } from './mailer.ts'
import * as q from './queries.ts'
import { isFinal, type MailFailure, reasonOf, waitAfter } from './retry.rules.ts'
import { mailSealContext } from './sealed.ts'
import { unsubscribeToken } from './unsubscribe-token.rules.ts'

const MAILS_PER_RUN = 20
const ERROR_LENGTH_MAX = 500

/**
 * Sends due mail. A process without a mail server leaves it to a process that has one. If no process has
 * one, the mail gets the status `kept` (decision 128).
 */
export const sendMailJob: Job = {
  name: 'send-mail',
  due: q.nextMail,
  async run(app) {
    const { smtp } = app.config
    if (smtp) await q.recordSender(app.db)
    else if (await q.isSenderRunning(app.db)) return false
    const claimedMails = await q.claimMail(app.db, MAILS_PER_RUN)
    await Promise.all(
      claimedMails.map(async (mail) => {
        const result = smtp ? await attemptMail(app, smtp, mail) : KEPT_RESULT
        await q.recordResult(app.db, mail, result)
        app.meter.count('mail', result.status)
      }),
    )
    return claimedMails.length === MAILS_PER_RUN
  },
}

/** Records that this process has a mail server, so that processes without one do not set mail to `kept`. */
export const recordMailSenderJob: Job = {
  name: 'record-mail-sender',
  every_ms: MINUTE_MS,
  async run({ db, config }) {
    if (config.smtp) await q.recordSender(db)
    return false
  },
}

const KEPT_RESULT: q.MailResult = {
  status: 'kept',
  error: null,
  wait_s: 0,
  sent_at: null,
  bounced_at: null,
}

async function attemptMail(app: App, smtp: SmtpConfig, mail: q.DueMail): Promise<q.MailResult> {
  try {
    const sealContext = mailSealContext(mail.store_id, mail.message)
    const json = app.vault.open(sealContext, mail.content_enc).toString()
    const subject = mail.subject ?? formerSubject(json)
    await sendMail(smtp, {
      from: { name: mail.mail_from_name ?? mail.store_name, address: smtp.from },
      // Mail servers accept domains in ASCII only.
      to: emailKey(mail.recipient),
      ...(mail.support_email && { replyTo: emailKey(mail.support_email) }),
      subject,
      ...contentFor(app, mail, { subject, content: readContent(json) }),
      // The id is equal in every attempt, so that a mailbox can recognize a duplicate.
      messageId: `<${mail.message}.${mail.id}@${domainOf(smtp.from)}>`,
    })
    return { ...KEPT_RESULT, status: 'sent', sent_at: storeNow(app, mail) }
  } catch (error) {
    const failure = error as Error & MailFailure
    const { code, responseCode } = failure
    const isBounce = isFinal(failure)
    const wait_s = isBounce ? undefined : waitAfter(mail.attempts)
    const { id: mail_id, store_id } = mail
    app.log.warn({ mail_id, store_id, code, responseCode }, 'mail was not sent')
    return {
      status: isBounce ? 'bounced' : wait_s === undefined ? 'failed' : 'queued',
      error: reasonOf(failure).slice(0, ERROR_LENGTH_MAX),
      wait_s: wait_s ?? 0,
      sent_at: null,
      bounced_at: isBounce ? storeNow(app, mail) : null,
    }
  }
}

/** Renders a mail with the URL at which its recipient unsubscribes (RFC 8058). */
function contentFor(
  { vault, config }: App,
  { store_id, recipient }: q.DueMail,
  { subject, content: { stop, ...body } }: { subject: string; content: MailContent },
) {
  if (!stop) return renderMail(subject, body)
  const subscriber = { store_id, email: recipient }
  const token = unsubscribeToken(subscriber, (signedText) => vault.hmac('stop_mail', signedText))
  const unsubscribeUrl = config.publicUrl + stop.path + token
  return { ...renderMail(subject, body, { text: stop.text, url: unsubscribeUrl }), unsubscribeUrl }
}
