import type { App } from '../../app.ts'
import type { Job } from '../../jobs/job.ts'
import { SECOND_MS } from '../../kernel/time.ts'
import { mailPlace } from './mail-place.ts'
import { sendMail } from './mailer.ts'
import { claimMail, type DueMail, type MailResult, recordResult } from './queries.ts'
import type { Letter } from './queue-mail.ts'
import { isFinal, type Refusal, waitAfter } from './retry.rules.ts'
import { stopToken } from './stop-link.rules.ts'

const BATCH = 20

/** Sends what is due. Without a mail server nothing is sent, and what was written is kept. */
export const sendMailJob: Job = {
  name: 'send-mail',
  every_ms: 2 * SECOND_MS,
  async run(app) {
    const due = await claimMail(app.db, BATCH)
    await Promise.all(due.map(async (mail) => recordResult(app.db, mail, await attempt(app, mail))))
    return due.length === BATCH
  },
}

async function attempt(app: App, mail: DueMail): Promise<MailResult> {
  const { smtp } = app.config
  if (!smtp) return { status: 'kept', error: null, wait_s: 0 }
  try {
    const place = mailPlace(mail.store_id, mail.message)
    const letter = JSON.parse(app.vault.open(place, mail.content_enc).toString())
    await sendMail(smtp.url, {
      from: { name: mail.store_name, address: smtp.from },
      to: mail.recipient,
      ...withStop(app, mail, letter),
      // The same for every try, so that a mailbox may tell a repeat.
      messageId: `<${mail.message}.${mail.id}@${smtp.from.replace(/.*@/, '')}>`,
    })
    return { status: 'sent', error: null, wait_s: 0 }
  } catch (error) {
    const { responseCode, command, message } = error as Error & Refusal
    const wait_s = isFinal({ responseCode, command }) ? undefined : waitAfter(mail.attempts)
    app.log.warn({ mail_id: mail.id, store_id: mail.store_id, responseCode }, 'mail was not sent')
    const told = message.slice(0, 500)
    return wait_s === undefined
      ? { status: 'failed', error: told, wait_s: 0 }
      : { status: 'queued', error: told, wait_s }
  }
}

/** The letter with the address at which this reader says that it is the last one (RFC 8058). */
function withStop(
  { vault, config }: App,
  mail: DueMail,
  { subject, text, stop }: Omit<Letter, 'recipients'>,
) {
  if (!stop) return { subject, text }
  const token = stopToken(mail, (signed) => vault.hmac('stop_mail', signed))
  const url = config.publicUrl + stop.path + token
  return { subject, text: `${text}\n\n${stop.text}\n${url}`, stopUrl: url }
}
