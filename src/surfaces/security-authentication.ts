import type { FastifyRequest } from 'fastify'
import { storeContextOf, storeNow } from '../app.ts'
import {
  type ApiKey,
  isValidForStore,
  planOf,
  type StoreRow,
} from '../features/installation/index.ts'
import { headerValues } from '../http/header-values.rules.ts'
import type { CallerAndStore } from '../http/mount.ts'
import { Refusal } from '../kernel/errors.ts'
import { isHash } from '../kernel/ids.ts'
import { recordKey, recordStore } from './call-watch.ts'
import {
  type AuthenticationContext,
  checkKey,
  checkPermission,
  findKey,
  type IncomingCall,
  withKeyActor,
} from './store-authentication.ts'

/** The date since which the header `Api-Key` is deprecated, in the format of RFC 9745: 1 January 2026. */
const DEPRECATED_SINCE = '@1767225600'
const CREDENTIAL_HEADERS = ['authorization', 'x-api-key', 'api-key']

/** Checks a call of the management half of the Client Security API (decision 20). */
export async function authenticateSecurity(
  auth: AuthenticationContext,
  call: IncomingCall,
): Promise<CallerAndStore> {
  const { request, reply, endpoint } = call
  if (request.headers['api-key'] !== undefined) reply.header('deprecation', DEPRECATED_SINCE)
  const key = await findKey(auth, 'security', request.ip, readKey(request))
  recordKey(request, key, endpoint)
  await checkKey(auth, call, key, auth.app.clock.now())
  const store = await storeOf(auth, key, request.headers['x-store-hash'])
  recordStore(request, store)
  if (!planOf(store.plan).store_api) {
    throw new Refusal(
      403,
      `The plan ${store.plan} does not include the Client Security API. Choose another plan.`,
    )
  }
  if (endpoint) checkPermission(key, endpoint)
  const now = storeNow(auth.app, store)
  const actingApp = withKeyActor(auth.app, key, request)
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
    now,
    contextOn: (db) => storeContextOf(actingApp, store, db, now),
  }
}

/** Reads the key from one of three headers. Different keys or a repeated header are refused. */
function readKey(request: FastifyRequest): string {
  const { rawHeaders } = request.raw
  const sentHeaders = CREDENTIAL_HEADERS.filter((name) => request.headers[name] !== undefined)
  const keys = sentHeaders.map((name) => keyIn(name, String(request.headers[name])))
  if (keys.every((key) => key === '')) {
    throw new Refusal(401, 'A valid API key is required. Send Authorization: Bearer <key>.')
  }
  const isRepeated = sentHeaders.some((name) => headerValues(rawHeaders, name).length > 1)
  if (isRepeated || keys.some((key) => key !== keys[0])) {
    throw new Refusal(401, 'A valid API key is required. Send one key in one header.')
  }
  return keys[0] ?? ''
}

const keyIn = (name: string, value: string): string =>
  name === 'authorization' ? (/^bearer +(\S+) *$/i.exec(value)?.[1] ?? '') : value

/** Returns the store in `x-store-hash`, or the only store of the key. */
async function storeOf(auth: AuthenticationContext, key: ApiKey, hash: unknown): Promise<StoreRow> {
  if (hash === undefined) {
    const onlyStore = await auth.stores.findOnly(key)
    if (onlyStore) return onlyStore
    throw new Refusal(401, 'This API key is valid for several stores. Send x-store-hash.')
  }
  const store = typeof hash === 'string' && isHash(hash) ? await auth.stores.find(hash) : undefined
  if (store && isValidForStore(key, store)) return store
  throw new Refusal(
    403,
    'This API key is not valid for the store in x-store-hash. Use a key of this store.',
  )
}
