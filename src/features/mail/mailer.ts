import type { Transporter } from 'nodemailer'
import { SECOND_MS } from '../../kernel/time.ts'

export interface Envelope {
  from: { name: string; address: string }
  to: string
  subject: string
  text: string
  messageId: string
  /** Where mail programs may send that it was the last one (RFC 8058). */
  stopUrl?: string
}

const TIMEOUTS = { connectionTimeout: 10 * SECOND_MS, socketTimeout: 30 * SECOND_MS }
const CONNECTIONS_MAX = 3

const transports = new Map<string, Promise<Transporter>>()

/** Hands mail to the server of `TRADEPOST_SMTP_URL`; its code is loaded with the first. */
export async function sendMail(
  smtpUrl: string,
  { from, to, stopUrl, ...letter }: Envelope,
): Promise<void> {
  const transport = await transportTo(smtpUrl)
  const headers = stopUrl && {
    'List-Unsubscribe': `<${stopUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  // An object, not text: a name with a comma or a bracket stays a name.
  const envelope = { from, to: { name: '', address: to } }
  await transport.sendMail({ ...letter, ...envelope, ...(headers && { headers }) })
}

function transportTo(smtpUrl: string): Promise<Transporter> {
  const known = transports.get(smtpUrl) ?? open(smtpUrl)
  transports.set(smtpUrl, known)
  return known
}

async function open(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const url = new URL(smtpUrl)
  return createTransport({
    host: url.hostname,
    port: url.port === '' ? (url.protocol === 'smtps:' ? 465 : 587) : Number(url.port),
    secure: url.protocol === 'smtps:',
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
