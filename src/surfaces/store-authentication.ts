import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, storeContextOf, storeNow } from '../app.ts'
import {
  type ApiKey,
  type CachedStore,
  type CallLog,
  createCallLog,
  createQuotaMeter,
  type Keyring,
  LiveHub,
  openKeyring,
  openStoreDirectory,
  opens,
  planOf,
  type QuotaMeter,
  type StoreDirectory,
} from '../features/installation/index.ts'
import { createUsageLog, type UsageLog } from '../features/licensing/index.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../http/concurrency-limit.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { Authenticated } from '../http/mount.ts'
import { type Allowance, type Counted, type RateLimiter, WINDOW_MS } from '../http/rate-limit.ts'
import {
  openRateLimits,
  type RateLimits,
  type RateLimitsOptions,
} from '../http/shared-rate-limit.ts'
import { type KeyKind, prefixOf } from '../kernel/api-key.ts'
import { type Code, Refusal } from '../kernel/errors.ts'
import { isHash } from '../kernel/ids.ts'
import { neighbourhoodOf, rangeMatcher } from '../kernel/net.ts'
import { SECOND_MS, startOfNextMonth } from '../kernel/time.ts'
import type { Feature } from '../store-context.ts'
import { knowKey, knowStore } from './call-watch.ts'

/** Wrong keys that an address, or a /64 of IPv6, may try in a minute (decision 31). */
const UNKNOWN_KEYS_MAX = 1_000

/** Authenticates callers, and counts their calls. */
export interface Authentication {
  authenticate(request: FastifyRequest, reply: FastifyReply, e?: Endpoint): Promise<Authenticated>
  /** The parts shared with the Client Security API: keys, stores, rates. */
  auth: AuthenticationContext
  rateLimits: RateLimits
  /** Saves what was counted in memory: calls of the month, last use of keys. */
  flush(): Promise<void>
}

export interface AuthenticationContext {
  app: App
  keyring: Keyring
  book: StoreDirectory
  limiter: RateLimiter
  /** Counts wrong keys by address. */
  strangers: RateLimiter
  /** Counts calls of the dashboard by user. */
  users: RateLimiter
  /** Counts links of partners that were followed, by address. */
  clicks: RateLimiter
  /** Limits concurrent client calls whose license keys may be unknown. */
  concurrency: ConcurrencyLimit
  meter: QuotaMeter
  /** Records uses by client programs. */
  notes: UsageLog
  /** The open streams of the dashboard. */
  live: LiveHub
  /** The request log: calls that are still to be written. */
  calls: CallLog
}

export function openAuthentication(
  app: App,
  options: Pick<RateLimitsOptions, 'deadline_ms'> = {},
): Authentication {
  const { config, vault, log } = app
  const rateLimits = openRateLimits({ redisUrl: config.redisUrl, vault, log, ...options })
  const auth: AuthenticationContext = {
    app,
    keyring: openKeyring(app),
    book: openStoreDirectory(app),
    limiter: rateLimits.open('calls'),
    strangers: rateLimits.open('unknown_keys'),
    users: rateLimits.open('users'),
    clicks: rateLimits.open('clicks'),
    concurrency: createConcurrencyLimit(),
    meter: createQuotaMeter(),
    notes: createUsageLog(),
    live: new LiveHub(app),
    calls: createCallLog(app),
  }
  return {
    authenticate: (request, reply, e) => authenticate(auth, { request, reply, e }),
    auth,
    rateLimits,
    async flush() {
      auth.limiter.sweep(app.clock.now())
      auth.strangers.sweep(app.clock.now())
      auth.users.sweep(app.clock.now())
      auth.clicks.sweep(app.clock.now())
      await auth.meter.flush(app.db)
      await auth.keyring.flush()
      await auth.notes.flush(app.db)
      await auth.calls.flush()
    },
  }
}

export interface Visit {
  request: FastifyRequest
  reply: FastifyReply
  e: Endpoint | undefined
}

/** The checks of the Store API, in order (decision 12). */
async function authenticate(
  auth: AuthenticationContext,
  { request, reply, e }: Visit,
): Promise<Authenticated> {
  const { app } = auth
  const { keyText, hash } = credentials(request)
  const key = await knownKey(auth, 'store', request.ip, keyText)
  knowKey(request, key, e)
  const now = app.clock.now()
  await checkUse(auth, { request, reply }, key, now)
  const store = await storeFor(auth, key, hash)
  knowStore(request, store)
  const monthly_used = countMonth(auth, store, now)
  if (e) {
    checkPermission(key, e)
    checkFeature(store, e)
  }
  const permissions = new Set(key.permissions)
  const moment = storeNow(app, store)
  const acting = actingFor(app, key, request)
  return {
    caller: {
      key_id: key.id,
      user_id: null,
      permissions,
      rate_limit: key.rate_limit,
      monthly_used,
      ip: request.ip,
    },
    storeId: store.id,
    now: moment,
    contextOn: (db) => storeContextOf(acting, store, db, moment),
  }
}

/** The app with the API key as actor of audit events. */
export const actingFor = (app: App, key: ApiKey, request: FastifyRequest): App => ({
  ...app,
  origin: {
    actor: { type: 'api_key', id: String(key.id), name: key.name },
    address: request.ip,
    request_id: request.id,
  },
})

/** The checks that do not depend on the store: expiry, rate limit, addresses. */
export async function checkUse(
  auth: AuthenticationContext,
  { request, reply }: Pick<Visit, 'request' | 'reply'>,
  key: ApiKey,
  now: number,
) {
  if (key.expires_at !== null && Date.parse(key.expires_at) <= now) {
    throw new Refusal('API_KEY_EXPIRED', `This API key expired at ${key.expires_at}.`)
  }
  await countCall(auth, reply, key, now)
  if (!comesFrom(key, request.ip)) {
    throw refusal('IP_NOT_ALLOWED', `This API key may not be used from ${request.ip}.`)
  }
}

function credentials(request: FastifyRequest) {
  const keyText = String(request.headers['x-api-key'] ?? '')
  const hash = String(request.headers['x-store-hash'] ?? '')
  if (!keyText) {
    const hint = 'The Store API reads the key from x-api-key, not from Authorization.'
    const details = request.headers.authorization === undefined ? undefined : { hint }
    throw refusal('MISSING_API_KEY', 'Send your API key in the header x-api-key.', details)
  }
  if (!hash) throw refusal('MISSING_STORE_HASH', "Send the store's id in the header x-store-hash.")
  return { keyText, hash }
}

/**
 * Looks up an API key. An address that tried too many wrong keys is refused first (decision 71).
 */
export async function knownKey(
  { app, keyring, strangers }: AuthenticationContext,
  kind: KeyKind,
  ip: string,
  text: string,
): Promise<ApiKey> {
  const now = app.clock.now()
  const stranger = neighbourhoodOf(ip)
  let counted: Counted | undefined
  const count = async () => {
    counted = await strangers.take(stranger, UNKNOWN_KEYS_MAX, now)
    if (counted.allowed) return
    throw rateLimited(
      'Too many unknown API keys from this address; repeat the call later.',
      counted.retry_after_s,
    )
  }
  let wrong = false
  try {
    const key = await keyring.find(kind, text, count)
    wrong = key === undefined
    if (key) return key
  } finally {
    if (counted && !wrong) await strangers.giveBack(stranger, counted)
  }
  throw refusal('INVALID_API_KEY', whyUnknown(kind, text))
}

const APIS = {
  store: { name: 'Store API', prefix: 'sk_' },
  security: { name: 'Client Security API', prefix: 'sec_' },
} as const

/** Recognizes a key of the other API by its prefix (decision 115). */
function whyUnknown(kind: KeyKind, text: string): string {
  const other = APIS[kind === 'store' ? 'security' : 'store']
  const { name, prefix } = APIS[kind]
  return text.startsWith(other.prefix)
    ? `This is a key of the ${other.name}; the ${name} takes one that begins with ${prefix}.`
    : 'This API key is not valid: it is mistyped or was revoked.'
}

async function countCall(
  { limiter }: AuthenticationContext,
  reply: FastifyReply,
  key: ApiKey,
  now: number,
) {
  if (key.rate_limit === 0) return
  const allowance = await limiter.take(key.id, key.rate_limit, now)
  reply.headers(limitHeaders(key.rate_limit, allowance, now))
  if (allowance.allowed) return
  const why = `This API key made ${key.rate_limit} calls in the past 60 seconds.`
  throw rateLimited(why, allowance.retry_after_s)
}

const matchers = new WeakMap<ApiKey, (ip: string) => boolean>()

function comesFrom(key: ApiKey, ip: string): boolean {
  if (key.allowed_ips.length === 0) return true
  const matches = matchers.get(key) ?? rangeMatcher(key.allowed_ips)
  matchers.set(key, matches)
  return matches(ip)
}

async function storeFor(
  { book }: AuthenticationContext,
  key: ApiKey,
  hash: string,
): Promise<CachedStore> {
  const store = isHash(hash) ? await book.find(hash) : undefined
  if (!store) throw refusal('STORE_NOT_FOUND', 'There is no store with this x-store-hash.')
  if (opens(key, store)) return store
  throw refusal(
    'STORE_NOT_ALLOWED',
    'This API key is not valid for this store.',
    otherSide(key, store),
  )
}

/** Explains only the caller's own stores; the side of another account's store is not revealed. */
function otherSide(key: ApiKey, store: CachedStore) {
  if (key.account_id !== store.account_id || key.livemode === store.livemode) return undefined
  const [mine, its] = key.livemode ? ['live', 'test'] : ['test', 'live']
  const prefix = prefixOf('store', store.livemode)
  return {
    hint: `This is a ${mine} key and the id of a ${its} side: send the id of the ${mine} side, or a key that begins with ${prefix}.`,
  }
}

/** Counts the call and returns the count of the month; a test side has no quota (decision 5). */
function countMonth({ meter }: AuthenticationContext, store: CachedStore, now: number): number {
  const { store_api, monthly_quota } = planOf(store.plan)
  if (!store_api) {
    throw refusal('STORE_API_NOT_IN_PLAN', `The plan ${store.plan} does not include the Store API.`)
  }
  if (!store.livemode) return 0
  const used = meter.used(store, now)
  if (monthly_quota !== null && used >= monthly_quota) {
    const wait_s = Math.max(1, Math.ceil((startOfNextMonth(now) - now) / SECOND_MS))
    const why = `The plan ${store.plan} allows ${monthly_quota} calls a month.`
    throw new Refusal('STORE_API_MONTHLY_QUOTA_EXCEEDED', why, undefined, retryAfter(wait_s))
  }
  meter.count(store, now)
  return used + 1
}

export function checkPermission(key: ApiKey, { permission }: Endpoint) {
  if (key.permissions.includes(permission)) return
  throw refusal('INSUFFICIENT_SCOPE', `This API key lacks the permission ${permission}.`, {
    required: permission,
  })
}

export function checkFeature(store: CachedStore, { feature }: Endpoint) {
  if (!feature || store.features[feature]) return
  const why = `${feature} is switched off for this store. ${SWITCHES[feature]}`
  throw refusal('FEATURE_NOT_ENABLED', why, { feature })
}

const SWITCHES: Record<Feature, string> = {
  affiliates: 'Switch it on with PATCH /affiliates/program and {"enabled": true}.',
  shipping: 'The operator switches it on with `tradepost features set shipping=on`.',
  subscriptions: 'The operator switches it on with `tradepost features set subscriptions=on`.',
}

const refusal = (code: Code, why: string, details?: Record<string, unknown>) =>
  new Refusal(code, why, details)

const retryAfter = (wait_s: number) => ({ 'retry-after': String(wait_s) })

const rateLimited = (why: string, wait_s: number) =>
  new Refusal('RATE_LIMITED', why, undefined, retryAfter(wait_s))

/** Both families of headers (decision 13). `reset_at` is when the oldest counted call leaves. */
export function limitHeaders(limit: number, { remaining, reset_at }: Allowance, now: number) {
  const window_s = WINDOW_MS / SECOND_MS
  return {
    'ratelimit-policy': `"minute";q=${limit};w=${window_s}`,
    ratelimit: `"minute";r=${remaining};t=${Math.max(0, Math.ceil((reset_at - now) / SECOND_MS))}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(reset_at / SECOND_MS)),
  }
}
