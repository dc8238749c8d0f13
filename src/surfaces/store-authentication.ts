import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, storeContextOf, storeNow } from '../app.ts'
import {
  type ApiKey,
  type CallLog,
  createCallLog,
  createQuotaMeter,
  isValidForStore,
  type Keyring,
  LiveHub,
  openKeyring,
  openStoreDirectory,
  planOf,
  type QuotaMeter,
  type StoreDirectory,
  type StoreRow,
} from '../features/installation/index.ts'
import { createUsageLog, type UsageLog } from '../features/licensing/index.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../http/concurrency-limit.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { CallerAndStore } from '../http/mount.ts'
import {
  type Allowance,
  type CountedCall,
  type RateLimiter,
  WINDOW_MS,
} from '../http/rate-limit.ts'
import {
  openRateLimits,
  type RateLimits,
  type RateLimitsOptions,
} from '../http/shared-rate-limit.ts'
import { type KeyKind, prefixOf } from '../kernel/api-key.ts'
import { counted } from '../kernel/counted.ts'
import { type Code, Refusal } from '../kernel/errors.ts'
import { isHash } from '../kernel/ids.ts'
import { networkOf, rangeMatcher } from '../kernel/net.ts'
import { SECOND_MS, startOfNextMonth } from '../kernel/time.ts'
import type { Feature } from '../store-context.ts'
import { recordKey, recordStore } from './call-watch.ts'

/** The maximum number of unknown keys from an IPv4 address or an IPv6 /64 in a minute (decision 31). */
const UNKNOWN_KEYS_MAX = 1_000

/** Authenticates callers and counts their calls. */
export interface Authentication {
  authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    endpoint?: Endpoint,
  ): Promise<CallerAndStore>
  /** The state that is shared with the other surfaces. */
  auth: AuthenticationContext
  rateLimits: RateLimits
  /** Writes counters and logs from memory to the database, and removes expired rate windows. */
  flush(): Promise<void>
}

export interface AuthenticationContext {
  app: App
  keyring: Keyring
  stores: StoreDirectory
  limiter: RateLimiter
  /** Counts unknown keys by IP address. */
  unknownKeys: RateLimiter
  /** Counts calls of the dashboard by user. */
  userCalls: RateLimiter
  /** Counts calls of the dashboard without a session by IP address. */
  anonymousCalls: RateLimiter
  /** Counts clicks on partner links by IP address. */
  clicks: RateLimiter
  /** Counts refused callbacks of payment providers by IP address. */
  refusedCallbacks: RateLimiter
  /** Counts calls of pages for buyers by IP address. */
  pageCalls: RateLimiter
  /** Counts questions about payments that pages for buyers ask their providers, by payment. */
  paymentQuestions: RateLimiter
  /** Limits concurrent client calls with license keys that may be unknown. */
  concurrency: ConcurrencyLimit
  meter: QuotaMeter
  /** Records uses of keys, strings and files by client programs. */
  uses: UsageLog
  /** The open live streams of the dashboard. */
  liveHub: LiveHub
  /** The calls that are not yet written to the request log. */
  callLog: CallLog
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
    stores: openStoreDirectory(app),
    limiter: rateLimits.open('calls'),
    unknownKeys: rateLimits.open('unknown_keys'),
    userCalls: rateLimits.open('users'),
    anonymousCalls: rateLimits.open('anonymous'),
    clicks: rateLimits.open('clicks'),
    refusedCallbacks: rateLimits.open('refused_callbacks'),
    pageCalls: rateLimits.open('page_calls'),
    paymentQuestions: rateLimits.open('payment_questions'),
    concurrency: createConcurrencyLimit(),
    meter: createQuotaMeter(),
    uses: createUsageLog(),
    liveHub: new LiveHub(app),
    callLog: createCallLog(app),
  }
  return {
    authenticate: (request, reply, endpoint) => authenticate(auth, { request, reply, endpoint }),
    auth,
    rateLimits,
    async flush() {
      auth.limiter.sweep(app.clock.now())
      auth.unknownKeys.sweep(app.clock.now())
      auth.userCalls.sweep(app.clock.now())
      auth.anonymousCalls.sweep(app.clock.now())
      auth.clicks.sweep(app.clock.now())
      auth.refusedCallbacks.sweep(app.clock.now())
      auth.pageCalls.sweep(app.clock.now())
      auth.paymentQuestions.sweep(app.clock.now())
      await auth.meter.flush(app.db)
      await auth.keyring.flush()
      await auth.uses.flush(app.db)
      await auth.callLog.flush()
    },
  }
}

export interface IncomingCall {
  request: FastifyRequest
  reply: FastifyReply
  endpoint: Endpoint | undefined
}

/** Checks a call of the Store API (decision 12). */
async function authenticate(
  auth: AuthenticationContext,
  { request, reply, endpoint }: IncomingCall,
): Promise<CallerAndStore> {
  const { app } = auth
  const { keyText, hash } = readCredentials(request)
  const key = await findKey(auth, 'store', request.ip, keyText)
  recordKey(request, key, endpoint)
  const now = app.clock.now()
  await checkKey(auth, { request, reply }, key, now)
  const store = await storeFor(auth, key, hash)
  recordStore(request, store)
  const monthly_used = countMonthlyCall(auth, store, now)
  if (endpoint) {
    checkPermission(key, endpoint)
    checkFeature(store, endpoint)
  }
  const permissions = new Set(key.permissions)
  const storeTime = storeNow(app, store)
  const actingApp = withKeyActor(app, key, request)
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
    now: storeTime,
    contextOn: (db) => storeContextOf(actingApp, store, db, storeTime),
  }
}

/** Returns the app with the API key as the actor of audit events. */
export const withKeyActor = (app: App, key: ApiKey, request: FastifyRequest): App => ({
  ...app,
  origin: {
    actor: { type: 'api_key', id: String(key.id), name: key.name },
    address: request.ip,
    request_id: request.id,
  },
})

/** Checks the expiry, the rate limit and the allowed addresses of a key, which do not depend on the store. */
export async function checkKey(
  auth: AuthenticationContext,
  { request, reply }: Pick<IncomingCall, 'request' | 'reply'>,
  key: ApiKey,
  now: number,
) {
  if (key.expires_at !== null && Date.parse(key.expires_at) <= now) {
    throw new Refusal(
      'API_KEY_EXPIRED',
      `This API key expired at ${key.expires_at}. Create another key.`,
    )
  }
  await countCall(auth, reply, key, now)
  if (!allowsAddress(key, request.ip)) {
    throw refusal(
      'IP_NOT_ALLOWED',
      `This API key may not be used from ${request.ip}. Call from an allowed address, or use another key.`,
    )
  }
}

export function readCredentials(request: FastifyRequest) {
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

/** Looks up an API key. An address that sent too many unknown keys is refused before the lookup (decision 31). */
export async function findKey(
  { app, keyring, unknownKeys }: AuthenticationContext,
  kind: KeyKind,
  ip: string,
  text: string,
): Promise<ApiKey> {
  const now = app.clock.now()
  const address = networkOf(ip)
  let count: CountedCall | undefined
  const countUnknownKey = async () => {
    count = await unknownKeys.count(address, UNKNOWN_KEYS_MAX, now)
    if (count.allowed) return
    throw rateLimited(
      'Too many unknown API keys were sent from this IP address. Repeat the call later.',
      count.retry_after_s,
    )
  }
  let isUnknown = false
  try {
    const key = await keyring.find(kind, text, countUnknownKey)
    isUnknown = key === undefined
    if (key) return key
  } finally {
    if (count && !isUnknown) await unknownKeys.undo(address, count)
  }
  throw refusal('INVALID_API_KEY', unknownKeyMessage(kind, text))
}

const API_NAMES = {
  store: { name: 'Store API', prefix: 'sk_' },
  security: { name: 'Client Security API', prefix: 'sec_' },
} as const

/** Returns another message for a key of the other API, which is recognized by its prefix (decision 132). */
function unknownKeyMessage(kind: KeyKind, text: string): string {
  const otherApi = API_NAMES[kind === 'store' ? 'security' : 'store']
  const { name, prefix } = API_NAMES[kind]
  return text.startsWith(otherApi.prefix)
    ? `This is a key of the ${otherApi.name}; the ${name} needs a key that begins with ${prefix}.`
    : 'This API key is mistyped or was revoked. Check it, or create another key.'
}

async function countCall(
  { limiter }: AuthenticationContext,
  reply: FastifyReply,
  key: ApiKey,
  now: number,
) {
  if (key.rate_limit === 0) return
  const allowance = await limiter.count(key.id, key.rate_limit, now)
  reply.headers(limitHeaders(key.rate_limit, allowance, now))
  if (allowance.allowed) return
  const message = `This API key made ${counted(key.rate_limit, 'call')} in the past 60 seconds. Wait for the seconds in Retry-After.`
  throw rateLimited(message, allowance.retry_after_s)
}

const addressMatchers = new WeakMap<ApiKey, (ip: string) => boolean>()

function allowsAddress(key: ApiKey, ip: string): boolean {
  if (key.allowed_ips.length === 0) return true
  const matches = addressMatchers.get(key) ?? rangeMatcher(key.allowed_ips)
  addressMatchers.set(key, matches)
  return matches(ip)
}

async function storeFor(
  { stores }: AuthenticationContext,
  key: ApiKey,
  hash: string,
): Promise<StoreRow> {
  const store = isHash(hash) ? await stores.find(hash) : undefined
  if (!store)
    throw refusal('STORE_NOT_FOUND', 'No store has this x-store-hash. Check the store id.')
  if (isValidForStore(key, store)) return store
  throw refusal(
    'STORE_NOT_ALLOWED',
    'This API key is not valid for this store. Use a key of this store.',
    wrongSideHint(key, store),
  )
}

/** Returns a hint if the key is for the other side. The side of a store of another account is not revealed. */
function wrongSideHint(key: ApiKey, store: StoreRow) {
  if (key.account_id !== store.account_id || key.livemode === store.livemode) return undefined
  const [keySide, storeSide] = key.livemode ? ['live', 'test'] : ['test', 'live']
  const prefix = prefixOf('store', store.livemode)
  return {
    hint: `This is a ${keySide} key and the store id is of the ${storeSide} side. Send the id of the ${keySide} side, or a key that begins with ${prefix}.`,
  }
}

/** Counts a call, and returns the number of calls in this month. A test side has no quota (decision 5). */
function countMonthlyCall({ meter }: AuthenticationContext, store: StoreRow, now: number): number {
  const { store_api, monthly_quota } = planOf(store.plan)
  if (!store_api) {
    throw refusal(
      'STORE_API_NOT_IN_PLAN',
      `The plan ${store.plan} does not include the Store API. Choose another plan.`,
    )
  }
  if (!store.livemode) return 0
  const usedCount = meter.used(store, now)
  if (monthly_quota !== null && usedCount >= monthly_quota) {
    const wait_s = Math.max(1, Math.ceil((startOfNextMonth(now) - now) / SECOND_MS))
    const message = `The plan ${store.plan} allows ${counted(monthly_quota, 'call')} a month, and none is left. Wait for the next month, or choose another plan.`
    throw new Refusal('STORE_API_MONTHLY_QUOTA_EXCEEDED', message, undefined, retryAfter(wait_s))
  }
  meter.count(store, now)
  return usedCount + 1
}

export function checkPermission(key: ApiKey, { permission }: Endpoint) {
  if (key.permissions.includes(permission)) return
  throw refusal(
    'INSUFFICIENT_SCOPE',
    `This API key lacks the permission ${permission}. Use a key that has it.`,
    {
      required: permission,
    },
  )
}

export function checkFeature(store: StoreRow, { feature }: Endpoint) {
  if (!feature || store.features[feature]) return
  const message = `${feature} is switched off for this store. ${SWITCH_HINTS[feature]}`
  throw refusal('FEATURE_NOT_ENABLED', message, { feature })
}

const SWITCH_HINTS: Record<Feature, string> = {
  affiliates: 'Switch it on with PATCH /affiliates/program and {"enabled": true}.',
  shipping: 'The operator switches it on with `tradepost features set shipping=on`.',
  subscriptions: 'The operator switches it on with `tradepost features set subscriptions=on`.',
}

const refusal = (code: Code, message: string, details?: Record<string, unknown>) =>
  new Refusal(code, message, details)

const retryAfter = (wait_s: number) => ({ 'retry-after': String(wait_s) })

const rateLimited = (message: string, wait_s: number) =>
  new Refusal('RATE_LIMITED', message, undefined, retryAfter(wait_s))

/** Returns both families of rate limit headers (decision 13). At `reset_at` the oldest counted call leaves the window. */
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
