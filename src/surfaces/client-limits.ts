import type { FastifyRequest } from 'fastify'
import { hashToken } from '../features/licensing/index.ts'
import type { ClientEndpoint } from '../http/client-endpoint.ts'
import { Refusal } from '../kernel/errors.ts'
import { neighbourhoodOf } from '../kernel/net.ts'
import type { Called } from './app-book.ts'
import { isToken, sentToken } from './client-signature.ts'
import type { AuthenticationContext } from './store-authentication.ts'

type CalledApp = Called['app']

/**
 * Refuses a call over a limit of its app, before its body is read and any license key is looked up.
 * Sessions have their own limit, independent of the address, counted after the session is found
 * (decision 118).
 */
export async function refuseTooMany(
  auth: AuthenticationContext,
  request: FastifyRequest,
  { app }: Called,
  { limit }: ClientEndpoint,
) {
  if (!limit || limit === 'by grant') return
  const token = sentToken(request)
  if (limit === 'session_calls' && isToken(token)) {
    await refuseUsedUp(auth, ofSession(hashToken(token)), app.rate_limits[limit])
    return
  }
  if (limit !== 'session_calls') await unknownLeft(auth, request, app)
  await take(auth, `${limit}|${callerOf(request, app)}`, app.rate_limits[limit])
}

const TOO_MANY_CALLS = 'Too many calls in the past 60 seconds.'
const TOO_MANY_KEYS = 'Too many unknown license keys from this address in the past 60 seconds.'
export const TOO_MANY_TOKENS =
  'Too many unknown session tokens from this address in the past 60 seconds.'

/** Counts a call, or refuses it. */
export async function take(
  auth: AuthenticationContext,
  name: string,
  limit: number | null,
  why = TOO_MANY_CALLS,
) {
  if (limit === null) return
  const { allowed, retry_after_s } = await auth.limiter.take(name, limit, auth.app.clock.now())
  if (!allowed) throw tooMany(why, retry_after_s)
}

/** Returns how many calls remain; refuses if none does. Counts nothing. */
async function refuseUsedUp(
  auth: AuthenticationContext,
  name: string,
  limit: number | null,
  why = TOO_MANY_CALLS,
): Promise<number> {
  if (limit === null) return Number.POSITIVE_INFINITY
  const { remaining, retry_after_s } = await auth.limiter.look(name, limit, auth.app.clock.now())
  if (remaining === 0) throw tooMany(why, retry_after_s)
  return remaining
}

export const ofSession = (tokenHash: Buffer): string => `session|${tokenHash.toString('base64url')}`

export const callerOf = (request: FastifyRequest, app: CalledApp): string =>
  `${app.id}|${neighbourhoodOf(request.ip)}`
export const unknownKeysOf = (request: FastifyRequest, app: CalledApp): string =>
  `unknown_keys|${callerOf(request, app)}`

/** How many unknown license keys an address may still try; refuses if none. */
const unknownLeft = (
  auth: AuthenticationContext,
  request: FastifyRequest,
  app: CalledApp,
): Promise<number> =>
  refuseUsedUp(auth, unknownKeysOf(request, app), app.rate_limits.unknown_keys, TOO_MANY_KEYS)

const tooMany = (why: string, wait_s: number) =>
  new Refusal('RATE_LIMITED', why, undefined, { 'retry-after': String(wait_s) })

/**
 * A license key turns out unknown only after its lookup. So an address may have no more concurrent
 * calls than unknown keys it has left.
 */
export const amongUnknownKeys = <T>(
  auth: AuthenticationContext,
  request: FastifyRequest,
  app: CalledApp,
  work: () => Promise<T>,
) => auth.concurrency.pass(unknownKeysOf(request, app), () => unknownLeft(auth, request, app), work)
