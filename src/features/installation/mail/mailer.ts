import type { Transporter } from 'nodemailer'
import type { SmtpConfig, SmtpTls } from '../../../config/mail-config.ts'
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

/** The signature must cover the headers with which readers unsubscribe (RFC 8058). */
const SIGNED_HEADERS = [
  ...['From', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'MIME-Version', 'Content-Type'],
  ...['Auto-Submitted', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
].join(':')

const transports = new Map<string, Promise<Transporter>>()

/** Sends a mail to the server of `TRADEPOST_SMTP_URL`. The first call loads the SMTP client. */
export async function sendMail(
  smtp: SmtpConfig,
  { from, to, unsubscribeUrl, ...content }: OutgoingMail,
): Promise<void> {
  const transport = await transportTo(smtp)
  const headers = {
    // Programs that answer mail, such as notices of absence, leave such mail alone (RFC 3834).
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl && {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  }
  // Objects, because nodemailer would parse a text with a comma as several addresses.
  const envelope = { from, to: { name: '', address: to } }
  await transport.sendMail({ ...content, ...envelope, headers })
}

/** Connects and signs in to the mail server without sending a mail. Throws if that fails. */
export const verifyMailServer = async (smtp: SmtpConfig): Promise<unknown> =>
  (await transportTo(smtp)).verify()

function transportTo(smtp: SmtpConfig): Promise<Transporter> {
  const key = JSON.stringify([smtp.url, smtp.from, smtp.dkim?.selector])
  const transport = transports.get(key) ?? openTransport(smtp)
  transports.set(key, transport)
  return transport
}

/** Returns the domain of an address. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** `offered` is for loopback only. The certificate is not checked, because it would prove nothing there. */
const TLS: Record<SmtpTls, object> = {
  implicit: { secure: true },
  required: { requireTLS: true },
  offered: { opportunisticTLS: true, tls: { rejectUnauthorized: false } },
  off: { ignoreTLS: true },
}

async function openTransport({ url: smtpUrl, tls, from, dkim }: SmtpConfig): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const url = new URL(smtpUrl)
  return createTransport({
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (tls === 'implicit' ? 465 : 587) : Number(url.port),
    ...TLS[tls],
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    ...(dkim && {
      dkim: {
        domainName: domainOf(from),
        keySelector: dkim.selector,
        privateKey: dkim.privateKey,
        headerFieldNames: SIGNED_HEADERS,
      },
    }),
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
