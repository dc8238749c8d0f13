import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import {
  examine,
  type OpenedDashboard,
  openDashboard,
  VIEWS,
  WAIT_MS,
} from './dashboard-harness.ts'

/** Lists are sorted and filtered by the API, show the chosen columns, and are exported as they are filtered. */

const PRICES = [500, 12_345, 7_000]
/** More than a page of the list. */
const ORDER_COUNT = 30

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask } = dashboard
  const ids: string[] = []
  for (const price_cents of PRICES) {
    const fields = { name: `Game ${price_cents}`, type: 'service', price_cents, status: 'active' }
    ids.push((await ask('POST', '/products', fields)).product.id)
  }
  for (let index = 0; index < ORDER_COUNT; index++) {
    const items = [{ product_id: ids[index % ids.length], quantity: 1 }]
    const name = index % 2 === 0 ? 'mara' : 'nils'
    await ask('POST', '/orders', { items, customer: { email: `${name}${index}@example.com` } })
  }
})
afterAll(() => dashboard?.close())

const numbersIn = async (page: Page) =>
  (await page.locator('tbody .row-link').allTextContents()).map((text) => Number(text.slice(1)))

/** The numbers of the first page of orders, as the API sorts them. */
async function numbersOf(query: string): Promise<number[]> {
  const { orders } = await dashboard.ask('GET', `/orders?limit=25&${query}`)
  return orders.map(({ number }: Json) => number)
}

const untilShown = (page: Page, numbers: readonly number[]) =>
  expect.poll(() => numbersIn(page), { timeout: WAIT_MS }).toEqual(numbers)

test('a later page says which of its records are shown, and leads to the page before, also from a bookmark', () =>
  dashboard.on('/orders?sort=-total_cents', async (page) => {
    await page.getByText('1–25 of 30').waitFor()
    await page.getByRole('button', { name: 'Next', exact: true }).press('Enter')
    await page.getByText('26–30 of 30').waitFor()
    await untilShown(page, await numbersOf('sort=-total_cents&offset=25'))
    const address = page.url()
    await page.goto('about:blank')
    await page.goto(address)
    await page.getByText('26–30 of 30').waitFor()
    await page.getByRole('button', { name: 'Previous', exact: true }).press('Enter')
    await page.getByText('1–25 of 30').waitFor()
    await untilShown(page, await numbersOf('sort=-total_cents'))
  }))

test('a heading sorts the whole list, in both directions, and says so', () =>
  dashboard.on('/orders', async (page) => {
    await untilShown(page, await numbersOf('sort=-created_at'))
    const heading = page.getByRole('columnheader', { name: 'Total' })
    expect(await heading.getAttribute('aria-sort')).toBe('none')
    for (const [sort, direction] of [
      ['-total_cents', 'descending'],
      ['total_cents', 'ascending'],
    ]) {
      await heading.getByRole('button').press('Enter')
      await untilShown(page, await numbersOf(`sort=${sort}`))
      expect(await heading.getAttribute('aria-sort')).toBe(direction)
    }
    await page.goBack()
    await untilShown(page, await numbersOf('sort=-total_cents'))
  }))

test('a search acts as it is typed, keeps the focus, and is kept when the user comes back from a record', () =>
  dashboard.on('/orders', async (page) => {
    const search = page.locator('[data-search]').first()
    await search.pressSequentially('mara', { delay: 20 })
    const found = await numbersOf('search=mara')
    await untilShown(page, found)
    expect(found).toHaveLength(ORDER_COUNT / 2)
    await search.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Backspace')
    await untilShown(page, await numbersOf('sort=-created_at'))
    await page.keyboard.type('nils1@')
    await untilShown(page, await numbersOf('search=nils1@'))
    await page.getByRole('link', { name: 'Products', exact: true }).first().press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
    await page.goBack()
    await untilShown(page, await numbersOf('search=nils1@'))
    expect(await search.inputValue()).toBe('nils1@')
  }))

test('the columns of a list are chosen, and stay so on this device', () =>
  dashboard.on('/orders', async (page) => {
    const total = page.getByRole('columnheader', { name: 'Total' })
    await total.waitFor()
    await page.locator('.columns summary').press('Enter')
    await page.locator('.columns').getByLabel('Total').press('Space')
    await total.waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('tbody tr').first().waitFor()
    expect(await total.count()).toBe(0)
    await page.locator('.columns summary').press('Enter')
    await page.locator('.columns').getByLabel('Total').press('Space')
    await total.waitFor()
  }))

test('the choice of columns closes with Escape, is kept in another language, and the file still has all of them', async () => {
  const storageState = await dashboard.context.storageState()
  const context = await dashboard.browser.newContext({ locale: 'en-US', storageState })
  const page = await context.newPage()
  await dashboard.goTo(page, '/orders')
  const menu = page.locator('.columns')
  await menu.locator('summary').press('Enter')
  await menu.getByLabel('Items').uncheck()
  await page.keyboard.press('Escape')
  expect(await menu.getAttribute('open')).toBeNull()
  await menu.locator('summary:focus').waitFor()
  await page.getByText('The file has every column.').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).press('Enter')
  const file = readFileSync((await (await download).path()) ?? '', 'utf8')
  expect(file.split('\r\n')[0]).toContain('"Items"')
  await page.evaluate("localStorage.setItem('tradepost-language', 'de')")
  await page.reload()
  await page.getByRole('columnheader', { name: 'Summe' }).waitFor()
  expect(await page.getByRole('columnheader', { name: 'Artikel' }).count()).toBe(0)
  await context.close()
})

test.each([
  '/orders?cursor=abc',
  '/settings/audit?cursor=abc',
  '/license-keys?cursor=abc',
  '/events?cursor=abc',
  '/orders?offset=99999',
  '/customers?offset=99999',
  '/orders?offset=abc',
])(
  'the place in the address %s does not exist, so the list begins at its first page and says so',
  (path) =>
    dashboard.on(path, async (page) => {
      await page.getByText(/so the list begins at its first page/).waitFor()
      await page.locator('tbody tr, .empty').first().waitFor()
      expect(await page.locator('.failure').count()).toBe(0)
      expect(new URL(page.url()).search).toBe('')
    }),
)

test('the former page of a list without a count is opened from a link too, and never leaves the list', async () => {
  await dashboard.on('/settings/audit', async (page) => {
    const first = page.locator('tbody tr').first()
    const text = await first.innerText()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.waitForURL(/cursor=/)
    const secondUrl = page.url()
    await page.getByRole('button', { name: 'Previous', exact: true }).click()
    await expect.poll(() => first.innerText()).toBe(text)
    const linked = await page.context().newPage()
    await linked.goto(secondUrl)
    await linked.getByRole('button', { name: 'First page', exact: true }).click()
    await linked.waitForURL((url) => url.pathname.endsWith('/settings/audit') && url.search === '')
    await linked.close()
  })
})

test('the bar of selected orders says how many of them are on other pages', () =>
  dashboard.on('/orders', async (page) => {
    await page.locator('tbody input[type=checkbox]').first().check()
    await page.getByText('1 selected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.waitForURL(/offset=25/)
    await page.getByText('1 selected, 1 of them on other pages').waitFor()
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await page.getByText(/selected/).waitFor({ state: 'detached' })
  }))

test('the file has every order of the filter, with ids, amounts and currencies as the API has them', () =>
  dashboard.on('/orders?status=pending&sort=total_cents', async (page) => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).press('Enter')
    const file = readFileSync((await (await download).path()) ?? '', 'utf8')
    const lines = file.replace('\uFEFF', '').trim().split('\r\n')
    const rows = lines.map((line) => line.slice(1, -1).split('","'))
    const [head = [], ...records] = rows
    expect(records).toHaveLength(ORDER_COUNT)
    const valuesOf = (label: string) => records.map((row) => row[head.indexOf(label)])
    const query = '/orders?limit=100&status=pending&sort=total_cents'
    const { orders } = await dashboard.ask('GET', query)
    const amounts = orders.map(({ total_cents }: Json) => (total_cents / 100).toFixed(2))
    expect(valuesOf('ID')).toEqual(orders.map(({ id }: Json) => id))
    expect(valuesOf('Total')).toEqual(amounts)
    expect(valuesOf('Currency')).toEqual(orders.map(({ currency }: Json) => currency))
    expect(valuesOf('Created')).toEqual(orders.map(({ created_at }: Json) => created_at))
    expect(new Set(valuesOf('Status'))).toEqual(new Set(['Pending']))
  }))

test('Shift chooses the rows between two', () =>
  dashboard.on('/orders', async (page) => {
    const boxes = page.locator('tbody input[type=checkbox]')
    await boxes.nth(1).click()
    await boxes.nth(4).click({ modifiers: ['Shift'] })
    await page.getByText('4 selected').waitFor()
    expect(await boxes.nth(3).isChecked()).toBe(true)
    await boxes.nth(2).click({ modifiers: ['Shift'] })
    expect(await boxes.nth(3).isChecked()).toBe(false)
  }))

test('the tools of a list have no fault at any width and in both themes; on a phone a choice sorts', async () => {
  for (const { width, colorScheme } of VIEWS) {
    await dashboard.on('/orders', async (page) => {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      if (width < 640)
        await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
      await page.locator('.columns summary').press('Enter')
      if (width < 640) {
        await page.getByLabel('Sort by').selectOption({ label: 'Total, lowest first' })
        await untilShown(page, await numbersOf('sort=total_cents'))
      }
      await examine(page, `orders at ${width} in ${colorScheme}`)
    })
  }
})

test('paid orders, none of which can be cancelled, keep their checkboxes and are saved in a file', async () => {
  const { orders } = await dashboard.ask('GET', '/orders?limit=2')
  for (const { id } of orders) await dashboard.ask('POST', `/orders/${id}/manual-payments`, {})
  await dashboard.on('/orders?status=paid&sort=-total_cents', async (page) => {
    await page.locator('tbody input[type=checkbox]').first().check()
    await page.getByRole('button', { name: 'Export selected' }).waitFor()
    expect(await page.getByRole('button', { name: /^Cancel/ }).count()).toBe(0)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export selected' }).press('Enter')
    const file = readFileSync((await (await download).path()) ?? '', 'utf8')
    expect(file.trim().split('\r\n')).toHaveLength(2)
    expect(file).toContain('"Paid"')
  })
})

test('on a phone the views of a list are one choice, and all rows of a page can be selected', () =>
  dashboard.on('/orders', async (page) => {
    await page.setViewportSize({ width: 320, height: 800 })
    const views = page.getByRole('combobox', { name: 'View' })
    await views.selectOption({ label: 'Waiting for payment' })
    await page.waitForURL(/status=pending%2Cpartially_paid/)
    expect(await page.getByRole('button', { name: 'Waiting for payment' }).isVisible()).toBe(false)
    const right = "document.querySelector('.list-head').scrollWidth - innerWidth"
    expect(await page.evaluate(right)).toBeLessThanOrEqual(0)
    await page.locator('tbody td.check label').first().click()
    await page.getByRole('button', { name: 'Select all on this page' }).click()
    await page.getByText(/^25 selected/).waitFor()
    await examine(page, 'selected orders on a phone')
  }))

test.each(['/products/Aaaaaaaaaaa1/variants/1/keys', '/products/$product/variants/999999/keys'])(
  'the keys of what does not exist are not offered to be added: %s',
  async (path) => {
    const { products } = await dashboard.ask('GET', '/products?limit=1')
    await dashboard.on(path.replace('$product', products[0].id), async (page) => {
      await page.getByText('This record does not exist, or it was deleted.').waitFor()
      expect(await page.locator('textarea').count()).toBe(0)
    })
  },
)
