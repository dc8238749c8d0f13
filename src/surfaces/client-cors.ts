import type { FastifyRequest } from 'fastify'
import { HOUR_MS, SECOND_MS } from '../kernel/time.ts'

/** Browsers keep the answer to a preflight for two hours at most. */
const PREFLIGHT_MAX_AGE_S = (2 * HOUR_MS) / SECOND_MS

/**
 * The headers with which a page of any origin may read an answer to a client program (decision 184). They allow no
 * cookies, because these calls have no other credential than their own headers.
 */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'service-response-signature, x-request-id, retry-after, etag, content-range, accept-ranges, content-disposition, allow',
} as const

/** The headers of an answer to a preflight, in addition to `CORS_HEADERS`. */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
  'access-control-allow-headers':
    'authorization, client-nonce, client-proof, content-type, if-none-match, if-range, range',
  'access-control-max-age': String(PREFLIGHT_MAX_AGE_S),
} as const

/** Returns true for the question of a browser whether a page may send a call. Other OPTIONS calls are 405. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined
