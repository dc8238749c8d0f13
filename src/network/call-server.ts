import type { IncomingHttpHeaders } from 'node:http'
import { SECOND_MS } from '../kernel/time.ts'

/** The limits of a call to a server of a payment provider (decision 461). */
const TIMEOUT_MS = 10 * SECOND_MS
const ANSWER_BYTES_MAX = 1024 * 1024

export interface ServerCall {
  method: 'GET' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body: string | null
}

export interface ServerAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/**
 * Calls a server whose address the operator has set. Redirects are not followed, because the headers contain a secret.
 * Throws if there is no whole answer in time; the text of the error is safe to log.
 */
export async function callServer(
  url: string,
  { method, headers, body }: ServerCall,
): Promise<ServerAnswer> {
  // Loaded on first use, because most processes call no provider and undici takes 5 MB.
  const { request } = await import('undici')
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await request(url, { method, headers, body, signal })
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop ends the connection.
    if (bytes > ANSWER_BYTES_MAX)
      throw new Error(`The server answered more than ${ANSWER_BYTES_MAX} bytes.`)
    chunks.push(chunk)
  }
  if (response.statusCode >= 300 && response.statusCode < 400)
    throw new Error('The server answered with a redirect.')
  const text = Buffer.concat(chunks).toString()
  return { status: response.statusCode, headers: response.headers, text }
}
