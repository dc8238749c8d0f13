import type { App } from '../../../app.ts'
import { Refusal, unavailable } from '../../../kernel/errors.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import { type Role, selectSessionRoles } from '../users/index.ts'
import { COMMENT, countsMessage, type Message, readableBy, render } from './messages.ts'
import { selectCounts } from './queries.ts'
import type { Counts } from './schema.ts'
import {
  type News,
  readDeliveries,
  readEvents,
  readMissed,
  type WatchedStore,
  watchStore,
} from './watch-store.ts'

/** A browser that listens. */
export interface Listener {
  user_id: number
  session_id: number
  store_id: number
  role: Role
  /** The number of the last message that the browser has; undefined for a new one. */
  lastNo: number | undefined
  /** When the session ends if its user calls nothing else, in Unix milliseconds. */
  ends_at: number
  /** Writes to the browser; false if it does not read. */
  write(text: string): boolean
  /** Ends the stream. */
  end(): void
}

export interface LiveTimes {
  /** Commits within this time share a look. */
  afterWrite_ms: number
  /** Between looks for commits of other processes; only this process writes to an embedded database. */
  look_ms: number | undefined
  /** Between two counts. */
  count_ms: number
  /** Between two comments. */
  comment_ms: number
}

const timesOf = ({ config }: App): LiveTimes => ({
  afterWrite_ms: 250,
  look_ms: config.databaseUrl ? 2 * SECOND_MS : undefined,
  count_ms: 2 * SECOND_MS,
  comment_ms: 20 * SECOND_MS,
})

const USER_MAX = 10
const TOTAL_MAX = 1_000
const RETRY_MS = SECOND_MS

interface Stream {
  listener: Listener
  role: Role
  /** True after its first message. */
  opened: boolean
  sentNo: number
}

interface LiveStore extends WatchedStore {
  counts: Counts | undefined
  shown: string
}

/** The streams of a process, and the one reader of the ledger that serves them (decision 138). */
export class LiveHub {
  readonly #app: App
  readonly #times: LiveTimes
  readonly #streams = new Map<Listener, Stream>()
  readonly #stores = new Map<number, LiveStore>()
  #closed = false
  #looking = false
  #wrote = false
  #countsAreOld = false
  #countedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #timerAt = Number.POSITIVE_INFINITY
  #comments: NodeJS.Timeout | undefined

  constructor(app: App, times: Partial<LiveTimes> = {}) {
    this.#app = app
    this.#times = { ...timesOf(app), ...times }
    app.writes.onWrite(() => {
      if (this.#streams.size === 0) return
      this.#wrote = true
      this.#lookIn(this.#times.afterWrite_ms)
    })
  }

  /** Throws if the user, or the process, has too many streams. */
  join(listener: Listener): void {
    if (this.#closed) throw unavailable('The service is restarting; repeat the call.')
    const own = [...this.#streams.keys()].filter(({ user_id }) => user_id === listener.user_id)
    if (own.length >= USER_MAX) {
      const why = `You have ${USER_MAX} live streams open. Close a page of the dashboard.`
      throw new Refusal('RATE_LIMITED', why, undefined, { 'retry-after': '20' })
    }
    if (this.#streams.size >= TOTAL_MAX) {
      throw unavailable('This process serves as many live streams as it can.', 20)
    }
    const { role, lastNo = 0 } = listener
    this.#streams.set(listener, { listener, role, opened: false, sentNo: lastNo })
    this.#comments ??= setInterval(() => this.#comment(), this.#times.comment_ms).unref()
    this.#lookIn(0)
  }

  leave(listener: Listener): void {
    this.#streams.delete(listener)
    if (this.#streams.size > 0) return
    clearInterval(this.#comments)
    clearTimeout(this.#timer)
    this.#comments = undefined
    this.#timerAt = Number.POSITIVE_INFINITY
  }

  /** The number of open streams. */
  size(): number {
    return this.#streams.size
  }

  /** Ends all streams, and accepts no others. */
  close(): void {
    this.#closed = true
    for (const stream of [...this.#streams.values()]) this.#drop(stream)
  }

  /** Looks within this time. */
  #lookIn(ms: number): void {
    const at = performance.now() + ms
    if (this.#looking || this.#closed || at >= this.#timerAt) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => void this.#look(), ms).unref()
  }

  async #look(): Promise<void> {
    this.#looking = true
    this.#timerAt = Number.POSITIVE_INFINITY
    const wrote = this.#wrote
    this.#wrote = false
    let failed = false
    await this.#lookOnce(wrote).catch((err) => {
      this.#app.log.warn({ err }, 'Live updates could not be read')
      this.#wrote ||= wrote
      failed = true
    })
    this.#looking = false
    if (this.#streams.size === 0) return
    const { afterWrite_ms, look_ms, count_ms } = this.#times
    if (failed) return this.#lookIn(RETRY_MS)
    if ([...this.#streams.values()].some(({ opened }) => !opened)) this.#lookIn(0)
    if (this.#wrote) this.#lookIn(afterWrite_ms)
    if (this.#countsAreOld) {
      this.#lookIn(Math.max(0, this.#countedAt + count_ms - performance.now()))
    }
    if (look_ms !== undefined) this.#lookIn(look_ms)
  }

  async #lookOnce(wrote: boolean): Promise<void> {
    await this.#openStores()
    const watched = [...this.#stores.values()]
    if (watched.length === 0) return
    const events = await readEvents(this.#app, watched)
    const waits = watched.some(({ tracked }) => tracked.length > 0)
    const changed = wrote || waits || events.size > 0
    const deliveries = changed ? await readDeliveries(this.#app, watched) : new Map<number, News>()
    this.#countsAreOld ||= wrote || events.size > 0
    const counts = await this.#count(watched)
    // After everything was read, so that nothing is sent to a session that had ended by then.
    if (changed || counts) await this.#checkSessions()
    for (const store of watched) {
      store.counts = counts?.get(store.id) ?? store.counts
      this.#publish(store, [events.get(store.id), deliveries.get(store.id)])
    }
    await this.#openStreams()
  }

  /** Begins to watch the stores of new streams, and stops for stores without a stream. */
  async #openStores(): Promise<void> {
    const needed = new Set([...this.#streams.keys()].map(({ store_id }) => store_id))
    for (const id of this.#stores.keys()) if (!needed.has(id)) this.#stores.delete(id)
    for (const id of needed) {
      if (this.#stores.has(id)) continue
      this.#stores.set(id, { ...(await watchStore(this.#app, id)), counts: undefined, shown: '' })
    }
  }

  /** Counts again if something may have changed, and not more often than it may. */
  async #count(watched: readonly LiveStore[]): Promise<Map<number, Counts> | undefined> {
    const isDue = performance.now() >= this.#countedAt + this.#times.count_ms
    if (!this.#countsAreOld || !isDue) return undefined
    this.#countsAreOld = false
    this.#countedAt = performance.now()
    const ids = watched.map(({ id }) => id)
    return selectCounts(this.#app.db, ids)
  }

  /** Ends the streams whose session or role has ended, before anything is sent to them. */
  async #checkSessions(): Promise<void> {
    const { db, clock } = this.#app
    const streams = [...this.#streams.values()]
    const listeners = streams.map(({ listener }) => listener)
    const roles = new Map<string, Role>()
    for (const { session_id, store_id, role } of await selectSessionRoles(
      db,
      listeners,
      clock.now(),
    )) {
      roles.set(`${session_id}|${store_id}`, role)
    }
    for (const stream of streams) {
      const { session_id, store_id } = stream.listener
      const role = roles.get(`${session_id}|${store_id}`)
      if (role) stream.role = role
      else this.#drop(stream)
    }
  }

  #publish(store: LiveStore, parts: readonly (News | undefined)[]): void {
    const messages = parts.flatMap((part) => part?.messages ?? [])
    const complete = parts.every((part) => part?.complete ?? true)
    const shown = JSON.stringify(store.counts) ?? ''
    const isNew = shown !== store.shown || !complete
    store.shown = shown
    for (const stream of [...this.#streams.values()]) {
      if (!stream.opened || stream.listener.store_id !== store.id) continue
      for (const message of messages) this.#send(stream, message)
      if (store.counts && isNew) this.#send(stream, countsMessage(store.counts, complete))
    }
  }

  /** The first messages of new streams: the counts, and the missed messages. */
  async #openStreams(): Promise<void> {
    for (const stream of [...this.#streams.values()].filter(({ opened }) => !opened)) {
      const { store_id, lastNo } = stream.listener
      const store = this.#stores.get(store_id)
      if (!store) continue
      store.counts ??= (await selectCounts(this.#app.db, [store.id])).get(store.id)
      store.shown = JSON.stringify(store.counts) ?? ''
      const missed = lastNo === undefined ? [] : await readMissed(this.#app, store, lastNo)
      stream.opened = true
      if (store.counts) this.#send(stream, countsMessage(store.counts, missed !== undefined))
      for (const message of missed ?? []) this.#send(stream, message)
    }
  }

  #send(stream: Stream, message: Message): void {
    const readable = readableBy(stream.role, message)
    if (!readable || !this.#streams.has(stream.listener)) return
    const text = render(readable, stream.sentNo)
    stream.sentNo = Math.max(stream.sentNo, message.no ?? 0)
    if (!stream.listener.write(text)) this.#drop(stream)
  }

  #drop({ listener }: Stream): void {
    this.leave(listener)
    listener.end()
  }

  /** Other processes may end sessions and change counts; a write of this process starts a look. */
  #comment(): void {
    const now = this.#app.clock.now()
    for (const stream of [...this.#streams.values()]) {
      if (stream.opened && !stream.listener.write(COMMENT)) this.#drop(stream)
    }
    const mayHaveEnded = [...this.#streams.keys()].some(({ ends_at }) => ends_at <= now)
    if (this.#times.look_ms === undefined && !mayHaveEnded) return
    this.#wrote = true
    this.#lookIn(0)
  }
}
