import type { BrowserContext, Page, Route } from 'playwright-core'

/** The moment that pages take for now. */
const NOW = Date.UTC(2026, 2, 12, 10, 15)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
const DATES = /\b\d{4}-\d\d-\d\d\b(?!T)/g
const IDS = /"(?:\w+_)?(?:id|hash|hash_id)":"([\w-]{8,})"/g
const DURATIONS = /("\w+_ms":)\d+/g
/** The last four characters of keys and secrets that were made by chance. */
const ENDS = /("(?:last4|key_preview)":)"[^"]*"/g

const LOOK_AGAIN_MS = 20
/** An answer may lead to the next call, as that of a chart does. */
const QUIET_LOOKS = 10

/** Shows each page as at one fixed moment: times of answers are moved, and ids are replaced by zeros. */
export interface Freezer {
  prepare(context: BrowserContext): Promise<void>
  /** Waits until the page asks for nothing, and replaces what is left in its text. */
  tidy(page: Page): Promise<void>
}

/** `began` is the moment from which records were made. */
export function openFreezer(began: number): Freezer {
  const ids = new Set<string>()
  /** Calls that run, of each page. */
  const running = new Map<Page, number>()
  const days = Math.floor(began / DAY_MS) - Math.floor(NOW / DAY_MS)
  const hours = Math.floor(began / HOUR_MS) - Math.floor(NOW / HOUR_MS)

  // Records of the last minutes are all made now; hours and days of the past keep their distance.
  const moveTime = (text: string) => {
    const at = Date.parse(text)
    const moved = Math.abs(at - began) < HOUR_MS ? NOW : at - hours * HOUR_MS
    return new Date(at % DAY_MS === 0 ? at - days * DAY_MS : moved).toISOString()
  }
  const moveDate = (text: string, by: number) =>
    new Date(Date.parse(text) + by * DAY_MS).toISOString().slice(0, 10)

  async function count(route: Route) {
    if (route.request().resourceType() === 'eventsource') return route.continue()
    const page = route.request().frame().page()
    running.set(page, (running.get(page) ?? 0) + 1)
    // A page that was left needs no answer.
    await answer(route).catch(() => {})
    running.set(page, (running.get(page) ?? 0) - 1)
  }

  async function answer(route: Route) {
    // Asked in the days that the page believes in.
    const url = decodeURIComponent(route.request().url()).replace(/\d{4}-\d\d-\d\d/g, (text) =>
      moveDate(text, days),
    )
    const response = await route.fetch({ url })
    const text = await response.text()
    for (const [, id] of text.matchAll(IDS)) if (id && /\d|[A-Z]/.test(id)) ids.add(id)
    const body = text
      .replace(TIMES, moveTime)
      .replace(DATES, (date) => moveDate(date, -days))
      .replace(DURATIONS, '$112')
      .replace(ENDS, '$1"0000"')
    return route.fulfill({ response, body })
  }

  return {
    async prepare(context) {
      await context.clock.setFixedTime(NOW)
      await context.route('**/dashboard/api/**', count)
    },
    async tidy(page) {
      for (let quiet = 0; quiet < QUIET_LOOKS; quiet++) {
        if ((running.get(page) ?? 0) > 0) quiet = 0
        await page.waitForTimeout(LOOK_AGAIN_MS)
      }
      const known = [...ids].toSorted((a, b) => b.length - a.length)
      await page.evaluate(tidyText, known)
    },
  }
}

/** Runs in the page. */
function tidyText(ids: readonly string[]) {
  const page = globalThis as unknown as {
    document: {
      createTreeWalker(root: unknown, show: number): { nextNode(): Node | null }
      body: unknown
    }
  }
  interface Node {
    nodeValue: string
  }
  const walker = page.document.createTreeWalker(page.document.body, 4)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    let text = node.nodeValue
    for (const id of ids) {
      const at = id.indexOf('_') + 1
      text = text.replaceAll(id, id.slice(0, at) + '0'.repeat(id.length - at))
    }
    node.nodeValue = text.replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:4100')
  }
}
