import { MINUTE_MS, SECOND_MS } from '../../../kernel/time.ts'
import {
  answeredOutcome,
  bodyText,
  failedOutcome,
  failureOf,
  type Outcome,
  SendFailure,
} from '../../../sender/outcome.rules.ts'

/** The timeout of the sender, so that a slow receiver fails here too (decision 49). */
const DEADLINE_MS = 10 * SECOND_MS
const BODY_BYTES_MAX = 4 * 1024
const BODY_WAIT_MS = 2 * SECOND_MS

/** Posts a delivery to the address on this machine, and returns the outcome. */
export async function relay(
  url: string,
  { headers, body }: { headers: Record<string, string>; body: Buffer },
  stopSignal: AbortSignal,
): Promise<Outcome> {
  const started_ms = performance.now()
  const elapsed_ms = () => Math.round(performance.now() - started_ms)
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  // Loaded here, because only this command needs it.
  const { request } = await import('undici')
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Tradepost-Webhooks/1',
        ...headers,
      },
      body,
      signal: AbortSignal.any([deadline, stopSignal]),
      // The deadline of the signal is shorter than these timeouts.
      headersTimeout: MINUTE_MS,
      bodyTimeout: MINUTE_MS,
    })
    const duration_ms = elapsed_ms()
    return answeredOutcome(answer.statusCode, await textOf(answer.body), duration_ms)
  } catch (error) {
    const timeout = new SendFailure('timeout', 'The receiver did not answer in time.')
    return failedOutcome(deadline.aborted ? timeout : failureOf(error), elapsed_ms())
  }
}

/** Returns the start of a response. A response counts even if the receiver hangs or breaks off later (decision 16). */
async function textOf(stream: AsyncIterable<Buffer> & { destroy(): void }): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  const timer = setTimeout(() => stream.destroy(), BODY_WAIT_MS)
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > BODY_BYTES_MAX) break
    }
  } catch {
    // The part that arrived is used.
  } finally {
    clearTimeout(timer)
  }
  return bodyText(Buffer.concat(chunks), BODY_BYTES_MAX)
}
