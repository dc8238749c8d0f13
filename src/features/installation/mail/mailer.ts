import type { Transporter } from 'nodemailer'
import type { SmtpConfig, SmtpTls } from '../../../config/config.ts'
import { SECOND_MS } from '../../../kernel/time.ts'

interface OutgoingMail {
  from: { name: string; address: string }
  to: string
  replyTo?: string
  subject: string
  text: string
  html?: string
  messageId: string
  /** The URL at which mail programs unsubscribe the recipient (RFC 8058). */
  unsubscribeUrl?: string
}

const TIMEOUTS = { connectionTimeout: 10 * SECOND_MS, socketTimeout: 30 * SECOND_MS }
const CONNECTIONS_MAX = 3

const transports = new Map<string, Promise<Transporter>>()

/** Sends a mail to the server of `TRADEPOST_SMTP_URL`. The first call loads the SMTP client. */
export async function sendMail(
  smtp: SmtpConfig,
  { from, to, unsubscribeUrl, ...content }: OutgoingMail,
): Promise<void> {
  const transport = await transportTo(smtp)
  const headers = unsubscribeUrl && {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  // Objects, because nodemailer would parse a text with a comma as several addresses.
  const envelope = { from, to: { name: '', address: to } }
  await transport.sendMail({ ...content, ...envelope, ...(headers && { headers }) })
}

/** Connects and signs in to the mail server without sending a mail. Throws if that fails. */
export const verifyMailServer = async (smtp: SmtpConfig): Promise<unknown> =>
  (await transportTo(smtp)).verify()

function transportTo(smtp: SmtpConfig): Promise<Transporter> {
  const transport = transports.get(smtp.url) ?? openTransport(smtp)
  transports.set(smtp.url, transport)
  return transport
}

/** `offered` is for loopback only. The certificate is not checked, because it would prove nothing there. */
const TLS: Record<SmtpTls, object> = {
  implicit: { secure: true },
  required: { requireTLS: true },
  offered: { opportunisticTLS: true, tls: { rejectUnauthorized: false } },
  off: { ignoreTLS: true },
}

async function openTransport({ url: smtpUrl, tls }: SmtpConfig): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const url = new URL(smtpUrl)
  return createTransport({
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (tls === 'implicit' ? 465 : 587) : Number(url.port),
    ...TLS[tls],
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
