import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { signerAt } from '../features/licensing/index.ts'
import { Refusal } from '../kernel/errors.ts'
import { SECOND_MS } from '../kernel/time.ts'
import type { Called } from './app-book.ts'
import { SECURITY_PREFIX } from './security-api.ts'

/** The answer as sent. */
interface Sent {
  status: number
  /** Hex SHA-256 of the body. */
  bodyHash: string
}

export const sha256Hex = (data: string | Buffer): string =>
  createHash('sha256').update(data).digest('hex')

/** The path as sent, byte for byte, relative to the base URL. */
export const pathOf = (request: FastifyRequest): string =>
  request.originalUrl.slice(SECURITY_PREFIX.length)

export const nonceOf = (request: FastifyRequest): string | undefined => {
  const nonce = request.headers['client-nonce']
  return Array.isArray(nonce) ? nonce.join(', ') : nonce
}

/** Two `Authorization` headers count as none: Node keeps the first, other servers the last. */
const isTwice = ({ raw: { rawHeaders } }: FastifyRequest): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && /^authorization$/i.test(name)).length > 1

/** The session token as sent, in any form; undefined without exactly one. */
export const sentToken = (request: FastifyRequest): string | undefined =>
  isTwice(request) ? undefined : /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]

/** True if a text has the form of a session token; other texts are not looked up. */
export const isToken = (text: string | undefined): text is string =>
  /^[A-Za-z0-9_-]{43}$/.test(text ?? '')

export function tokenOf(request: FastifyRequest): string {
  const token = sentToken(request)
  if (!isToken(token)) throw new Refusal(401, 'Send Authorization: Bearer <session token>.')
  return token
}

/**
 * Signs an answer together with its request. Without the request's body and token in the signature,
 * a proxy could use its own license key for the calls of many programs (decision 117).
 */
export function signatureOf(
  { app: { public_id }, signers }: Called,
  request: FastifyRequest,
  { status, bodyHash }: Sent,
  now: number,
): string {
  const signer = signerAt(signers, now)
  const t = Math.floor(now / SECOND_MS)
  const token = sentToken(request)
  const text = [
    'client-response/v1',
    public_id,
    request.method,
    pathOf(request),
    nonceOf(request) ?? '-',
    requestHashOf(request),
    token === undefined ? '-' : sha256Hex(token),
    status,
    t,
    bodyHash,
  ].join('\n')
  return `t=${t},kid=${signer.kid},v1=${signer.sign(text)}`
}

/** `-` if a body was announced but not fully read, as in a refusal before the body. */
function requestHashOf(request: FastifyRequest): string {
  const { body, headers } = request
  if (Buffer.isBuffer(body)) return sha256Hex(body)
  const announced = headers['transfer-encoding'] ?? headers['content-length'] ?? '0'
  return /^0+$/.test(announced) ? sha256Hex('') : '-'
}
