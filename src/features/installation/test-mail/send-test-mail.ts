import type { SmtpConfig } from '../../../config/mail-config.ts'
import { invalidState, requireRecord } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import { domainOf, reasonOf, sendMail } from '../mail/index.ts'
import { callingUserId, selectUser } from '../users/index.ts'
import type { TestMail } from './schema.ts'

const ERROR_MAX = 500

/**
 * Sends a mail to the signed-in user, through the mail server of all other mail. The caller cannot choose
 * the recipient, so the call cannot be used to send mail to strangers.
 */
export async function sendTestMail(
  context: StoreContext,
  smtp: SmtpConfig | undefined,
): Promise<TestMail> {
  if (!smtp) {
    const message =
      'No mail server is configured. Set TRADEPOST_SMTP_URL, such as smtps://user:password@mail.example.com?from=shop@example.com, and start Tradepost again.'
    throw invalidState('no_mail_server', message)
  }
  const { email } = requireRecord(await selectUser(context.db, callingUserId(context)), 'User')
  const mail = { to: email, from: smtp.from }
  try {
    await sendMail(smtp, {
      from: { name: context.store.mail_from_name ?? context.store.name, address: smtp.from },
      to: email,
      subject: `Test mail from ${context.store.name}`,
      text: 'The mail server of this Tradepost works: it accepted this mail.',
      messageId: `<${newId('msg_')}@${domainOf(smtp.from)}>`,
    })
    return { ...mail, sent: true, error: null }
  } catch (error) {
    return { ...mail, sent: false, error: reasonOf(error as Error).slice(0, ERROR_MAX) }
  }
}
