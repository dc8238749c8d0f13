import type { FastifyRequest } from 'fastify'
import { shopOf, storeNow } from '../app.ts'
import { type ApiKey, opens } from '../features/api-keys/index.ts'
import { type BookedStore, planOf } from '../features/stores/index.ts'
import type { Authenticated } from '../http/mount.ts'
import { PlainError } from '../kernel/errors.ts'
import { isHash } from '../kernel/ids.ts'
import {
  actingFor,
  checkPermission,
  checkUse,
  type GateContext,
  knownKey,
  type Visit,
} from './gate.ts'

/** When `Api-Key` was deprecated, as RFC 9745 writes it: 1 January 2026. */
const DEPRECATED_SINCE = '@1767225600'
const CREDENTIALS = ['authorization', 'x-api-key', 'api-key']

/** The checks of the Client Security API: its keys, its three headers (decision 20). */
export async function authenticateSecurity(
  context: GateContext,
  visit: Visit,
): Promise<Authenticated> {
  const { request, reply, e } = visit
  if (request.headers['api-key'] !== undefined) reply.header('deprecation', DEPRECATED_SINCE)
  const key = await knownKey(context, 'security', request.ip, credential(request))
  checkUse(context, visit, key, context.app.clock.now())
  const store = await storeOf(context, key, request.headers['x-store-hash'])
  if (!planOf(store.plan).store_api) {
    throw new PlainError(403, `The plan ${store.plan} does not include the Client Security API.`)
  }
  if (e) checkPermission(key, e)
  const moment = storeNow(context.app, store)
  const acting = actingFor(context.app, key, request)
  return {
    caller: {
      key_id: key.id,
      permissions: new Set(key.permissions),
      rate_limit: key.rate_limit,
      monthly_used: 0,
      ip: request.ip,
    },
    storeId: store.id,
    now: moment,
    shopOn: (db) => shopOf(acting, store, db, moment),
  }
}

/** The key in one or more of the three headers; two that differ, or one sent twice, are refused. */
function credential(request: FastifyRequest): string {
  const { rawHeaders } = request.raw
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
  const given = CREDENTIALS.filter((name) => names.includes(name))
  const keys = given.map((name) => keyIn(name, String(request.headers[name])))
  if (keys.every((key) => key === '')) {
    throw new PlainError(401, 'A valid API key is required: send Authorization: Bearer <key>.')
  }
  const repeated = given.some((name) => names.filter((one) => one === name).length > 1)
  if (repeated || keys.some((key) => key !== keys[0])) {
    throw new PlainError(401, 'A valid API key is required: send one key, in one header.')
  }
  return keys[0] ?? ''
}

const keyIn = (name: string, value: string): string =>
  name === 'authorization' ? (/^bearer +(\S+) *$/i.exec(value)?.[1] ?? '') : value

/** The store in `x-store-hash`, or the only one that the key opens. */
async function storeOf(context: GateContext, key: ApiKey, hash: unknown): Promise<BookedStore> {
  if (hash === undefined) {
    const only = await context.book.findOnly(key)
    if (only) return only
    throw new PlainError(401, 'This API key opens several stores: send x-store-hash.')
  }
  const store = typeof hash === 'string' && isHash(hash) ? await context.book.find(hash) : undefined
  if (store && opens(key, store)) return store
  throw new PlainError(403, 'This API key is not valid for the store in x-store-hash.')
}
