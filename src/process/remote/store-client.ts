import { setTimeout as pause } from 'node:timers/promises'
import { CommandError, RemoteRefusal, type RemoteStore } from '../../command.ts'
import { withoutControls } from '../../kernel/echo.ts'
import { SECOND_MS } from '../../kernel/time.ts'
import { VERSION } from '../../kernel/version.ts'
import { describeFailure } from './describe-failure.rules.ts'

/** A store on another machine, and the key for its API. */
export interface Target {
  /** The address of the server, without a path of the API. */
  url: string
  apiKey: string
  /** The id of one side of the store. */
  store: string
}

export const TIMEOUT_MS = 60 * SECOND_MS
/** A longer wait for the rate limit is reported instead. */
const WAIT_S_MAX = 60

/** Opens the API of a store. The key is sent in a header only, and no message contains it. */
export function openRemoteStore({ url, apiKey, store }: Target): RemoteStore {
  const headers = {
    'x-api-key': apiKey,
    'x-store-hash': store,
    'user-agent': `tradepost-command-line/${VERSION}`,
  }
  return {
    async call<Answer>(
      method: string,
      path: string,
      { body, signal }: { body?: unknown; signal?: AbortSignal } = {},
    ) {
      const request = {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // A redirect could send the key to another server.
        redirect: 'manual' as const,
      }
      for (;;) {
        const response = await send(`${url}/v1${path}`, request, { url, signal })
        const wait_s = Number(response.headers.get('retry-after') ?? WAIT_S_MAX + 1)
        if (response.status !== 429 || wait_s > WAIT_S_MAX) return readAnswer<Answer>(url, response)
        await response.body?.cancel()
        await pause(wait_s * SECOND_MS, undefined, signal && { signal })
      }
    },
  }
}

/** The sentence for a server that did not answer in time. */
export const timeoutText = (url: string): string =>
  `${url} did not answer within ${TIMEOUT_MS / SECOND_MS} seconds. Check that the server runs, and repeat the command.`

async function send(
  address: string,
  request: RequestInit,
  { url, signal }: { url: string; signal: AbortSignal | undefined },
): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    return await fetch(address, {
      ...request,
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    const message = timeout.aborted ? timeoutText(url) : describeFailure(url, error)
    throw new CommandError(message)
  }
}

async function readAnswer<Answer>(url: string, response: Response): Promise<Answer> {
  const { status, headers } = response
  if (status >= 300 && status < 400) {
    const to = headers.get('location') ?? 'another address'
    throw new CommandError(`${url} redirects to ${to}. Set --url to the address of Tradepost.`)
  }
  const json = parseObject(await response.text().catch(() => ''))
  if (!json || typeof json.success !== 'boolean') {
    const type = headers.get('content-type')?.split(';')[0] ?? 'no content type'
    throw new CommandError(
      `${url} answered ${status} with ${type}, which is not an answer of Tradepost. A proxy may have answered, or --url is another server: use the address at which /v1 is.`,
    )
  }
  if (json.success) return json as Answer
  const code = String(json.code ?? '')
  const requestId = headers.get('x-request-id')
  const parts = [`${code}: ${problemsOf(json)}`, CURES[code], requestId && `(${requestId})`]
  // The server repeats what it was sent, and a terminal obeys control characters.
  const text = withoutControls(parts.filter(Boolean).join(' '))
  throw new RemoteRefusal(text, { status, code })
}

/** Returns the text of a refusal, with the field of each problem if it names them. */
function problemsOf({ error, details }: Record<string, unknown>): string {
  const { field, errors } = (details ?? {}) as { field?: unknown; errors?: unknown }
  const problems = Array.isArray(errors) ? errors : []
  if (problems.length > 0) return problems.map((item) => `${item.field}: ${item.message}`).join(' ')
  return typeof field === 'string' ? `${field}: ${error}` : String(error)
}

/** The cures of refusals of the caller, in the words of the command line. */
const CURES: Readonly<Record<string, string>> = {
  INVALID_API_KEY: 'Check --api-key or TRADEPOST_API_KEY, or run tradepost login again.',
  MISSING_API_KEY: 'Check --api-key or TRADEPOST_API_KEY, or run tradepost login again.',
  STORE_NOT_FOUND: 'Check --store or TRADEPOST_STORE.',
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
