import type { BrowserContext, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import type { Json } from '../harness.ts'
import { type OpenedDashboard, WAIT_MS } from './dashboard-harness.ts'

/** The number of pages that are open at once. */
export const OPEN_PAGES = 3

/** An answer to a call of the dashboard instead of that of the server. */
interface Answer {
  status: number
  contentType: string
  body: string
}

/** The answer of a server that broke. */
export const BROKEN: Answer = {
  status: 500,
  contentType: 'application/json',
  body: JSON.stringify({
    success: false,
    code: 'INTERNAL_ERROR',
    error: 'It broke.',
    request_id: 'req_broken',
  }),
}

/** The answer that ends an event stream: the browser does not connect again. */
const NO_STREAM: Answer = { status: 204, contentType: 'text/event-stream', body: '' }

/**
 * Answers calls of a page with `answer`, or by the server if it returns undefined. Returns a function that ends
 * this. It keeps the cache of the browser, which `page.route` turns off: with it, each page that is opened would
 * fetch and compile the code of the app again.
 */
export async function intercept(
  page: Page,
  answer: (url: URL) => Answer | undefined | Promise<Answer | undefined>,
): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', async ({ requestId, request }) => {
    const result = await answer(new URL(request.url))
    const responseHeaders = [{ name: 'content-type', value: result?.contentType ?? '' }]
    const sent = result
      ? session.send('Fetch.fulfillRequest', {
          ...{ requestId, responseHeaders, responseCode: result.status },
          body: Buffer.from(result.body).toString('base64'),
        })
      : session.send('Fetch.continueRequest', { requestId })
    // The browser may have left the page meanwhile.
    await sent.catch(() => {})
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/dashboard/api/*' }] })
  return () => session.detach()
}

/** True for requests whose answer a page shows: not the user, the stream or the counts next to entries. */
export const isData = ({ pathname }: URL) =>
  pathname.startsWith('/dashboard/api/') && !/\/(me|stream|counts)$/.test(pathname)

export const failuresOf = (page: Page) => page.locator('main .failure')

/** The failure that `BROKEN` causes. */
export const reportedFailure = (page: Page) =>
  failuresOf(page).filter({ hasText: 'req_broken' }).first()

/**
 * Presses each "Try again" until the page shows no failure any more. A press restarts a read that still
 * runs, so each round waits twice as long as the one before: a slow machine gets the time that it needs.
 */
export async function recover(page: Page, path: string) {
  for (let wait_ms = 1_000; wait_ms <= 64_000; wait_ms *= 2) {
    // A failure may disappear before a click from here arrives, so the page itself clicks the buttons that it has.
    await page.getByRole('button', { name: 'Try again' }).evaluateAll((buttons) => {
      for (const button of buttons) (button as unknown as Json).click()
    })
    const recovery = expect.poll(() => failuresOf(page).count(), { timeout: wait_ms }).toBe(0)
    if (await succeeds(recovery)) return
  }
  throw new Error(`${path}: ${await failuresOf(page).allTextContents()}`)
}

/** Returns false if the promise is rejected. */
const succeeds = (work: PromiseLike<unknown>): PromiseLike<boolean> =>
  work.then(
    () => true,
    () => false,
  )

/** A promise that resolves when `open` is called. */
export function createBarrier() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/**
 * Does the work for each item, on a few pages at once. The pages are divided among the contexts: the calls of one user
 * in a minute are limited.
 */
export async function onPages<Item>(
  contexts: readonly BrowserContext[],
  items: readonly Item[],
  work: (page: Page, item: Item) => Promise<void>,
) {
  const waiting = [...items]
  const tabs = Array.from({ length: OPEN_PAGES }, async (_, index) => {
    const page = await (contexts[index % contexts.length] as BrowserContext).newPage()
    try {
      for (let item = waiting.shift(); item; item = waiting.shift()) {
        await work(page, item)
      }
    } finally {
      await page.close()
    }
  })
  // Waits for all, because a page that goes on would disturb the next test.
  const results = await Promise.allSettled(tabs)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/**
 * Leaves a page of the dashboard, so that no request of it counts as one of the next. A file of the same
 * server keeps the process of the page, unlike about:blank.
 */
export async function leave(page: Page) {
  if (page.url() !== 'about:blank') await page.goto(new URL('/favicon.ico', page.url()).href)
}

/** Opens a page and returns the addresses of the data that it reads. */
async function readsOf(dashboard: OpenedDashboard, page: Page, path: string): Promise<string[]> {
  const reads = new Set<string>()
  await leave(page)
  const listen = (request: Request) => {
    const url = new URL(request.url())
    if (request.method() === 'GET' && isData(url)) reads.add(url.pathname)
  }
  page.on('request', listen)
  // The first message of the stream would read some of the data again.
  const stop = await intercept(page, ({ pathname }) =>
    pathname.endsWith('/stream') ? NO_STREAM : undefined,
  )
  await dashboard.goTo(page, path)
  await page.waitForLoadState('networkidle')
  page.off('request', listen)
  await stop()
  return [...reads]
}

/** The reads that failed on an earlier page, with `:id` for their ids. Only in a whole walk (`WALKS=whole`) does each read fail on every page. */
const failedReads = new Set<string>()
const isShort = process.env.WALKS !== 'whole'

function isRepeated(path: string): boolean {
  const read = path.replaceAll(/\/[^/]*[\d_][^/]*/g, '/:id')
  if (failedReads.has(read)) return isShort
  failedReads.add(read)
  return false
}

/**
 * Opens a page once for each of its reads, which then fails alone. The page must keep its heading, and
 * recover. Returns the failures that it does not show.
 */
export async function unreportedFailures(
  dashboard: OpenedDashboard,
  page: Page,
  path: string,
): Promise<string[]> {
  const unreported: string[] = []
  for (const read of await readsOf(dashboard, page, path)) {
    if (isRepeated(read)) continue
    const name = `${path} ${read.replace(/^.*?\/stores\/\w+/, '')}`
    const stop = await intercept(page, ({ pathname }) => (pathname === read ? BROKEN : undefined))
    await dashboard.goTo(page, path)
    const report = reportedFailure(page).waitFor({ timeout: WAIT_MS })
    if (!(await succeeds(report))) unreported.push(name)
    await expect.poll(() => page.locator('h1').count(), { message: name }).toBe(1)
    await stop()
    await recover(page, name)
  }
  return unreported
}
