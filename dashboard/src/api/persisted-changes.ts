import { mayPersist } from './may-persist.ts'
import { pageUser } from './page-user.ts'
import { createSessionList } from './session-list.ts'

/** A waiting change whose request may not be stored. It can be reported after a reload, but not sent. */
export interface ChangeSummary {
  /** The idempotency key of the change. */
  key: string
  /** The user who made the change; another user of this tab does not send it. */
  user: number
  /** The change in words, such as `Cancel order · Order #7`. */
  name: string
  /** The time of its first attempt, in milliseconds since 1970. */
  saved_at: number
  /** True if the server refused it because the session had ended, so that it had no effect. */
  is_refused?: true
}

/** A change without an answer, stored in the tab so that it survives a reload of the page (decision 377). */
export interface PersistedChange extends ChangeSummary {
  method: string
  /** The path and query of the request. */
  url: string
  /** The body as JSON. */
  body?: string
}

type StoredChange = ChangeSummary | PersistedChange

const storage = createSessionList<StoredChange>('tradepost-waiting-changes')
/** The maximum number of changes of a user. */
const CHANGES_MAX = 50
/** The shortest time for which the server stores an idempotency key. */
const KEY_LIFETIME_MS = 24 * 3_600_000

/** True if the server may have deleted the idempotency key of a change that was first sent at that time. */
export const isExpired = (sentAt: number): boolean => sentAt <= Date.now() - KEY_LIFETIME_MS

interface WaitingRequest {
  name: string
  input: RequestInfo | URL
  init: RequestInit
  /** The time of its first attempt on this page. */
  sentAt: number
  /** True if the server answered that it needs a sign-in, so that it had no effect. */
  isRefused?: boolean
}

/** Stores a waiting change. If it has a file, a long body or a secret, only its name is stored. */
export function persistChange({ name, input, init, sentAt, isRefused }: WaitingRequest) {
  const { method = 'GET', body } = init
  const { pathname, search } = new URL(String(input), location.origin)
  const key = new Headers(init.headers).get('idempotency-key')
  const user = pageUser()
  const earlier = storage.read().find((change) => change.key === key)
  const others = storage.read().filter((change) => change.key !== key)
  if (key === null || user === undefined) return
  if (others.filter((change) => change.user === user).length >= CHANGES_MAX) return
  // A change of a former page keeps the time of its first attempt.
  const saved_at = earlier?.saved_at ?? sentAt
  const summary = { key, user, name, saved_at, ...(isRefused && { is_refused: true as const }) }
  const request = { ...summary, method, url: pathname + search }
  if (body === undefined || body === null) {
    storage.save([...others, mayPersist(pathname, undefined) ? request : summary])
  } else {
    const isPersisted = typeof body === 'string' && mayPersist(pathname, body)
    storage.save([...others, isPersisted ? { ...request, body } : summary])
  }
}

/** Deletes a stored change, because it was answered or cancelled. */
export const deletePersistedChange = (key: string | null) =>
  storage.save(storage.read().filter((change) => change.key !== key))

/** Stores a change of a former page again, because its last answer asks for a repeat. */
export const persistAgain = (change: PersistedChange) =>
  storage.save([...storage.read().filter(({ key }) => key !== change.key), change])

/** The changes that a former page stored. */
export interface FormerChanges {
  /** The changes of the user that can be sent. */
  sendable: readonly PersistedChange[]
  /** The changes that are too old to be sent. */
  expired: readonly ChangeSummary[]
  /** The changes whose requests were not stored, and which may have taken effect. */
  unknown: readonly ChangeSummary[]
  /** The changes whose requests were not stored, and which had no effect. */
  withoutEffect: readonly ChangeSummary[]
  /** The number of changes of other users that can still be sent. */
  otherUsersCount: number
}

/** Returns the stored changes of a user, and deletes those that cannot be sent. Changes of other users stay stored. */
export function takeFormerChanges(user: number): FormerChanges {
  const others = storage.read().filter((change) => change.user !== user)
  const ownChanges = storage.read().filter((change) => change.user === user)
  const expired = ownChanges.filter(({ saved_at }) => isExpired(saved_at))
  const recent = ownChanges.filter((change) => !expired.includes(change))
  const sendable = recent.filter((change) => 'url' in change)
  const summaries = recent.filter((change) => !('url' in change))
  storage.save([...others, ...sendable])
  const waitingOthers = others.filter(({ saved_at }) => !isExpired(saved_at))
  return {
    sendable,
    expired,
    unknown: summaries.filter(({ is_refused }) => !is_refused),
    withoutEffect: summaries.filter(({ is_refused }) => is_refused),
    otherUsersCount: waitingOthers.length,
  }
}
