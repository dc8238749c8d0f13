// The task that a rival queue runs for each webhook: it signs, POSTs and checks the status. It uses one of the HTTP
// clients of undici, which reuse connections. The agent enforces the timeout; an AbortSignal per call would be slower.
import { join } from 'node:path'
import { Agent, fetch, request } from 'undici'
import { ROOT } from '../lib/bench.mjs'

const { signatureHeader } = await import(join(ROOT, 'dist', 'sender/signature.js'))
const SECRETS = ['whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']
const TIMEOUT_MS = 10_000
const agent = new Agent({
  connections: 10,
  pipelining: 1,
  headersTimeout: TIMEOUT_MS,
  bodyTimeout: TIMEOUT_MS,
})

/** The HTTP clients of undici, from the most common to the fastest. Each returns the status. */
const HTTP_CLIENTS = {
  async fetch(url, headers, body) {
    const answer = await fetch(url, { method: 'POST', headers, body, dispatcher: agent })
    await answer.text()
    return answer.status
  },
  async request(url, headers, body) {
    const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent })
    await answer.body.text()
    return answer.statusCode
  },
  dispatch({ origin, pathname }, headers, body) {
    const target = { origin, path: pathname, method: 'POST', headers, body }
    return new Promise((resolve, reject) => {
      agent.dispatch(target, new StatusHandler(resolve, reject))
    })
  },
}

/** Returns the task of a queue. It throws if the status is not 2xx, so that the queue retries. */
export function createTask(urls, httpClient) {
  const targets = urls.map((url) => new URL(url))
  const post = HTTP_CLIENTS[httpClient]
  return async ({ endpoint, body }) => {
    const bytes = Buffer.from(body)
    const status = await post(targets[endpoint], headersFor(bytes), bytes)
    if (status < 200 || status >= 300) throw new Error(`HTTP ${status}`)
  }
}

function headersFor(body) {
  const seconds = Math.floor(Date.now() / 1_000)
  return {
    'content-type': 'application/json',
    'service-signature': signatureHeader(SECRETS, seconds, body),
  }
}

/** A handler of undici that reads only the status. */
class StatusHandler {
  #resolve
  #reject
  #status = 0

  constructor(resolve, reject) {
    this.#resolve = resolve
    this.#reject = reject
  }

  onConnect() {}

  onHeaders(status) {
    this.#status = status
    return true
  }

  onData() {
    return true
  }

  onComplete() {
    this.#resolve(this.#status)
  }

  onError(error) {
    this.#reject(error)
  }
}
