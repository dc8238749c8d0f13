import { MINUTE_MS, SECOND_MS } from '../../../kernel/time.ts'
import {
  answered,
  bodyText,
  failed,
  failureOf,
  type Outcome,
  SendFailure,
} from '../../../sender/outcome.rules.ts'

/** The timeout of the sender, so that a slow receiver is slow in the same way here (decision 49). */
const DEADLINE_MS = 10 * SECOND_MS
const BODY_MAX = 4 * 1024
const BODY_WAIT_MS = 2 * SECOND_MS

/** Posts a delivery to the address on this machine, and returns the outcome. */
export async function relay(
  url: string,
  { headers, body }: { headers: Record<string, string>; body: Buffer },
  stopped: AbortSignal,
): Promise<Outcome> {
  const started = performance.now()
  const took_ms = () => Math.round(performance.now() - started)
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  // Loaded by the command that listens, and not by the shop.
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
      signal: AbortSignal.any([deadline, stopped]),
      // The deadline is the limit; these are coarser.
      headersTimeout: MINUTE_MS,
      bodyTimeout: MINUTE_MS,
    })
    const duration_ms = took_ms()
    return answered(answer.statusCode, await textOf(answer.body), duration_ms)
  } catch (error) {
    const late = new SendFailure('timeout', 'The receiver did not answer in time.')
    return failed(deadline.aborted ? late : failureOf(error), took_ms())
  }
}

/** The first bytes of an answer. A receiver that hangs or breaks off later has answered anyway (decision 16). */
async function textOf(stream: AsyncIterable<Buffer> & { destroy(): void }): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  const patience = setTimeout(() => stream.destroy(), BODY_WAIT_MS)
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > BODY_MAX) break
    }
  } catch {
    // What arrived is what there is.
  } finally {
    clearTimeout(patience)
  }
  return bodyText(Buffer.concat(chunks), BODY_MAX)
}
