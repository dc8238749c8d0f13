import type { BrowserContext, Page, Route } from 'playwright-core'
import { elapse } from '../until.ts'

/** The current time of every page. */
const NOW = Date.UTC(2026, 2, 12, 10, 15)
const NOW_HOUR = new Date(NOW).getUTCHours()
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
const DATES = /\b\d{4}-\d\d-\d\d\b(?!T)/g
const IDS = /"(?:\w+_)?(?:id|hash|hash_id)":"([\w-]{8,})"/g
const DURATIONS = /("\w+_ms":)\d+/g
/** The last characters of random keys and secrets. */
const KEY_ENDS = /("(?:last4|key_preview)":)"[^"]*"/g
/** The last use of a key is written a while after it, so only a slow machine would show it. */
const LAST_USES = /("last_used_at":)"[^"]*"/g

/** The sales of a day by hour. They were all made within an hour of the start. */
const HOURS = /(?<="hours":)\[[^\]]*\]/g
/** The deliveries of a week by hour. The last hour or, around a full hour, the one before has them all. */
const HOUR_COUNTS = /(?<="(?:succeeded|failed)":)\[[\d,]*\]/g

const POLL_MS = 20
/** A page is idle after this number of polls without a call: an answer may cause another call. */
const IDLE_POLLS = 10

/**
 * Shows each page at one fixed time: times of answers are shifted, and ids are replaced by zeros.
 */
export interface Freezer {
  prepare(context: BrowserContext): Promise<void>
  /** Waits until the page is idle, and replaces the ids and ports in its text. */
  replaceVaryingText(page: Page): Promise<void>
}

/** `startedAt` is a time in milliseconds before which no record was created. */
export function openFreezer(startedAt: number): Freezer {
  const ids = new Set<string>()
  /** The number of calls without an answer, by page. */
  const callsInProgress = new Map<Page, number>()
  const daysAhead = Math.floor(startedAt / DAY_MS) - Math.floor(NOW / DAY_MS)
  const hoursAhead = Math.floor(startedAt / HOUR_MS) - Math.floor(NOW / HOUR_MS)

  // Times within an hour of the start become one time. Full days and hours stay full.
  const moveTime = (text: string) => {
    const at = Date.parse(text)
    if (at % DAY_MS === 0) return new Date(at - daysAhead * DAY_MS).toISOString()
    if (Math.abs(at - startedAt) < HOUR_MS) return new Date(NOW).toISOString()
    const by_ms = at % HOUR_MS === 0 ? hoursAhead * HOUR_MS : startedAt - NOW
    return new Date(at - by_ms).toISOString()
  }
  const moveDate = (text: string, days: number) =>
    new Date(Date.parse(text) + days * DAY_MS).toISOString().slice(0, 10)

  function moveHours(text: string): string {
    const sales = JSON.parse(text) as Record<string, number>[]
    const empty = Object.fromEntries(Object.keys(sales[0] ?? {}).map((name) => [name, 0]))
    const sums = { ...empty }
    for (const hour of sales) {
      for (const [name, value] of Object.entries(hour)) sums[name] = (sums[name] ?? 0) + value
    }
    return JSON.stringify(sales.map((_, hour) => (hour === NOW_HOUR ? sums : empty)))
  }

  function moveCounts(text: string): string {
    const counts = JSON.parse(text) as number[]
    const sum = counts.reduce((total, count) => total + count, 0)
    return JSON.stringify(counts.map((_, hour) => (hour === counts.length - 1 ? sum : 0)))
  }

  async function countAndAnswer(route: Route) {
    if (route.request().resourceType() === 'eventsource') return route.continue()
    const page = route.request().frame().page()
    callsInProgress.set(page, (callsInProgress.get(page) ?? 0) + 1)
    // The answer fails if the browser has left the page meanwhile.
    await answer(route).catch(() => {})
    callsInProgress.set(page, (callsInProgress.get(page) ?? 0) - 1)
  }

  async function answer(route: Route) {
    // The page requests days around the fixed time. The server has records of the real days.
    const url = decodeURIComponent(route.request().url()).replace(/\d{4}-\d\d-\d\d/g, (text) =>
      moveDate(text, daysAhead),
    )
    const response = await route.fetch({ url })
    const text = await response.text()
    for (const [, id] of text.matchAll(IDS)) if (id && /\d|[A-Z]/.test(id)) ids.add(id)
    const body = text
      .replace(LAST_USES, '$1null')
      .replace(TIMES, moveTime)
      .replace(HOURS, moveHours)
      .replace(HOUR_COUNTS, moveCounts)
      .replace(DATES, (date) => moveDate(date, -daysAhead))
      .replace(DURATIONS, (_, name) => `${name}12`)
      .replace(KEY_ENDS, '$1"0000"')
    return route.fulfill({ response, body })
  }

  return {
    async prepare(context) {
      await context.clock.setFixedTime(NOW)
      await context.route('**/dashboard/api/**', countAndAnswer)
    },
    async replaceVaryingText(page) {
      for (let idlePolls = 0; idlePolls < IDLE_POLLS; idlePolls++) {
        if ((callsInProgress.get(page) ?? 0) > 0) idlePolls = 0
        await elapse(POLL_MS)
      }
      const longestFirst = [...ids].toSorted((id, otherId) => otherId.length - id.length)
      await page.evaluate(replaceIdsAndPorts, longestFirst)
    },
  }
}

/** Runs in the page, so it uses no value of this file. */
function replaceIdsAndPorts(ids: readonly string[]) {
  const page = globalThis as unknown as {
    document: {
      createTreeWalker(root: unknown, whatToShow: number): { nextNode(): Node | null }
      body: unknown
    }
  }
  interface Node {
    nodeValue: string
  }
  const SHOW_TEXT = 4
  const walker = page.document.createTreeWalker(page.document.body, SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    let text = node.nodeValue
    for (const id of ids) {
      const prefix = id.slice(0, id.indexOf('_') + 1)
      text = text.replaceAll(id, prefix.padEnd(id.length, '0'))
    }
    node.nodeValue = text.replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:4100')
  }
}
