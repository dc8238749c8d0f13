import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../../../app.ts'
import { type CommitWatch, watchCommits } from '../../../db/commit-watch.ts'
import { Refusal, unavailable } from '../../../kernel/errors.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import { endOfSession, type Role, selectSessionRoles } from '../users/index.ts'
import { countsMessage, KEEP_ALIVE, type LiveMessage, messageForRole, render } from './messages.ts'
import * as q from './queries.ts'
import type { Counts } from './schema.ts'
import {
  openFeed,
  readDeliveries,
  readEvents,
  readMissed,
  type StoreChanges,
  type StoreFeed,
} from './store-feed.ts'

/** The connection of a browser that reads a stream. */
export interface LiveConnection {
  user_id: number
  session_id: number
  store_id: number
  role: Role
  /** The number of the last message that the browser received; undefined on its first connection. */
  lastNo: number | undefined
  /** The end of the session if its user makes no other call, in Unix milliseconds. */
  ends_at: number
  /** Writes UTF-8 text to the browser. Returns false if the browser leaves too much unread. */
  write(bytes: Uint8Array): boolean
  /** Ends the stream. */
  end(): void
}

interface LiveTimes {
  /** The delay of a poll after a commit, to which DELAY_PER_STREAM_MS is added. Commits during the delay share the poll. */
  afterWrite_ms: number
  /**
   * The interval of polls for commits of other processes. Undefined if this process has workers, which
   * find such commits, and with an embedded database, to which only this process writes.
   */
  poll_ms: number | undefined
  /** The shortest time between two counts. */
  count_ms: number
  /** The interval of the comments that keep a connection open. */
  comment_ms: number
}

const timesOf = ({ config }: App): LiveTimes => ({
  afterWrite_ms: 250,
  poll_ms: config.databaseUrl && config.role === 'api' ? 2 * SECOND_MS : undefined,
  count_ms: 2 * SECOND_MS,
  comment_ms: 20 * SECOND_MS,
})

const STREAMS_OF_USER_MAX = 10
const STREAMS_MAX = 1_000
const RETRY_MS = SECOND_MS
/** The time after which a refused stream can be tried again. By then the next comment has found closed connections. */
const RETRY_AFTER_S = 20
/** A poll costs more the more streams it writes to, so the delay after a commit grows with their number. */
const DELAY_PER_STREAM_MS = 3
const DELAY_MAX_MS = SECOND_MS
const WRITES_AT_ONCE = 20
/** Commits that the workers found within this time share a poll. */
const FOUND_POLL_MS = SECOND_MS

interface LiveStream {
  connection: LiveConnection
  role: Role
  /** The end of the session, as last read, in Unix milliseconds. */
  ends_at: number
  /** True after the first message. */
  isOpen: boolean
  sentNo: number
}

interface LiveStore extends StoreFeed {
  counts: Counts | undefined
  /** The counts that the streams of the store have, as JSON. */
  sentCounts: string
  /** True if a failed poll may have read messages that it did not send. */
  hasLostMessages: boolean
}

interface EncodedMessages {
  /** The UTF-8 text, encoded once for all streams that get it. */
  bytes: Uint8Array
  /** The number of the last message that the stream has after it gets the text. */
  lastNo: number
}

/** Renders the messages that the role of the stream may read, as one UTF-8 text. */
function renderAll(
  { role, sentNo }: LiveStream,
  messages: readonly LiveMessage[],
): EncodedMessages {
  const texts: string[] = []
  let lastNo = sentNo
  for (const message of messages) {
    const readableMessage = messageForRole(role, message)
    if (!readableMessage) continue
    texts.push(render(readableMessage, lastNo))
    lastNo = Math.max(lastNo, message.no ?? 0)
  }
  return { bytes: Buffer.from(texts.join('')), lastNo }
}

/** The streams of a process, and the one reader of the ledger that serves them (decision 138). */
export class LiveHub {
  readonly #app: App
  readonly #times: LiveTimes
  readonly #streams = new Map<LiveConnection, LiveStream>()
  readonly #stores = new Map<number, LiveStore>()
  #isClosed = false
  #isPolling = false
  #hasWritten = false
  /** True if another process may have committed since the last poll. */
  #hasFoundCommits = false
  /** True if another process may have committed since sessions and counts were last read. */
  #areSessionsOld = false
  readonly #hasCommits: CommitWatch
  #areCountsOld = false
  #countedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #timerAt = Number.POSITIVE_INFINITY
  #comments: NodeJS.Timeout | undefined

  constructor(app: App, times: Partial<LiveTimes> = {}) {
    this.#app = app
    this.#times = { ...timesOf(app), ...times }
    this.#hasCommits = watchCommits(app, Boolean(app.config.databaseUrl))
    app.writes.onAnyCommit(() => {
      if (this.#streams.size === 0) return
      this.#hasFoundCommits = true
      this.#pollIn(FOUND_POLL_MS)
    })
    app.writes.onWrite(() => {
      if (this.#streams.size === 0) return
      this.#hasWritten = true
      this.#pollIn(this.#delayAfterWrite())
    })
  }

  /** Throws if the user, or the process, has too many streams. */
  join(connection: LiveConnection): void {
    if (this.#isClosed) throw unavailable('The service is restarting; repeat the call.')
    const { user_id, role, ends_at, lastNo = 0 } = connection
    const userConnections = [...this.#streams.keys()].filter((other) => other.user_id === user_id)
    if (userConnections.length >= STREAMS_OF_USER_MAX) {
      const message = `You have ${STREAMS_OF_USER_MAX} live streams open. Close a page of the dashboard.`
      throw new Refusal('RATE_LIMITED', message, undefined, {
        'retry-after': String(RETRY_AFTER_S),
      })
    }
    if (this.#streams.size >= STREAMS_MAX) {
      throw unavailable(
        `This process has ${STREAMS_MAX} live streams open. Try again later.`,
        RETRY_AFTER_S,
      )
    }
    this.#streams.set(connection, { connection, role, ends_at, isOpen: false, sentNo: lastNo })
    this.#comments ??= setInterval(() => this.#comment(), this.#times.comment_ms).unref()
    this.#pollIn(0)
  }

  leave(connection: LiveConnection): void {
    this.#streams.delete(connection)
    if (this.#streams.size > 0) return
    clearInterval(this.#comments)
    clearTimeout(this.#timer)
    this.#comments = undefined
    // Without streams no commit is noticed, so the counts of the next stream are read anew.
    this.#stores.clear()
    this.#timerAt = Number.POSITIVE_INFINITY
  }

  /** Returns the number of open streams. */
  size(): number {
    return this.#streams.size
  }

  /** Ends all streams, and accepts no others. */
  close(): void {
    this.#isClosed = true
    for (const stream of [...this.#streams.values()]) this.#drop(stream)
  }

  #delayAfterWrite(): number {
    const delay_ms = this.#times.afterWrite_ms + this.#streams.size * DELAY_PER_STREAM_MS
    return Math.min(delay_ms, DELAY_MAX_MS)
  }

  /** Starts a poll within this time, unless one starts earlier. */
  #pollIn(ms: number): void {
    const pollAt = performance.now() + ms
    if (this.#isPolling || this.#isClosed || pollAt >= this.#timerAt) return
    clearTimeout(this.#timer)
    this.#timerAt = pollAt
    this.#timer = setTimeout(() => void this.#poll(), ms).unref()
  }

  async #poll(): Promise<void> {
    this.#isPolling = true
    this.#timerAt = Number.POSITIVE_INFINITY
    const [hasWritten, hasFoundCommits] = [this.#hasWritten, this.#hasFoundCommits]
    this.#hasWritten = false
    this.#hasFoundCommits = false
    let hasFailed = false
    await this.#pollOnce(hasWritten, hasFoundCommits).catch((err) => {
      this.#app.log.warn({ err }, 'Live updates could not be read')
      this.#hasWritten ||= hasWritten
      this.#hasFoundCommits ||= hasFoundCommits
      this.#areCountsOld = true
      for (const store of this.#stores.values()) store.hasLostMessages = true
      hasFailed = true
    })
    this.#isPolling = false
    if (this.#streams.size === 0) return
    const { poll_ms, count_ms } = this.#times
    if (hasFailed) return this.#pollIn(RETRY_MS)
    if ([...this.#streams.values()].some(({ isOpen }) => !isOpen)) this.#pollIn(0)
    if (this.#hasWritten) this.#pollIn(this.#delayAfterWrite())
    if (this.#areCountsOld) {
      this.#pollIn(Math.max(0, this.#countedAt + count_ms - performance.now()))
    }
    if (poll_ms !== undefined) this.#pollIn(poll_ms)
  }

  async #pollOnce(hasWritten: boolean, hasFoundCommits: boolean): Promise<void> {
    await this.#updateStores()
    const stores = [...this.#stores.values()]
    if (stores.length === 0) return
    const pollsForCommits = this.#times.poll_ms !== undefined
    const mayDiffer = hasFoundCommits || (pollsForCommits && (await this.#hasCommits()))
    this.#areSessionsOld = !hasWritten && (this.#areSessionsOld || mayDiffer)
    // A new stream needs the events that were committed while no stream was open.
    const hasNewStreams = [...this.#streams.values()].some(({ isOpen }) => !isOpen)
    if (!hasWritten && !mayDiffer && !hasNewStreams && !this.#areCountsOld) return
    const events = await readEvents(this.#app, stores)
    const hasPendingDeliveries = stores.some(({ pendingIds }) => pendingIds.length > 0)
    const mayHaveChanged = hasWritten || hasPendingDeliveries || events.size > 0
    const deliveries = mayHaveChanged
      ? await readDeliveries(this.#app, stores)
      : new Map<number, StoreChanges>()
    this.#areCountsOld ||= hasWritten || events.size > 0
    const counts = await this.#count(stores)
    // Sessions are checked last, so that a session that ended during the reads gets nothing.
    if (mayHaveChanged || counts) await this.#checkSessions()
    for (const store of stores) {
      store.counts = counts?.get(store.id) ?? store.counts
      await this.#publish(store, [events.get(store.id), deliveries.get(store.id)])
    }
    await this.#openStreams()
  }

  /** Adds the stores of new streams, and removes the stores that no stream reads. */
  async #updateStores(): Promise<void> {
    const ids = new Set([...this.#streams.keys()].map(({ store_id }) => store_id))
    for (const id of this.#stores.keys()) if (!ids.has(id)) this.#stores.delete(id)
    for (const id of ids) {
      if (this.#stores.has(id)) continue
      const feed = await openFeed(this.#app, id)
      this.#stores.set(id, {
        ...feed,
        counts: undefined,
        sentCounts: '',
        hasLostMessages: false,
      })
    }
  }

  /** Counts again if a count may have changed, at most once in `count_ms`. */
  async #count(stores: readonly LiveStore[]): Promise<Map<number, Counts> | undefined> {
    const isDue = performance.now() >= this.#countedAt + this.#times.count_ms
    if (!this.#areCountsOld || !isDue) return undefined
    this.#areCountsOld = false
    this.#countedAt = performance.now()
    const ids = stores.map(({ id }) => id)
    return q.selectCounts(this.#app.db, ids)
  }

  /** Ends the streams whose session or role has ended, and reads the role and end of the others. */
  async #checkSessions(): Promise<void> {
    const { db, clock } = this.#app
    const streams = [...this.#streams.values()]
    const connections = streams.map(({ connection }) => connection)
    const keyOf = ({ session_id, store_id }: { session_id: number; store_id: number }) =>
      `${session_id}|${store_id}`
    const rows = await selectSessionRoles(db, connections, clock.now())
    const sessions = new Map(rows.map((row) => [keyOf(row), row]))
    for (const stream of streams) {
      const session = sessions.get(keyOf(stream.connection))
      if (!session) {
        this.#drop(stream)
        continue
      }
      stream.role = session.role
      stream.ends_at = endOfSession(session)
    }
  }

  async #publish(store: LiveStore, parts: readonly (StoreChanges | undefined)[]): Promise<void> {
    const messages = parts.flatMap((part) => part?.messages ?? [])
    const isComplete = !store.hasLostMessages && parts.every((part) => part?.isComplete ?? true)
    const counts = JSON.stringify(store.counts) ?? ''
    const isNew = counts !== store.sentCounts || !isComplete
    store.sentCounts = counts
    if (store.counts && isNew) messages.push(countsMessage(store.counts, isComplete))
    if (store.counts) store.hasLostMessages = false
    if (messages.length === 0) return
    // Most streams have the same role and position, so they share one text.
    const encodedByPosition = new Map<string, EncodedMessages>()
    let writtenCount = 0
    for (const stream of [...this.#streams.values()]) {
      if (!stream.isOpen || stream.connection.store_id !== store.id) continue
      // Calls of the API do not wait until all streams are written.
      if (++writtenCount % WRITES_AT_ONCE === 0) await nextTurn()
      const position = `${stream.role} ${stream.sentNo}`
      const encodedMessages = encodedByPosition.get(position) ?? renderAll(stream, messages)
      encodedByPosition.set(position, encodedMessages)
      this.#write(stream, encodedMessages)
    }
  }

  /** Sends the first messages of each new stream: the counts, and the messages that it missed. */
  async #openStreams(): Promise<void> {
    for (const stream of [...this.#streams.values()].filter(({ isOpen }) => !isOpen)) {
      const { store_id, lastNo } = stream.connection
      const store = this.#stores.get(store_id)
      if (!store) continue
      store.counts ??= (await q.selectCounts(this.#app.db, [store.id])).get(store.id)
      store.sentCounts = JSON.stringify(store.counts) ?? ''
      const missedMessages = lastNo === undefined ? [] : await readMissed(this.#app, store, lastNo)
      stream.isOpen = true
      const counts = store.counts ? [countsMessage(store.counts, missedMessages !== undefined)] : []
      this.#write(stream, renderAll(stream, [...counts, ...(missedMessages ?? [])]))
    }
  }

  #write(stream: LiveStream, { bytes, lastNo }: EncodedMessages): void {
    if (bytes.length === 0 || !this.#streams.has(stream.connection)) return
    stream.sentNo = lastNo
    if (!stream.connection.write(bytes)) this.#drop(stream)
  }

  #drop({ connection }: LiveStream): void {
    this.leave(connection)
    connection.end()
  }

  /**
   * Keeps the connections open. Ended sessions, and some changes of counts, have no event, so after a
   * commit of another process this also starts a poll as if this process had written.
   */
  #comment(): void {
    for (const stream of [...this.#streams.values()]) {
      if (stream.isOpen && !stream.connection.write(KEEP_ALIVE)) this.#drop(stream)
    }
    const now = this.#app.clock.now()
    const mayHaveEnded = [...this.#streams.values()].some(({ ends_at }) => ends_at <= now)
    if (!this.#areSessionsOld && !mayHaveEnded) return
    this.#hasWritten = true
    this.#pollIn(0)
  }
}
