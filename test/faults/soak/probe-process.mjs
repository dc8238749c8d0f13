// Calls /healthz of the program and of a bare server at the same times, and reports the durations.
import { get } from 'node:http'

const INTERVAL_MS = 100
const TIMEOUT_MS = 10_000
const OPEN_MAX = 50

/** @type {{ program: string | null, bare: string | null }} */
const origins = { program: null, bare: null }
/** @type {{ target: string, origin: string, at: number, ms: number, answer: string }[]} */
let samples = []
let openCount = 0

process.on('message', (message) => {
  Object.assign(origins, message)
})
process.once('disconnect', () => process.exit(0))

/** @param {'program' | 'bare'} target */
function probe(target) {
  const origin = origins[target]
  if (origin === null || openCount >= OPEN_MAX) return
  openCount++
  const at = Date.now()
  const startedAt = performance.now()
  let isRecorded = false
  /** @param {string} answer */
  const recordSample = (answer) => {
    if (isRecorded) return
    isRecorded = true
    openCount--
    samples.push({ target, origin, at, ms: performance.now() - startedAt, answer })
  }
  // Each call uses a new connection, so that the time to accept it is included.
  const request = get(`${origin}/healthz`, { agent: false, timeout: TIMEOUT_MS }, (response) => {
    response.resume()
    response.once('end', () => recordSample(String(response.statusCode)))
  })
  request.once('timeout', () => request.destroy(new Error('no answer in time')))
  request.once('error', (error) => recordSample(error.message || 'error'))
}

setInterval(() => {
  probe('bare')
  probe('program')
  if (samples.length > 0) process.send?.(samples)
  samples = []
}, INTERVAL_MS)
