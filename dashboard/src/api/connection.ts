import { errorOf } from '../../../sdk/client/errors.ts'
import { connection as texts } from '../text/connection.ts'
import { API } from './base.ts'
import { observable } from './observable.ts'
import { isExpired, persistChange } from './persisted-changes.ts'

const PROBE_INTERVAL_MS = 3_000

/** A change that is sent when the server answers again. */
interface WaitingChange {
  id: number
  /** The change in words, such as `Cancel order · Order #7`. */
  name: string
  cancel(): void
}

interface Connection {
  isOnline: boolean
  /** True if the server accepts requests and answers none. */
  isSilent: boolean
  waitingChanges: readonly WaitingChange[]
  /** The number of opened parts of the page whose code is not loaded yet. */
  waitingCode: number
  /** The seconds after which a call that was one too many is repeated; 0 if there is none. */
  limited_s: number
}

/** The state of the connection, and the changes that wait for it (decision 377). */
export const connection = observable<Connection>({
  isOnline: true,
  isSilent: false,
  waitingChanges: [],
  waitingCode: 0,
  limited_s: 0,
})

const update = (next: Partial<Connection>) => connection.set({ ...connection.get(), ...next })

export const countWaitingCode = (change: 1 | -1) =>
  update({ waitingCode: connection.get().waitingCode + change })

/** True for the error page of a proxy that cannot reach the server. */
const isProxyError = ({ status, headers }: Response) =>
  [502, 503, 504].includes(status) && !headers.get('content-type')?.includes('json')

/**
 * True for the answer of a server that starts, whose other files are not there yet either. An open server forbids caches
 * to keep its answers. Its 503 is about something behind it, such as a payment provider.
 */
const isStarting = ({ status, headers }: Response) =>
  status === 503 && !headers.has('cache-control')

/** Thrown for the error page of a proxy. `fetch` itself throws a TypeError if the network is down. */
class NoAnswerError extends Error {}

/** Sends a request, and records whether the server can be reached. */
export async function trackedFetch(
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> {
  const requestNumber = ++requestCount
  const isRead = init?.method === undefined || init.method === 'GET'
  const answer = isRead ? fetchAgainAfterSilence(input, init) : watchSilence(fetch(input, init))
  const response = await answer.catch((error: unknown) => {
    const isAborted = error instanceof DOMException
    if (!isAborted) recordOutcome(requestNumber, false)
    throw error
  })
  if (connection.get().isSilent) update({ isSilent: false })
  recordOutcome(requestNumber, !isProxyError(response) && !isStarting(response))
  recordLimit(response)
  return response
}

/** After this time without an answer, a read may be slow or the server may be silent. */
const SLOW_READ_MS = 5_000
/** A server that works answers a question for the user within this time, also while it computes a report. */
const CHECK_MS = 5_000

/** Ends the reads that a silent server does not answer. */
let silence = new AbortController()

/**
 * Sends a read, and sends it again each time the server is found to be silent: it may have lost the request, and the
 * browser would wait for minutes.
 */
async function fetchAgainAfterSilence(
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  for (;;) {
    const { signal } = silence
    const timer = setTimeout(() => void checkSilence(), SLOW_READ_MS)
    try {
      return await fetch(input, {
        ...init,
        signal: init.signal ? AbortSignal.any([signal, init.signal]) : signal,
      })
    } catch (error) {
      if (!signal.aborted || init.signal?.aborted) throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Finds out from time to time whether the server is silent, until this request, which the page cannot end, is answered. */
export function watchSilence<Answer>(request: Promise<Answer>): Promise<Answer> {
  const timer = setInterval(() => void checkSilence(), SLOW_READ_MS)
  return request.finally(() => clearInterval(timer))
}

let isChecking = false

/** Asks the server for something that is quickly answered. */
async function checkSilence() {
  if (isChecking) return
  isChecking = true
  const signal = AbortSignal.timeout(CHECK_MS)
  await fetch(`${API}/me`, { signal })
    .then((response) => response.arrayBuffer())
    .catch(() => {})
  isChecking = false
  const isSilent = signal.aborted
  if (isSilent !== connection.get().isSilent) update({ isSilent })
  if (!isSilent) return
  silence.abort()
  silence = new AbortController()
}

let limitTimer: ReturnType<typeof setTimeout> | undefined

/** The client repeats such a call itself, so until then only this says why a part of the page is not shown. */
function recordLimit({ status, headers }: Response) {
  if (status !== 429) return
  const limited_s = Number(headers.get('retry-after')) || 1
  update({ limited_s })
  clearTimeout(limitTimer)
  limitTimer = setTimeout(() => update({ limited_s: 0 }), limited_s * 1_000)
}

let requestCount = 0
let newestEndedRequest = 0

/** Records the outcome of a request, unless a later request ended before it. */
function recordOutcome(requestNumber: number, isOnline: boolean) {
  if (requestNumber < newestEndedRequest) return
  newestEndedRequest = requestNumber
  setOnline(isOnline)
}

let probeTimer: ReturnType<typeof setTimeout> | undefined

function setOnline(isOnline: boolean) {
  clearTimeout(probeTimer)
  // `onLine` can be false while open connections still work.
  if (!isOnline || !navigator.onLine) probeTimer = setTimeout(startProbe, PROBE_INTERVAL_MS)
  if (isOnline !== connection.get().isOnline) update({ isOnline })
}

/**
 * Sends a request only to record its outcome, because the browser does not know whether the server can be reached.
 * It reads the answer too: until then, the request has not ended for the browser.
 */
export const probeNow = async (): Promise<void> => {
  await trackedFetch(`${API}/me`)
    .then((response) => response.arrayBuffer())
    .catch(() => {})
}
export const startProbe = () => void probeNow()

export function watchConnection() {
  addEventListener('online', startProbe)
  addEventListener('offline', startProbe)
  addEventListener('beforeunload', (event) => {
    if (connection.get().waitingChanges.length > 0 && !isReloading) event.preventDefault()
  })
}

let isReloading = false
/** Loads the page again without asking about changes that wait. */
export function reloadPage() {
  isReloading = true
  location.reload()
}

let answeredCount = 0
/** The number of changes that the server answered so far. */
export const countAnsweredChanges = () => answeredCount

/**
 * Sends a change that has an idempotency key, and repeats it until the server answers. A waiting change is
 * persisted, so that a reload of the page does not lose it, until the caller deletes it. `isPersisted` is false for
 * an edit, which its form persists. A change older than a day is not sent, because the server may have deleted its
 * key.
 */
export async function sendUntilAnswered(
  name: string,
  input: RequestInfo | URL,
  init: RequestInit,
  isPersisted: boolean,
): Promise<Response> {
  const sentAt = Date.now()
  const attempt = async () => {
    if (isExpired(sentAt)) {
      throw errorOf({ operation: name, status: 499, code: 'NO_ANSWER', message: texts.tooOld })
    }
    const response = await trackedFetch(input, init)
    if (isProxyError(response)) throw new NoAnswerError()
    answeredCount++
    return response
  }
  const persistIfLost = (error: unknown) => {
    const hasNoAnswer = error instanceof NoAnswerError || error instanceof TypeError
    if (hasNoAnswer && isPersisted) persistChange({ name, input, init, sentAt })
    return hasNoAnswer
  }
  return untilAnswered(name, attempt, persistIfLost)
}

/**
 * Repeats the work until the server answers. After the first lost answer, the page shows the change as waiting,
 * and the user can cancel it.
 */
export async function untilAnswered<Answer>(
  name: string,
  work: () => PromiseLike<Answer>,
  isLost: (error: unknown) => boolean,
): Promise<Answer> {
  let wait: Wait | undefined
  try {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isLost(error)) throw error
      }
      setOnline(false)
      wait ??= addWaiting(name)
      await Promise.race([untilOnline(), wait.cancelled])
    }
  } finally {
    wait?.end()
  }
}

interface Wait {
  /** Rejects if the user cancels the change. */
  cancelled: Promise<never>
  end(): void
}

let lastId = 0

function addWaiting(name: string): Wait {
  const id = ++lastId
  const { promise, reject } = Promise.withResolvers<never>()
  // The promise may reject while nothing awaits it. That is not an unhandled error.
  promise.catch(() => {})
  // 499 is "client closed request"; the client of the API does not repeat such a call.
  const cancel = () =>
    reject(errorOf({ operation: name, status: 499, code: 'NO_ANSWER', message: texts.cancelled }))
  update({ waitingChanges: [...connection.get().waitingChanges, { id, name, cancel }] })
  const end = () =>
    update({ waitingChanges: connection.get().waitingChanges.filter((change) => change.id !== id) })
  return { cancelled: promise, end }
}

/** Resolves when the server answers. */
export function untilOnline(): Promise<void> {
  return new Promise((resolve) => {
    const stop = connection.subscribe(() => {
      if (!connection.get().isOnline) return
      stop()
      resolve()
    })
  })
}
