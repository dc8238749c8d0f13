import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { signerAt } from '../features/licensing/index.ts'
import { headerValues } from '../http/header-values.rules.ts'
import { Refusal } from '../kernel/errors.ts'
import { SECOND_MS } from '../kernel/time.ts'
import type { FoundApp } from './app-directory.ts'
import { SECURITY_PREFIX } from './security-api.ts'

/** The parts of an answer that are signed. */
interface SignedAnswer {
  status: number
  /** Hex SHA-256 of the body. */
  bodyHash: string
}

export const sha256Hex = (data: string | Buffer): string =>
  createHash('sha256').update(data).digest('hex')

/** Returns the path and query as sent, byte for byte, relative to the base URL. */
export const pathOf = (request: FastifyRequest): string =>
  request.originalUrl.slice(SECURITY_PREFIX.length)

export const nonceOf = (request: FastifyRequest): string | undefined => {
  const nonce = request.headers['client-nonce']
  return Array.isArray(nonce) ? nonce.join(', ') : nonce
}

/** A repeated header is ignored, because Node reads the first one and other servers the last one. */
const hasRepeatedAuthorization = ({ raw: { rawHeaders } }: FastifyRequest): boolean =>
  headerValues(rawHeaders, 'authorization').length > 1

/** Returns the session token as sent, in any form; undefined unless there is exactly one. */
export const tokenInHeader = (request: FastifyRequest): string | undefined =>
  hasRepeatedAuthorization(request)
    ? undefined
    : /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]

/** Returns true if a text has the form of a session token. Other texts are not looked up. */
export const isToken = (text: string | undefined): text is string =>
  /^[A-Za-z0-9_-]{43}$/.test(text ?? '')

export function requireToken(request: FastifyRequest): string {
  const token = tokenInHeader(request)
  if (!isToken(token))
    throw new Refusal(
      401,
      'A session token is required. Send Authorization: Bearer <session token>.',
    )
  return token
}

/**
 * Signs an answer together with its request. If the body and token of the request were not signed, a proxy could
 * use its own license key for the calls of many programs (decision 117).
 */
export function signatureOf(
  { app: { public_id }, signers }: FoundApp,
  request: FastifyRequest,
  { status, bodyHash }: SignedAnswer,
  now: number,
): string {
  const signer = signerAt(signers, now)
  const timestamp = Math.floor(now / SECOND_MS)
  const token = tokenInHeader(request)
  const text = [
    'client-response/v1',
    public_id,
    request.method,
    pathOf(request),
    nonceOf(request) ?? '-',
    requestHashOf(request),
    token === undefined ? '-' : sha256Hex(token),
    status,
    timestamp,
    bodyHash,
  ].join('\n')
  return `t=${timestamp},kid=${signer.kid},v1=${signer.sign(text)}`
}

/** Returns `-` if the request has a body that was not read, as in a refusal before the body. */
function requestHashOf(request: FastifyRequest): string {
  const { body, headers } = request
  if (Buffer.isBuffer(body)) return sha256Hex(body)
  const length = headers['transfer-encoding'] ?? headers['content-length'] ?? '0'
  return /^0+$/.test(length) ? sha256Hex('') : '-'
}
