// The job of a rival: sign, POST and check the status, with one of Node's HTTP clients. Connections are
// reused, and the agent enforces the timeout, because a signal for each call would be slower.
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

/** From the most common way to the fastest one. */
const WAYS = {
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
    const place = { origin, path: pathname, method: 'POST', headers, body }
    return new Promise((resolve, reject) => agent.dispatch(place, new Answer(resolve, reject)))
  },
}

/** Throws if the answer is not a 2xx, so that the queue retries. */
export function posterTo(urls, way) {
  const places = urls.map((url) => new URL(url))
  const post = WAYS[way]
  return async ({ endpoint, body }) => {
    const bytes = Buffer.from(body)
    const status = await post(places[endpoint], headersFor(bytes), bytes)
    if (status < 200 || status >= 300) throw new Error(`HTTP ${status}`)
  }
}

function headersFor(body) {
  const t = Math.floor(Date.now() / 1_000)
  return {
    'content-type': 'application/json',
    'service-signature': signatureHeader(SECRETS, t, body),
  }
}

class Answer {
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
