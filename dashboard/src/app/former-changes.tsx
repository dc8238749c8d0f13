import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { errorOf, TradepostError, type TradepostErrorCode } from '../../../sdk/client/errors.ts'
import { retryDelay } from '../../../sdk/client/repeat.ts'
import { guardedFetch } from '../api/call.ts'
import {
  type ChangeSummary,
  deletePersistedChange,
  type FormerChanges as Former,
  type PersistedChange,
  persistAgain,
  takeFormerChanges,
} from '../api/persisted-changes.ts'
import { useStore } from '../api/store.ts'
import { countEditsOfOthers, unsentEdits } from '../kit/persisted-edits.ts'
import { Time } from '../kit/show.tsx'
import { toast } from '../kit/toast.tsx'
import { countText } from '../kit/words.ts'
import { common } from '../text/common.ts'
import { formerChanges as text } from '../text/former-changes.ts'

/** A sentence about a change that was not sent or was refused. */
interface Notice {
  lead: string
  change?: Pick<ChangeSummary, 'name' | 'saved_at'>
  reason?: string
}

/** A notice on the page. Two notices can be equal, such as those of two photos. */
type ShownNotice = Notice & { id: number }

let hasStarted = false
let noticeCount = 0

/**
 * Sends the changes that waited when the page was loaded again, with their idempotency keys. Lists the changes
 * that were refused or cannot be sent, and the edits whose forms are not open yet.
 */
export function FormerChanges() {
  const user = useStore().me.user.id
  const queries = useQueryClient()
  const [notices, setNotices] = useState<readonly ShownNotice[]>([])
  useEffect(() => {
    if (hasStarted) return
    hasStarted = true
    const former = takeFormerChanges(user)
    const add = (more: readonly Notice[]) => {
      const added = more.map((notice) => ({ ...notice, id: noticeCount++ }))
      setNotices((shown) => [...shown, ...added])
    }
    add(unsentNotices(former, countEditsOfOthers(user)))
    if (former.sendable.length > 0) void sendAll(former.sendable, queries).then(add)
  }, [user, queries])
  const unsent = unsentEdits(user)
  if (notices.length + unsent.length === 0) return null
  return (
    <div className="notice-bar" role="status">
      {notices.map((notice) => (
        <p key={notice.id}>
          {notice.lead} {notice.change && <ChangeName change={notice.change} />}
          {notice.reason && `: ${notice.reason}`}{' '}
          <button
            type="button"
            onClick={() => setNotices(notices.filter((item) => item !== notice))}
          >
            {common.close}
          </button>
        </p>
      ))}
      {unsent.map(({ path, title, recordName }) => (
        <p key={path + title + recordName}>
          {text.notSent} <a href={path}>{title}</a>
        </p>
      ))}
    </div>
  )
}

/** A change in words, and the time at which it was made, because two can have the same words. */
const ChangeName = ({ change: { name, saved_at } }: { change: NonNullable<Notice['change']> }) => (
  <>
    <b>{name}</b>, <Time at={new Date(saved_at).toISOString()} />
  </>
)

function unsentNotices(
  { expired, unknown, withoutEffect, otherUsersCount }: Former,
  otherUsersEdits: number,
): Notice[] {
  const others = otherUsersCount + otherUsersEdits
  return [
    ...expired.map((change) => ({ lead: text.expired, change })),
    ...unknown.map((change) => ({ lead: text.unknown, change })),
    ...withoutEffect.map((change) => ({ lead: text.withoutEffect, change })),
    ...(others > 0 ? [{ lead: countText(others, text.otherUsersOne, text.otherUsers) }] : []),
  ]
}

/** Returns a notice about each refused change. */
async function sendAll(
  changes: readonly PersistedChange[],
  queries: QueryClient,
): Promise<Notice[]> {
  const refused: Notice[] = []
  let sent = 0
  for (const change of changes) {
    const reason = await send(change)
    if (reason === undefined) sent++
    else if (reason !== CANCELLED) refused.push({ lead: text.refused, change, reason })
  }
  // A read that began before the changes has old data, which would count as fresh.
  await queries.cancelQueries()
  void queries.invalidateQueries()
  if (sent > 0) toast(countText(sent, text.sentOne, text.sent))
  return refused
}

const CANCELLED = ''
const ATTEMPTS_MAX = 8

/** Sends a change, and returns the reason of a refusal. It is repeated if the answer asks for it. */
async function send(change: PersistedChange): Promise<string | undefined> {
  // One object for all attempts, because a user who declines to sign in is not asked again by a repeat.
  const request = requestOf(change)
  try {
    for (let attempts = 1; ; attempts++) {
      const response = await guardedFetch(change.url, request, change.name)
      if (response.ok) return undefined
      const error = await refusalIn(response, change.name)
      const state = { attempts, isRepeatable: true, randomFraction: Math.random() }
      const wait_ms = attempts < ATTEMPTS_MAX ? retryDelay(error, state) : undefined
      if (wait_ms === undefined) return error.message
      persistAgain(change)
      await new Promise((resolve) => setTimeout(resolve, wait_ms))
    }
  } catch (error) {
    if (error instanceof TradepostError) return CANCELLED
    throw error
  } finally {
    deletePersistedChange(change.key)
  }
}

const requestOf = ({ key, method, body }: PersistedChange): RequestInit => ({
  method,
  headers: {
    'idempotency-key': key,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  },
  ...(body !== undefined && { body }),
})

async function refusalIn(response: Response, operation: string): Promise<TradepostError> {
  const { status, headers } = response
  const answer = (await response.json().catch(() => ({}))) as { code?: string; error?: string }
  return errorOf({
    operation,
    status,
    code: (answer.code ?? 'UNREADABLE_ANSWER') as TradepostErrorCode,
    message: answer.error ?? String(status),
    retryAfter_s: Number(headers.get('retry-after') ?? 0),
  })
}
