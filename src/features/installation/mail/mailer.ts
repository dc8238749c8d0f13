import type { Transporter } from 'nodemailer'
import type { SmtpConfig, SmtpTls } from '../../../config/config.ts'
import { SECOND_MS } from '../../../kernel/time.ts'

export interface Envelope {
  from: { name: string; address: string }
  to: string
  replyTo?: string
  subject: string
  text: string
  messageId: string
  /** The address at which mail programs unsubscribe the reader (RFC 8058). */
  stopUrl?: string
}

const TIMEOUTS = { connectionTimeout: 10 * SECOND_MS, socketTimeout: 30 * SECOND_MS }
const CONNECTIONS_MAX = 3

const transports = new Map<string, Promise<Transporter>>()

/** Hands mail to the server of `TRADEPOST_SMTP_URL`; its code is loaded with the first. */
export async function sendMail(
  smtp: SmtpConfig,
  { from, to, stopUrl, ...letter }: Envelope,
): Promise<void> {
  const transport = await transportTo(smtp)
  const headers = stopUrl && {
    'List-Unsubscribe': `<${stopUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  // An object, not text: a name with a comma or a bracket stays a name.
  const envelope = { from, to: { name: '', address: to } }
  await transport.sendMail({ ...letter, ...envelope, ...(headers && { headers }) })
}

function transportTo(smtp: SmtpConfig): Promise<Transporter> {
  const known = transports.get(smtp.url) ?? open(smtp)
  transports.set(smtp.url, known)
  return known
}

/** `offered` is for loopback only, where a certificate would prove nothing: it is not checked. */
const TLS: Record<SmtpTls, object> = {
  implicit: { secure: true },
  required: { requireTLS: true },
  offered: { opportunisticTLS: true, tls: { rejectUnauthorized: false } },
  off: { ignoreTLS: true },
}

async function open({ url: smtpUrl, tls }: SmtpConfig): Promise<Transporter> {
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
