import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { installStripeMock } from '../../scripts/stripe-mock.mjs'
import type { StripeRequest } from './stripe.ts'

/**
 * Sends requests to Stripe's own mock, which knows every parameter of the API and refuses others. Throws with the refused
 * ones. Without Go it does nothing, except in CI.
 */
export async function replayAtStripeMock(requests: readonly StripeRequest[]): Promise<void> {
  const file = await installStripeMock().catch((error: Error) => {
    if (process.env.CI) throw error
    process.stderr.write(`Requests are not replayed at stripe-mock: ${error.message}\n`)
  })
  if (!file) return
  const mock = await start(file)
  try {
    const refused: string[] = []
    for (const request of distinct(requests)) {
      const { status, text } = await send(mock.origin, request)
      if (status !== 200) refused.push(`${request.method} ${request.path}: ${status} ${text}`)
    }
    if (refused.length > 0) throw new Error(`stripe-mock refused:\n${refused.join('\n')}`)
  } finally {
    await mock.stop()
  }
}

/** Leaves out requests that differ only in values, which stripe-mock does not compare with records. */
function distinct(requests: readonly StripeRequest[]): StripeRequest[] {
  const formOf = ({ method, path, body }: StripeRequest) => {
    const withoutIds = path.replaceAll(/_\d{24}/g, '')
    return [method, withoutIds, ...new URLSearchParams(body).keys()].join(' ')
  }
  return [...new Map(requests.map((request) => [formOf(request), request])).values()]
}

async function send(
  origin: string,
  { method, path, headers, body }: StripeRequest,
): Promise<{ status: number; text: string }> {
  // A connection of its own for each request: `fetch` would keep one that the mock may close meanwhile.
  const response = await fetch(origin + path, {
    method,
    headers: {
      connection: 'close',
      authorization: 'Bearer sk_test_123',
      'content-type': String(headers['content-type']),
      'stripe-version': String(headers['stripe-version']),
    },
    ...(method === 'GET' ? {} : { body }),
  })
  return { status: response.status, text: await response.text() }
}

/** Starts the mock on a free port. It refuses requests for another version of the API than its own. */
async function start(file: string) {
  const child = spawn(file, ['-http-addr', '127.0.0.1:0', '-strict-version-check'])
  const ended = once(child, 'exit')
  let output = ''
  const origin = await new Promise<string>((resolve, reject) => {
    ended.then(() => reject(new Error(`stripe-mock has ended: ${output}`)), reject)
    child.stdout.on('data', (chunk) => {
      output += chunk
      const [, address] = /address: (\S+:\d+)\n/.exec(output) ?? []
      if (address) resolve(`http://${address}`)
    })
  })
  return {
    origin,
    async stop() {
      child.kill()
      await ended
    },
  }
}
