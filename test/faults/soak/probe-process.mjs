// Calls /healthz of the program and of a bare server at the same moments, and reports how long each took.
import { get } from 'node:http'

const EVERY_MS = 100
const TIMEOUT_MS = 10_000
const OPEN_MAX = 50

/** @type {{ program: string | null, bare: string | null }} */
const origins = { program: null, bare: null }
/** @type {{ target: string, origin: string, at: number, ms: number, answer: string }[]} */
let samples = []
let open = 0

process.on('message', (message) => {
  Object.assign(origins, message)
})
process.once('disconnect', () => process.exit(0))

/** @param {'program' | 'bare'} target */
function probe(target) {
  const origin = origins[target]
  if (origin === null || open >= OPEN_MAX) return
  open++
  const at = Date.now()
  const begun = performance.now()
  let isDone = false
  /** @param {string} answer */
  const done = (answer) => {
    if (isDone) return
    isDone = true
    open--
    samples.push({ target, origin, at, ms: performance.now() - begun, answer })
  }
  // A new connection for each call: it must be accepted too.
  const request = get(`${origin}/healthz`, { agent: false, timeout: TIMEOUT_MS }, (response) => {
    response.resume()
    response.once('end', () => done(String(response.statusCode)))
  })
  request.once('timeout', () => request.destroy(new Error('no answer in time')))
  request.once('error', (error) => done(error.message || 'error'))
}

setInterval(() => {
  probe('bare')
  probe('program')
  if (samples.length > 0) process.send?.(samples)
  samples = []
}, EVERY_MS)
