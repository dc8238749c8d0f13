import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import {
  expectEmpty,
  type OpenedDashboard,
  openDashboard,
  press,
  WAIT_MS,
} from './dashboard-harness.ts'
import { PAGES } from './selling-pages.ts'
import { createSellingRecords, type RecordIds } from './selling-records.ts'

let dashboard: OpenedDashboard
let ids: RecordIds

beforeAll(async () => {
  dashboard = await openDashboard()
  ids = await createSellingRecords(dashboard)
  await callSavedViews('POST', { page: 'orders', name: 'Of Mara', query: 'search=mara' })
})
afterAll(() => dashboard?.close())

const pathOf = (path: string) => path.replace(/\$(\w+)/g, (_, name) => String(ids[name]))
const get = (path: string): Promise<Json> => dashboard.ask('GET', pathOf(path))

/** Calls the endpoint of saved views, which only the dashboard has. */
async function callSavedViews(method: 'GET' | 'POST', data?: Json): Promise<Json> {
  const { server, context } = dashboard
  const url = `${server.origin}/dashboard/api/stores/${server.test.id}/saved-views`
  const response = await context.request.fetch(url, {
    method,
    headers: { origin: server.origin },
    ...(data ? { data } : { params: { page: 'orders' } }),
  })
  if (!response.ok()) throw new Error(await response.text())
  return (await response.json()) as Json
}

interface ReversibleAction {
  path: string
  /** The row of the button; the whole page if undefined. */
  row?: string
  button: string
  /** Reads the state that the action changes, without the ids and times that a new record gets. */
  readState: () => Promise<unknown>
}

const REVERSIBLE_ACTIONS: readonly ReversibleAction[] = [
  {
    ...{ path: '/blocklist', row: 'thief@example.com', button: 'Remove entry' },
    readState: async () =>
      (await get('/blocklist')).blocklist_entries.map(({ type, value, reason }: Json) => [
        type,
        value,
        reason,
      ]),
  },
  {
    ...{ path: '/coupons/$coupon', row: 'Space Game', button: 'Remove' },
    readState: async () => (await get('/coupons/$coupon')).coupon.product_ids.toSorted(),
  },
  {
    ...{ path: '/categories/$category', row: 'Space Game', button: 'Remove' },
    readState: async () =>
      (await get('/products?category_id=$category&sort=name')).products.map(({ id }: Json) => id),
  },
  {
    ...{ path: '/groups/$group', row: 'Space Game', button: 'Remove' },
    readState: async () => (await get('/groups/$group')).group.product_ids,
  },
  {
    ...{ path: '/products/$set/contents', row: 'Enamel mug', button: 'Remove' },
    readState: async () =>
      (await get('/products/$set/bundle')).bundle.items.map(({ variant_id, quantity }: Json) => [
        variant_id,
        quantity,
      ]),
  },
  {
    ...{ path: '/reviews/$review', button: 'Delete the reply' },
    readState: async () => (await get('/reviews/$review')).review.reply,
  },
  {
    ...{ path: '/orders?search=mara', button: 'Delete view' },
    readState: async () =>
      (await callSavedViews('GET')).saved_views.map(({ name, query }: Json) => [name, query]),
  },
  {
    ...{ path: '/products', row: 'Club', button: 'Archive' },
    readState: async () => (await get('/products/$club')).product.status,
  },
]

test.each(REVERSIBLE_ACTIONS)(
  '$path: “Undo” after “$button” restores the state before',
  async (action) => {
    const { path, row, button, readState } = action
    const stateBefore = await readState()
    await dashboard.on(pathOf(path), async (page) => {
      const main = page.locator('main')
      const scope = row === undefined ? main : main.locator(':is(tr, li)', { hasText: row })
      await scope.getByRole('button', { name: button, exact: true }).last().click()
      await page.getByRole('dialog').locator('button[type=submit]').press('Enter')
      const undo = page.getByRole('status').getByRole('button', { name: 'Undo' })
      await undo.waitFor()
      expect(await readState()).not.toEqual(stateBefore)
      await undo.press('Enter')
      await undo.waitFor({ state: 'detached' })
      await expect.poll(readState).toEqual(stateBefore)
    })
  },
)

/** A request, a command, or the sentence that replaces both. */
const CALL_TEXT = /curl -X|npx tradepost|Only the dashboard|Fill in the required fields/

/** The buttons that show, filter, copy or export, and change nothing. */
const READING_BUTTONS =
  /^(Search|Test it|Try it|Apply|Export|Copy|Copied|Table|Chart|All|Next|Previous|Clear filters|Save view|Close|Try again|Choose pictures|\d+ days|Check \d+)/

/** Matches the whole text, so that a button with a longer text is not found instead. */
const exactly = (text: string) =>
  new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`)

/** The texts of the buttons of a page that change something. */
async function changingButtons(page: Page): Promise<string[]> {
  const buttons = page.locator('main button:enabled:visible')
  const texts = await buttons.evaluateAll((all) => {
    const elements = all as unknown as { textContent: string; closest(selector: string): unknown }[]
    return (
      elements
        // The form of a value that is changed where it is shown has the call of its section.
        .filter((element) => !element.closest('.views, .filters, .move-buttons, .sort, .editable'))
        .map(({ textContent }) => textContent.trim())
    )
  })
  return [...new Set(texts)].filter((text) => text !== '' && !READING_BUTTONS.test(text))
}

test('the form of each action shows the API call or the command, or that only the dashboard has the action', async () => {
  const page = await dashboard.context.newPage()
  const checkedActions: string[] = []
  const actionsWithoutCall: string[] = []
  for (const path of PAGES.map((item) => pathOf(item.path))) {
    await dashboard.show(page, path)
    for (const label of await changingButtons(page)) {
      const name = `${path} ${label}`
      const button = page
        .locator('main button:enabled:visible')
        .filter({ hasText: exactly(label) })
        .first()
      if ((await button.getAttribute('type')) === 'submit') {
        const form = button.locator('xpath=ancestor::form')
        expect(await form.locator('.api-call').count(), name).toBe(1)
        continue
      }
      await button.click()
      const dialog = page.getByRole('dialog')
      const call = dialog.locator('.api-call')
      const isShown = await call.waitFor({ timeout: WAIT_MS }).then(
        () => true,
        () => false,
      )
      if (!isShown) {
        actionsWithoutCall.push(name)
        await dashboard.goTo(page, path)
        continue
      }
      // A part that is loaded when the dialog opens may move the call.
      await dialog.locator('.skeleton').waitFor({ state: 'detached' })
      await call.locator('summary').click()
      await call.getByText(CALL_TEXT).first().waitFor()
      checkedActions.push(name)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    if ((await page.locator('main .move-buttons').count()) > 0) {
      const call = page.locator('main .api-call', { hasText: 'Show as API call' }).first()
      await call.locator('summary').click()
      await call.getByText('curl -X').waitFor()
      checkedActions.push(`${path} move`)
    }
  }
  expectEmpty(actionsWithoutCall)
  expect(checkedActions.length).toBeGreaterThan(70)
  await page.close()
})

test('Home opens the form of a new product by keyboard, and back returns to Home', async () => {
  await dashboard.on('', async (page) => {
    await press(page, 'New product')
    const dialog = page.getByRole('dialog', { name: 'New product' })
    await dialog.getByLabel('Name (required)').fill('A poster')
    await dialog.getByLabel('Price (required)').fill('9')
    await dialog.getByRole('button', { name: 'New product' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'A poster' }).waitFor()
    await page.goBack()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  })
})

test('the list of coupons shows the active ones at first, and all coupons after one click', async () => {
  await dashboard.on('/coupons', async (page) => {
    const codes = () => page.locator('main tbody .row-link').allTextContents()
    expect(await codes()).toEqual(['SPRING'])
    await press(page, 'All')
    await expect.poll(codes).toEqual(['WINTER', 'SPRING'])
    expect(page.url()).toContain('active=all')
    await page.goBack()
    await expect.poll(codes).toEqual(['SPRING'])
  })
})
