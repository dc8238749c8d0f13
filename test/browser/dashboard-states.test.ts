import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { callAsOwner, createBuildingPages } from './building-pages.ts'
import {
  closeByEscape,
  expectEmpty,
  type OpenedDashboard,
  openDashboard,
  openEntry,
  press,
  untilDialogHasFocus,
  WAIT_MS,
} from './dashboard-harness.ts'
import { BROKEN, intercept, isData, recover } from './pages-in-states.ts'

const PASSWORD = 'correct horse battery staple'
/** The minimum height of a control on a phone, in pixels. */
const CONTROL_HEIGHT_MIN = 44

let dashboard: OpenedDashboard
let paths: string[]

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.setPassword(PASSWORD)
  const { pages } = await createBuildingPages(dashboard)
  paths = pages.map(({ path }) => path)
})
afterAll(() => dashboard?.close())

const callPrivateApi = (method: 'GET' | 'POST', path: string, data?: Json) =>
  callAsOwner(dashboard, method, path, data)

test('a page whose data cannot be read says why, with the request id, and recovers on request', async () => {
  const page = await dashboard.context.newPage()
  for (const path of paths) {
    const stop = await intercept(page, (url) => (isData(url) ? BROKEN : undefined))
    await dashboard.goTo(page, path)
    expect(await page.locator('h1').textContent(), path).not.toBe('')
    const failures = page.locator('.failure')
    await failures.first().waitFor()
    expect(await failures.first().textContent(), path).toContain('INTERNAL_ERROR')
    expect(await failures.first().textContent(), path).toContain('req_broken')
    await stop()
    await recover(page, path)
  }
  await page.close()
})

describe('a viewer', () => {
  let viewer: BrowserContext
  beforeAll(async () => {
    const invitation = { email: 'viewer@example.com', role: 'viewer' }
    const { url } = await callPrivateApi('POST', '/invitations', invitation)
    viewer = await dashboard.browser.newContext({ locale: 'en-US' })
    const page = await viewer.newPage()
    await page.goto(url)
    await page.getByLabel('Your name').fill('Vera')
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('heading', { name: 'Choose a store' }).or(page.locator('h1')).waitFor()
    await page.close()
  })
  afterAll(() => viewer?.close())

  test('is refused on a page for owners, which names who can change the role', async () => {
    const page = await viewer.newPage()
    await dashboard.goTo(page, '/settings/system')
    const failure = page.locator('.failure').first()
    await failure.getByText('Your role in this store does not allow this.').waitFor()
    await failure.getByText('Ask an owner or administrator').waitFor()
    await page.close()
  })
})

test('without a connection the page shows a notice, and keeps its content', async () => {
  await dashboard.on('/api-keys', async (page) => {
    await dashboard.context.setOffline(true)
    await page.locator('.notice-bar').waitFor()
    await page.getByRole('table', { name: 'API keys' }).waitFor()
    await dashboard.context.setOffline(false)
    await page.locator('.notice-bar').waitFor({ state: 'detached' })
  })
})

test('on a phone, controls are 44 px high, and the bar does not cover the focus', async () => {
  const phone = await dashboard.browser.newContext({
    viewport: { width: 320, height: 640 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-US',
    storageState: await dashboard.context.storageState(),
  })
  const page = await phone.newPage()
  for (const path of paths) {
    await dashboard.show(page, path)
    const controls = page.locator(
      'header.top-bar button, main :is(button, select, summary, .row-link, .crumb a, .tabs a, input:not([type=checkbox], [type=radio], [type=range])):visible',
    )
    const lowControls = await controls.evaluateAll((all, min) => {
      const elements = all as unknown as { textContent: string; getBoundingClientRect(): Json }[]
      // A button that is replaced when its menu has loaded has no height any more.
      return elements
        .filter((element) => {
          const { height } = element.getBoundingClientRect()
          return height > 0 && height < min
        })
        .map(({ textContent }) => textContent.trim().slice(0, 30))
    }, CONTROL_HEIGHT_MIN - 0.5)
    expectEmpty(lowControls, path)
  }
  const position = "getComputedStyle(document.querySelector('header.top-bar')).position"
  expect(await page.evaluate(position)).toBe('static')
  await phone.close()
})

/** The request, its command, or the sentence that stands in for them. */
const SHOWN_CALL = /curl -X|npx tradepost|Only the dashboard|Fill in the required fields/

/** Buttons that show, filter or copy, and change nothing. */
const HARMLESS_LABELS =
  /^(Search|Examine|Export CSV|Copy|Copied|Table|All|Next|Previous|Clear filters|Save view|Show the value|Show mail)/

test('each action shows its API call, its command, or that only the dashboard has it', async () => {
  const page = await dashboard.context.newPage()
  const checkedLabels: string[] = []
  for (const path of paths) {
    await dashboard.show(page, path)
    const labels = new Set(await page.locator('main button:enabled:visible').allTextContents())
    for (const label of [...labels].filter(
      (text) => text.trim() && !HARMLESS_LABELS.test(text.trim()),
    )) {
      const button = page.locator('main button:enabled:visible').filter({ hasText: label }).first()
      if ((await button.getAttribute('type')) === 'submit') {
        const form = button.locator('xpath=ancestor::form')
        expect(await form.locator('.api-call').count(), `${path} ${label}`).toBe(1)
        continue
      }
      // Views filter a list, and placeholders are inserted into a text.
      const isOnPage = (element: unknown) => !!(element as Json).closest('.views, .placeholders')
      if (await button.evaluate(isOnPage)) continue
      // The rehearsal begins without a dialog, and shows the call next to its button.
      const isShown = (element: unknown) =>
        !!(element as Json).closest('.rehearsal')?.querySelector('.api-call')
      if (await button.evaluate(isShown)) continue
      await button.click()
      const dialog = page.getByRole('dialog')
      // Rows are moved without a dialog.
      if (/^[↑↓]/.test(label)) continue
      await expect
        .poll(() => dialog.count(), { message: `${path} ${label}`, timeout: WAIT_MS })
        .toBe(1)
      await dialog.locator('.api-call summary').click()
      const shown = dialog.locator('.api-call').getByText(SHOWN_CALL)
      await shown.first().waitFor()
      checkedLabels.push(label)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
  }
  expect(checkedLabels.length).toBeGreaterThan(40)
  await page.close()
})

describe('the palette', () => {
  const chooseCommand = async (page: Page, label: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type(label)
    await page.getByRole('option', { name: label, selected: true }).waitFor()
    await page.keyboard.press('Enter')
  }

  test('opens the first action of another page, whose address asks for it once', async () => {
    await dashboard.on('/settings/store', async (page) => {
      await chooseCommand(page, 'Create an API key')
      await untilDialogHasFocus(page.getByRole('dialog', { name: 'Create key' }))
      expect(new URL(page.url()).hash).toBe('')
      await closeByEscape(page.getByRole('dialog', { name: 'Create key' }))
      await chooseCommand(page, 'Create an API key')
      await page.getByRole('dialog', { name: 'Create key' }).waitFor()
    })
  })

  test('turns single-key shortcuts off and on', async () => {
    await dashboard.on('/', async (page) => {
      await chooseCommand(page, 'Turn single-key shortcuts off')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('?')
      await chooseCommand(page, 'Turn single-key shortcuts on')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: /shortcuts/i }).waitFor()
    })
  })
})

test('the navigation fits a usual screen: groups that are rarely used are folded, and say what waits in them', async () => {
  const page = await dashboard.context.newPage()
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.route('**/counts', async (route) => {
    const response = await route.fetch()
    const { counts, ...answer } = await response.json()
    await route.fulfill({ response, json: { ...answer, counts: { ...counts, endpoints: 1 } } })
  })
  await dashboard.goTo(page, '/orders')
  const navigation = page.locator('#navigation')
  const groupOf = (name: string) => navigation.locator('summary', { hasText: name })
  const links = async () => (await navigation.getByRole('link').allInnerTexts()).join()
  const list = "document.querySelector('#navigation')"
  expect(await page.evaluate(`${list}.scrollHeight <= ${list}.clientHeight`)).toBe(true)
  expect(await links()).not.toMatch(/Team|Webhooks/)
  await groupOf('Build').getByText('1', { exact: true }).waitFor()
  await groupOf('Settings').focus()
  await page.keyboard.press('Enter')
  expect(await links()).toContain('Team')
  await openEntry(page, 'Webhooks')
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  await groupOf('Build').getByText('1', { exact: true }).waitFor({ state: 'hidden' })
  await page.reload()
  await navigation.locator('[aria-current=page]', { hasText: 'Webhooks' }).waitFor()
  expect(await links()).not.toContain('Team')
  await page.close()
})

test('the navigation scrolls to the entry of the open page', async () => {
  const page = await dashboard.context.newPage()
  await page.setViewportSize({ width: 1280, height: 600 })
  await dashboard.goTo(page, '/settings/audit')
  const box = await page.locator('.navigation [aria-current=page]').boundingBox()
  expect(box?.y).toBeGreaterThan(0)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(600)
  await page.close()
})

test('the commands of actions name the store and the typed values', async () => {
  await dashboard.on('/settings/store', async (page) => {
    await press(page, 'Move the clock')
    await page.getByRole('dialog').waitFor()
    await press(page, 'Show as API call')
    const { id } = dashboard.server.test
    await page.getByText(`npx tradepost clock advance 1d --store ${id}`).waitFor()
  })
})
