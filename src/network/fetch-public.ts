import type { Agent, Dispatcher } from 'undici'
import { SECOND_MS } from '../kernel/time.ts'
import { checkTarget } from './address.rules.ts'
import { pinnedLookup } from './pinned-lookup.ts'
import { createResolver } from './resolver.ts'

/** The fetched value, or the reason why there is none, as a sentence that is safe to show. */
type FetchResult<T> = { value: T } | { message: string }

interface FetchOptions {
  /** Lower-case hosts that may have private addresses and use http (decision 15). */
  allowedHosts: ReadonlySet<string>
  timeout_ms?: number
}

const TIMEOUT_MS = 20 * SECOND_MS
const REDIRECTS_MAX = 3
const HEADERS = { accept: 'image/*,video/*;q=0.9,*/*;q=0.1', 'user-agent': 'Tradepost/1' }

/**
 * Fetches a caller's URL, only from public addresses. Each redirect is checked too (decision 15). `read` consumes
 * the body; its exceptions are passed on.
 */
export async function fetchPublic<T>(
  url: string,
  { allowedHosts, timeout_ms = TIMEOUT_MS }: FetchOptions,
  read: ReadBody<T>,
): Promise<FetchResult<T>> {
  const signal = AbortSignal.timeout(timeout_ms)
  let nextUrl = url
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const answer = await openResponse(nextUrl, allowedHosts, signal)
    if ('message' in answer) return answer
    const response = await readResponse(answer, { from: nextUrl, signal, read })
    if (!('location' in response)) return response
    nextUrl = response.location
  }
  return { message: 'The address redirects too often. Use the final address.' }
}

type ReadBody<T> = (body: AsyncIterable<Uint8Array>) => Promise<T>

async function readResponse<T>(
  { value: { statusCode, headers, body }, agent }: { value: Dispatcher.ResponseData; agent: Agent },
  { from, signal, read }: { from: string; signal: AbortSignal; read: ReadBody<T> },
): Promise<FetchResult<T> | { location: string }> {
  try {
    const { location } = headers
    const isRedirect = statusCode >= 300 && statusCode < 400 && typeof location === 'string'
    if (isRedirect && URL.canParse(location, from))
      return { location: new URL(location, from).href }
    if (statusCode !== 200)
      return { message: `The address answered ${statusCode}. Check it, or upload the file.` }
    return { value: await read(checkedChunks(body, signal)) }
  } catch (error) {
    if (error instanceof BodyError) return { message: error.message }
    throw error
  } finally {
    await agent.destroy()
  }
}

type OpenResult = { value: Dispatcher.ResponseData; agent: Agent } | { message: string }

async function openResponse(
  url: string,
  allowedHosts: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<OpenResult> {
  const target = checkTarget(url, allowedHosts)
  if ('refusal' in target) return { message: target.message }
  const resolver = createResolver({ allowedHosts })
  const answer = await resolver.resolve(target.host).finally(() => resolver.close())
  if ('message' in answer) return { message: answer.message }
  // Loaded on first use, because most processes never fetch and undici takes 5 MB.
  const { Agent, request } = await import('undici')
  const agent = new Agent({
    connect: { lookup: pinnedLookup(answer.addresses), autoSelectFamily: true },
  })
  try {
    const value = await request(target.origin + target.path, {
      dispatcher: agent,
      headers: HEADERS,
      signal,
    })
    return { value, agent }
  } catch {
    await agent.destroy()
    return {
      message: signal.aborted
        ? TOO_SLOW
        : 'The address does not answer. Check it, or upload the file.',
    }
  }
}

const TOO_SLOW = 'The address answered too slowly. Upload the file instead.'
class BodyError extends Error {}

/** Yields the chunks of a body. Throws a BodyError if the server breaks off or is too slow. */
async function* checkedChunks(body: AsyncIterable<Uint8Array>, signal: AbortSignal) {
  const chunks = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const chunk = await chunks.next().catch(() => {
        throw new BodyError(
          signal.aborted
            ? TOO_SLOW
            : 'The address ended its answer early. Upload the file instead.',
        )
      })
      if (chunk.done) return
      yield chunk.value
    }
  } finally {
    await chunks.return?.().catch(() => {})
  }
}
