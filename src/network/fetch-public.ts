import { isIP, type LookupFunction } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import { SECOND_MS } from '../kernel/time.ts'
import { checkTarget } from './address.rules.ts'
import { createResolver } from './resolver.ts'

/** The fetched value, or why there is none, as a sentence that is safe to show. */
export type Fetched<T> = { value: T } | { why: string }

export interface FetchOptions {
  /** Lower-case hosts that may have private addresses and use http (decision 15). */
  allowedHosts: ReadonlySet<string>
  timeout_ms?: number
}

const TIMEOUT_MS = 20 * SECOND_MS
const REDIRECTS_MAX = 3
const HEADERS = { accept: 'image/*,video/*;q=0.9,*/*;q=0.1', 'user-agent': 'Tradepost/1' }

/**
 * Fetches a caller's URL from public addresses only; each redirect is checked too (decision 15).
 * `read` consumes the body; its exceptions are passed on.
 */
export async function fetchPublic<T>(
  url: string,
  { allowedHosts, timeout_ms = TIMEOUT_MS }: FetchOptions,
  read: Read<T>,
): Promise<Fetched<T>> {
  const signal = AbortSignal.timeout(timeout_ms)
  let next = url
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const answer = await open(next, allowedHosts, signal)
    if ('why' in answer) return answer
    const got = await take(answer, { from: next, signal, read })
    if (!('location' in got)) return got
    next = got.location
  }
  return { why: 'The address redirects too often; use the final address.' }
}

type Read<T> = (body: AsyncIterable<Uint8Array>) => Promise<T>

async function take<T>(
  { value: { statusCode, headers, body }, agent }: { value: Dispatcher.ResponseData; agent: Agent },
  { from, signal, read }: { from: string; signal: AbortSignal; read: Read<T> },
): Promise<Fetched<T> | { location: string }> {
  try {
    const { location } = headers
    const redirects = statusCode >= 300 && statusCode < 400 && typeof location === 'string'
    if (redirects && URL.canParse(location, from)) return { location: new URL(location, from).href }
    if (statusCode !== 200) return { why: `The address answered ${statusCode}.` }
    return { value: await read(orLate(body, signal)) }
  } catch (error) {
    if (error instanceof LateError) return { why: error.message }
    throw error
  } finally {
    await agent.destroy()
  }
}

type Opened = { value: Dispatcher.ResponseData; agent: Agent } | { why: string }

async function open(
  url: string,
  allowedHosts: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Opened> {
  const target = checkTarget(url, allowedHosts)
  if ('refusal' in target) return { why: target.why }
  const resolver = createResolver({ allowedHosts })
  const answer = await resolver.resolve(target.host).finally(() => resolver.close())
  if ('why' in answer) return { why: answer.why }
  // Loaded on first use: most processes never fetch, and undici takes 5 MB.
  const { Agent, request } = await import('undici')
  const agent = new Agent({ connect: { lookup: pinned(answer.addresses), autoSelectFamily: true } })
  try {
    const value = await request(target.origin + target.path, {
      dispatcher: agent,
      headers: HEADERS,
      signal,
    })
    return { value, agent }
  } catch {
    await agent.destroy()
    return { why: signal.aborted ? LATE : 'The address does not answer.' }
  }
}

const LATE = 'The address took too long.'
class LateError extends Error {}

/** A body that breaks off is the server's fault. */
async function* orLate(body: AsyncIterable<Uint8Array>, signal: AbortSignal) {
  const chunks = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await chunks.next().catch(() => {
        throw new LateError(signal.aborted ? LATE : 'The address broke off its answer.')
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    await chunks.return?.().catch(() => {})
  }
}

/** Connects to a vetted address, even if the name resolves differently by then. */
const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_host, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    )
