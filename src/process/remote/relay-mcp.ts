import { createInterface } from 'node:readline'
import type { ClientContext, Input } from '../../command.ts'
import { VERSION } from '../../kernel/version.ts'
import { describeFailure } from './describe-failure.rules.ts'
import { type Target, TIMEOUT_MS, timeoutText } from './store-client.ts'
import { requireTarget } from './target.ts'

/** The error of JSON-RPC for a message that is not JSON. */
const PARSE_ERROR = -32_700
/** A code that JSON-RPC leaves to servers. */
const SERVER_ERROR = -32_000

type Id = string | number | null

/**
 * Relays messages of the Model Context Protocol between standard input and the server of the store, one a line. The
 * server has the tools, so they are those of its release and of the key (decision 496).
 */
export async function relayMcp({ options, env }: ClientContext, input: Input): Promise<void> {
  const target = await requireTarget({ options, input, env })
  const address = `${target.url}/mcp${input.write === true ? '?write=true' : ''}`
  const running = new Set<Promise<void>>()
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue
    const answering = relay(target, address, line).then(writeLine)
    running.add(answering)
    void answering.finally(() => running.delete(answering))
  }
  await Promise.all(running)
}

function writeLine(answer: string | undefined): void {
  if (answer !== undefined) process.stdout.write(`${answer}\n`)
}

/** Sends a message and returns the line of its answer. A notification has no answer. */
async function relay(target: Target, address: string, line: string): Promise<string | undefined> {
  let id: Id
  try {
    const message = JSON.parse(line)
    id = message?.id ?? null
  } catch {
    return errorLine(null, PARSE_ERROR, 'The line is not JSON.')
  }
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': target.apiKey,
        'x-store-hash': target.store,
        'user-agent': `tradepost-mcp/${VERSION}`,
      },
      body: line,
      // A redirect could send the key to another server.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (response.ok) return id === null ? undefined : text
    return id === null
      ? undefined
      : errorLine(id, SERVER_ERROR, refusalText(target, response, text))
  } catch (error) {
    const isTimeout = (error as Error).name === 'TimeoutError'
    const message = isTimeout ? timeoutText(target.url) : describeFailure(target.url, error)
    return id === null ? undefined : errorLine(id, SERVER_ERROR, message)
  }
}

/** Returns the sentence of a refusal. Another server, or an earlier release, answers without one. */
function refusalText({ url }: Target, { status }: Response, text: string): string {
  try {
    const { message, data } = JSON.parse(text).error
    if (typeof message === 'string') return `${data.code}: ${message}`
  } catch {}
  return `${url}/mcp answered ${status}. Check --url: it must be the address of a Tradepost server of this release.`
}

const errorLine = (id: Id, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
