import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { expectEmpty, type OpenedDashboard, openDashboard, WAIT_MS } from './dashboard-harness.ts'
import {
  BROKEN,
  createBarrier,
  failuresOf,
  intercept,
  isData,
  leave,
  onPages,
  recover,
  reportedFailure,
  unreportedFailures,
} from './pages-in-states.ts'
import { PAGES, type WalkedPage } from './selling-pages.ts'
import { createSellingRecords, type RecordIds } from './selling-records.ts'

const PASSWORD = 'correct horse battery staple'

let dashboard: OpenedDashboard
let ids: RecordIds
/** The owner and two admins, who may change the same. */
let users: readonly BrowserContext[] = []

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.setPassword(PASSWORD)
  ids = await createSellingRecords(dashboard)
  users = [
    dashboard.context,
    await dashboard.signInAs('admin', PASSWORD, 'ben@example.com'),
    await dashboard.signInAs('admin', PASSWORD, 'cem@example.com'),
  ]
})
afterAll(() => dashboard?.close())

const filled = (path: string) => path.replace(/\$(\w+)/g, (_, name) => String(ids[name]))

/** Calls the private API as the signed-in owner. */
async function own(method: 'GET' | 'POST', path: string): Promise<Json> {
  const { server, context } = dashboard
  const url = `${server.origin}/dashboard/api/stores/${server.test.id}${path}`
  const response = await context.request.fetch(url, { method, headers: { origin: server.origin } })
  if (!response.ok()) throw new Error(`${method} ${path}: ${await response.text()}`)
  return response.json()
}

/** Does the work for each page, on a few of them at once. */
const inTabs = (
  contexts: readonly BrowserContext[],
  pages: readonly WalkedPage[],
  work: (page: Page, path: string, walked: WalkedPage) => Promise<void>,
) => onPages(contexts, pages, (page, walked) => work(page, filled(walked.path), walked))

test('a failed request affects only its part of the page, which shows the reason and recovers', async () => {
  const unreported: string[] = []
  await inTabs(users, PAGES, async (page, path) => {
    unreported.push(...(await unreportedFailures(dashboard, page, path)))
  })
  expectEmpty(unreported)
})

/** The records that a page shows, as a number. */
const shownRecords = (page: Page) =>
  page.locator('main :is(tbody tr, .facts > div, .receipt li, .timeline li, .message)').count()

test('while its data is loaded, a page shows rows, and nothing else of it fails', async () => {
  const pages = PAGES.filter(({ path }) => path !== '/exports')
  await inTabs(users, pages, async (page, path) => {
    await leave(page)
    const answered = createBarrier()
    const stop = await intercept(page, async (url) => {
      if (isData(url)) await answered.opened
      return undefined
    })
    await page.goto(`${dashboard.server.origin}/dashboard/${dashboard.server.test.id}${path}`)
    await page.locator('.skeleton:not(.hidden) > div').first().waitFor()
    expect(await failuresOf(page).count(), path).toBe(0)
    answered.open()
    await page.locator('h1').waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    await stop()
  })
})

test('each page keeps its data while it is read again, and if the read fails', async () => {
  const { counts } = await own('GET', '/counts')
  const changed = `retry: 60000\nevent: counts\ndata: ${JSON.stringify({ counts, caught_up: false })}\n\n`
  const pages = PAGES.filter(({ path }) => path !== '/exports')
  await inTabs(users, pages, async (page, path) => {
    await leave(page)
    const change = createBarrier()
    const answer = createBarrier()
    let isHeld = false
    const stop = await intercept(page, async (url) => {
      if (url.pathname.endsWith('/stream')) {
        await change.opened
        return { status: 200, contentType: 'text/event-stream', body: changed }
      }
      if (!isHeld || !isData(url)) return undefined
      await answer.opened
      return BROKEN
    })
    await dashboard.goTo(page, path)
    const before = await shownRecords(page)
    isHeld = true
    change.open()
    await page.locator('.refreshing').first().waitFor()
    expect(await shownRecords(page), path).toBeGreaterThanOrEqual(before)
    answer.open()
    await reportedFailure(page).waitFor()
    expect(await shownRecords(page), path).toBeGreaterThanOrEqual(before)
    await stop()
    await recover(page, path)
  })
})

describe('a viewer', () => {
  let viewer: BrowserContext
  beforeAll(async () => {
    viewer = await dashboard.signInAs('viewer', PASSWORD)
  })
  afterAll(() => viewer?.close())

  test('reads every page, is offered no change, and is told which permission is missing', async () => {
    await inTabs([viewer], PAGES, async (page, path, { area }) => {
      await dashboard.show(page, path)
      const changes = page.locator(
        'main :is(button.primary, button.danger, button.danger-outlined)',
      )
      expectEmpty(await changes.allTextContents(), path)
      expect(await failuresOf(page).count(), path).toBe(0)
      if (area === undefined) return
      const reason = page.getByText('The missing permission is')
      await reason.getByText(`${area}:write`, { exact: true }).first().waitFor()
    })
  })
})

test('without a connection each page keeps its data and shows a notice, which goes once the connection is back', async () => {
  const page = await dashboard.context.newPage()
  for (const path of PAGES.map((item) => filled(item.path))) {
    await dashboard.show(page, path)
    const before = await shownRecords(page)
    await dashboard.context.setOffline(true)
    await page.locator('.notice-bar').waitFor()
    expect(await shownRecords(page), path).toBeGreaterThanOrEqual(before)
    expect(await failuresOf(page).count(), path).toBe(0)
    await dashboard.context.setOffline(false)
    await page.locator('.notice-bar').waitFor({ state: 'detached' })
  }
  await page.close()
})

test('a change made without a connection is sent once when the connection is back', async () => {
  await dashboard.on(`/orders/${ids.order}`, async (page) => {
    const answers: number[] = []
    const keys = new Set<string | undefined>()
    page.on('request', (request) => {
      if (request.method() === 'POST') keys.add(request.headers()['idempotency-key'])
    })
    page.on('response', (response) => {
      if (response.request().method() === 'POST') answers.push(response.status())
    })
    await page.getByRole('button', { name: 'Send delivery mail again', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const submit = dialog.getByRole('button', { name: 'Send delivery mail again', exact: true })
    await submit.waitFor()
    await dashboard.context.setOffline(true)
    await submit.press('Enter')
    await expect.poll(() => submit.isDisabled()).toBe(true)
    expect(await dialog.locator('.failure').count()).toBe(0)
    expect(answers).toEqual([])
    await dashboard.context.setOffline(false)
    await dialog.waitFor({ state: 'detached' })
    expect(answers).toHaveLength(1)
    expect(keys.size).toBe(1)
  })
})

describe('a feature that is off', () => {
  test('each page of the affiliate programme says so and offers to turn it on', async () => {
    const { ask } = dashboard
    await ask('PATCH', '/affiliates/program', { enabled: false })
    const pages = PAGES.filter((page) => page.isOfAffiliates)
    await inTabs(users, pages, async (page, path) => {
      await dashboard.goTo(page, path)
      await page.getByText('The programme is off.').waitFor()
      await page.getByRole('button', { name: 'Turn on the programme' }).waitFor()
      expect(await failuresOf(page).count(), path).toBe(0)
    })
    await ask('PATCH', '/affiliates/program', { enabled: true })
  })

  test('each page of subscriptions names the switch and who turns it', async () => {
    const setTo = (state: string) => {
      const { id } = dashboard.server.test
      return dashboard.command('features', 'set', '--store', id, `subscriptions=${state}`)
    }
    await setTo('off')
    const pages = PAGES.filter(({ path }) => /subscriptions/.test(path))
    await inTabs(users, pages, async (page, path) => {
      // The server keeps the switches of a test side for a second.
      const why = page.getByText('tradepost features set subscriptions=on').first()
      await expect
        .poll(
          async () => {
            await dashboard.goTo(page, path)
            return why.count()
          },
          { message: path, timeout: WAIT_MS },
        )
        .toBe(1)
    })
    await setTo('on')
  })
})
