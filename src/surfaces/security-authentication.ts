import type { FastifyRequest } from 'fastify'
import { storeContextOf, storeNow } from '../app.ts'
import { type ApiKey, type CachedStore, opens, planOf } from '../features/installation/index.ts'
import type { Authenticated } from '../http/mount.ts'
import { Refusal } from '../kernel/errors.ts'
import { isHash } from '../kernel/ids.ts'
import { knowKey, knowStore } from './call-watch.ts'
import {
  type AuthenticationContext,
  actingFor,
  checkPermission,
  checkUse,
  knownKey,
  type Visit,
} from './store-authentication.ts'

/** The date when `Api-Key` was deprecated, in the form of RFC 9745: 1 January 2026. */
const DEPRECATED_SINCE = '@1767225600'
const CREDENTIALS = ['authorization', 'x-api-key', 'api-key']

/** The checks of the Client Security API: its keys and its three headers (decision 20). */
export async function authenticateSecurity(
  auth: AuthenticationContext,
  visit: Visit,
): Promise<Authenticated> {
  const { request, reply, e } = visit
  if (request.headers['api-key'] !== undefined) reply.header('deprecation', DEPRECATED_SINCE)
  const key = await knownKey(auth, 'security', request.ip, credential(request))
  knowKey(request, key, e)
  await checkUse(auth, visit, key, auth.app.clock.now())
  const store = await storeOf(auth, key, request.headers['x-store-hash'])
  knowStore(request, store)
  if (!planOf(store.plan).store_api) {
    throw new Refusal(403, `The plan ${store.plan} does not include the Client Security API.`)
  }
  if (e) checkPermission(key, e)
  const moment = storeNow(auth.app, store)
  const acting = actingFor(auth.app, key, request)
  return {
    caller: {
      key_id: key.id,
      user_id: null,
      permissions: new Set(key.permissions),
      rate_limit: key.rate_limit,
      monthly_used: 0,
      ip: request.ip,
    },
    storeId: store.id,
    now: moment,
    contextOn: (db) => storeContextOf(acting, store, db, moment),
  }
}

/** Reads the key from the three headers. Different keys, or a repeated header, are refused. */
function credential(request: FastifyRequest): string {
  const { rawHeaders } = request.raw
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
  const present = CREDENTIALS.filter((name) => names.includes(name))
  const keys = present.map((name) => keyIn(name, String(request.headers[name])))
  if (keys.every((key) => key === '')) {
    throw new Refusal(401, 'A valid API key is required: send Authorization: Bearer <key>.')
  }
  const repeated = present.some((name) => names.filter((item) => item === name).length > 1)
  if (repeated || keys.some((key) => key !== keys[0])) {
    throw new Refusal(401, 'A valid API key is required: send one key, in one header.')
  }
  return keys[0] ?? ''
}

const keyIn = (name: string, value: string): string =>
  name === 'authorization' ? (/^bearer +(\S+) *$/i.exec(value)?.[1] ?? '') : value

/** The store in `x-store-hash`, or the key's only store. */
async function storeOf(
  auth: AuthenticationContext,
  key: ApiKey,
  hash: unknown,
): Promise<CachedStore> {
  if (hash === undefined) {
    const only = await auth.book.findOnly(key)
    if (only) return only
    throw new Refusal(401, 'This API key opens several stores: send x-store-hash.')
  }
  const store = typeof hash === 'string' && isHash(hash) ? await auth.book.find(hash) : undefined
  if (store && opens(key, store)) return store
  throw new Refusal(403, 'This API key is not valid for the store in x-store-hash.')
}
