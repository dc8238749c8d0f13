import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isLoopbackName } from '../kernel/net.ts'

/**
 * The encryption of mail. `implicit`: TLS from the first byte (`smtps:`). `required`: STARTTLS.
 * `offered`: STARTTLS if the server supports it. `off`: none.
 */
export type SmtpTls = 'implicit' | 'required' | 'offered' | 'off'

/** The key with which mail is signed (RFC 6376). Its public half is in the DNS of the domain of the sender. */
interface DkimConfig {
  selector: string
  privateKey: string
}

export interface SmtpConfig {
  url: string
  from: string
  tls: SmtpTls
  /** If undefined, only the mail server may sign mail. */
  dkim?: DkimConfig | undefined
}

/** The readers of variables that this file uses. */
interface MailVariables {
  text(name: string): string | undefined
  url(name: string, protocols: readonly string[], example: string): string | undefined
  addFault(name: string, message: string): void
}

const SMTP_URL = 'TRADEPOST_SMTP_URL'
const MAIL_FROM = 'TRADEPOST_MAIL_FROM'
const DKIM_KEY = 'TRADEPOST_DKIM_KEY'
const DKIM_SELECTOR = 'TRADEPOST_DKIM_SELECTOR'

/** Receivers ignore signatures of shorter keys (RFC 8301). */
const DKIM_KEY_BITS_MIN = 1_024
const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/

/**
 * Reads the mail server. `TRADEPOST_MAIL_FROM` or `?from=` sets the sender if the user name is not an email address.
 */
export function readSmtp(reader: MailVariables): SmtpConfig | undefined {
  const sender = readSender(reader)
  const dkim = readDkim(reader)
  const example = 'smtp://user:password@mail.example.com:587?from=shop@example.com'
  const url = reader.url(SMTP_URL, ['smtp:', 'smtps:'], example)
  if (url === undefined) return undefined
  const { hostname, username, password, searchParams } = new URL(url)
  const user = decodePart(username)
  if (user === undefined || decodePart(password) === undefined) {
    reader.addFault(SMTP_URL, 'write % in a user or password as %25.')
    return undefined
  }
  if (!hostname) {
    reader.addFault(SMTP_URL, `write the host of the mail server, such as ${example}.`)
    return undefined
  }
  const from =
    sender ?? searchParams.get('from') ?? (user.includes('@') ? user : `shop@${hostname}`)
  if (!ADDRESS.test(from)) {
    reader.addFault(SMTP_URL, 'write the sender of mail, such as ?from=shop@example.com.')
  }
  return { url, from, tls: readSmtpTls(reader, new URL(url)), dkim }
}

function readSender(reader: MailVariables): string | undefined {
  const from = reader.text(MAIL_FROM)
  if (from !== undefined && !ADDRESS.test(from))
    reader.addFault(MAIL_FROM, `write an email address such as shop@example.com, not "${from}".`)
  return from
}

/** Reads the key with which mail is signed. The key and its selector are set together. */
function readDkim(reader: MailVariables): DkimConfig | undefined {
  const path = reader.text(DKIM_KEY)
  const selector = reader.text(DKIM_SELECTOR)
  if (path === undefined && selector === undefined) return undefined
  if (path === undefined)
    reader.addFault(DKIM_KEY, `write the path of the private key, because ${DKIM_SELECTOR} is set.`)
  if (selector === undefined)
    reader.addFault(DKIM_SELECTOR, `write the selector of the key, because ${DKIM_KEY} is set.`)
  else if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(selector))
    reader.addFault(DKIM_SELECTOR, 'write a name of letters, digits and hyphens, such as mail2026.')
  const privateKey = path === undefined ? undefined : readDkimKey(reader, path)
  return privateKey === undefined || selector === undefined ? undefined : { selector, privateKey }
}

function readDkimKey(reader: MailVariables, path: string): string | undefined {
  let pem: string
  try {
    pem = readFileSync(path, 'utf8')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    reader.addFault(DKIM_KEY, `the file ${path} cannot be read (${reason}).`)
    return undefined
  }
  if (isDkimKey(pem)) return pem
  const command = 'openssl genrsa -out dkim.pem 2048'
  reader.addFault(DKIM_KEY, `the file ${path} is no RSA private key in PEM. Create one: ${command}`)
  return undefined
}

function isDkimKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    const bits = asymmetricKeyDetails?.modulusLength ?? 0
    return asymmetricKeyType === 'rsa' && bits >= DKIM_KEY_BITS_MIN
  } catch {
    return false
  }
}

/** TLS is required unless the server is on this machine or the operator sets `?tls=off` (decision 128). */
function readSmtpTls(reader: MailVariables, { protocol, hostname, searchParams }: URL): SmtpTls {
  const isImplicit = protocol === 'smtps:'
  const input = searchParams.get('tls')
  if (input === 'required' || input === null) {
    if (isImplicit) return 'implicit'
    return input === null && isLoopbackName(hostname) ? 'offered' : 'required'
  }
  if (input !== 'off') {
    reader.addFault(SMTP_URL, 'write tls=off or tls=required, or omit tls.')
  } else if (isImplicit) {
    reader.addFault(SMTP_URL, 'smtps: is always encrypted. Omit tls=off, or write smtp:.')
  }
  return 'off'
}

/** Decodes a part of a URL. Returns undefined if a percent sign is not followed by two digits. */
export function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
