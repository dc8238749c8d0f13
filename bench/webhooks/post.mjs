// What a job of a rival does: sign, POST, look at the status. undici's `dispatch` with connections
// that are kept is the fastest that Node has.
import { join } from 'node:path'
import { Agent } from 'undici'
import { ROOT } from '../lib/bench.mjs'

const { signatureHeader } = await import(
  join(ROOT, 'dist', 'features/webhooks/sending/signature.js')
)
const SECRETS = ['whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']
const TIMEOUT_MS = 10_000
const agent = new Agent({
  connections: 10,
  pipelining: 1,
  headersTimeout: TIMEOUT_MS,
  bodyTimeout: TIMEOUT_MS,
})

/** Throws where the answer is not a 2xx, so that the queue tries again. */
export function posterTo(urls) {
  const places = urls.map((url) => {
    const { origin, pathname } = new URL(url)
    return { origin, path: pathname, method: 'POST' }
  })
  return ({ endpoint, body }) => post(places[endpoint], Buffer.from(body))
}

function post(place, body) {
  const t = Math.floor(Date.now() / 1_000)
  const headers = [
    'content-type',
    'application/json',
    'service-signature',
    signatureHeader(SECRETS, t, body),
  ]
  return new Promise((resolve, reject) => {
    agent.dispatch({ ...place, headers, body }, new Answer(resolve, reject))
  })
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
    if (this.#status >= 200 && this.#status < 300) this.#resolve()
    else this.#reject(new Error(`HTTP ${this.#status}`))
  }

  onError(error) {
    this.#reject(error)
  }
}
