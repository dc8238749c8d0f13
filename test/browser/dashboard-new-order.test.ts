import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import {
  examine,
  type OpenedDashboard,
  openDashboard,
  press,
  tabTo,
  untilDialogCloses,
  untilDialogHasFocus,
  WIDTHS,
} from './dashboard-harness.ts'

/** The form of a new order, by keyboard. */

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  // More products than the form shows without a search.
  for (let n = 0; n < 8; n++) await createProduct({ name: `A filler ${n}` })
  await createProduct({ name: 'Zither', price_cents: 1_250, discount_percent: 10 })
  const variants = [{ name: 'Nine', price_cents: 900, stock_mode: 'manual', stock_quantity: 2 }]
  await createProduct({ name: 'Zebra', price_cents: 900, variants })
  await createProduct({ name: 'Zoetrope', price_cents: 300, min_qty: 3 })
})
afterAll(() => dashboard?.close())

const createProduct = (fields: Json) =>
  dashboard.ask('POST', '/products', {
    ...{ type: 'service', price_cents: 100, status: 'active', ...fields },
  })

async function openForm(page: Page) {
  await page.getByRole('button', { name: 'Make a test order' }).press('Enter')
  await untilDialogHasFocus(page.getByRole('dialog'))
}

/** Searches for a product from the focused search, adds it, and returns to the search. */
async function addProduct(page: Page, name: string) {
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('Control+A')
  await page.keyboard.type(name)
  const button = dialog.getByRole('button', { name: `Add ${name}`, exact: true })
  await button.waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: /^Add / }).count()).toBe(1)
  await page.keyboard.press('Tab')
  await button.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByLabel(`Quantity of ${name}`).waitFor()
  await page.keyboard.press('Shift+Tab')
}

async function replaceText(page: Page, label: string, text: string) {
  await tabTo(page, label)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

/** Types the quantity of an item, whose field has no visible label. */
async function typeQuantity(page: Page, name: string, text: string) {
  await page.getByRole('dialog').getByLabel(`Quantity of ${name}`).focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

const totalAmount = (page: Page) => page.getByRole('dialog').locator('.receipt .sum .money')

test('an order has several found products with quantities, and its total is shown before it is sent', () =>
  dashboard.on('/orders', async (page) => {
    await openForm(page)
    await addProduct(page, 'Zither')
    await addProduct(page, 'Zebra')
    await expect.poll(() => totalAmount(page).textContent()).toBe('$20.25')
    await typeQuantity(page, 'Zither', '2')
    await expect.poll(() => totalAmount(page).textContent()).toBe('$31.50')
    const keys = new Set<string | undefined>()
    let attempts = 0
    // The first answer is lost. The repeated request has no second effect.
    await page.route('**/v1/orders', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.add(route.request().headers()['idempotency-key'])
      if (++attempts > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    const countBefore = (await dashboard.ask('GET', '/orders')).pagination.total
    await replaceText(page, 'Email', 'mara@example.com')
    await press(page, 'Make a test order')
    await page.getByRole('heading', { level: 1, name: /^Order #/ }).waitFor()
    expect(attempts).toBe(2)
    expect(keys.size).toBe(1)
    const { orders, pagination } = await dashboard.ask('GET', '/orders')
    expect(pagination.total).toBe(countBefore + 1)
    expect(orders[0].total_cents).toBe(3_150)
    expect(orders[0].items.map(({ quantity }: Json) => quantity)).toEqual([2, 1])
  }))

test('the refusal of an item is shown at its row, which takes the focus, until the item is removed', () =>
  dashboard.on('/orders', async (page) => {
    const dialog = page.getByRole('dialog')
    const rows = dialog.getByRole('list', { name: 'Items of the order' })
    const rowOf = (name: string) => rows.getByRole('listitem').filter({ hasText: name })
    await openForm(page)
    await press(page, 'Make a test order')
    await dialog.locator('.field-error').first().waitFor()

    await dialog.getByRole('searchbox').focus()
    await addProduct(page, 'Zither')
    await addProduct(page, 'Zebra')
    await addProduct(page, 'Zoetrope')
    await press(page, 'Make a test order')
    await rowOf('Zoetrope').getByText('Order 3 or more of this product.').waitFor()
    const focused = page.locator(':focus')
    const quantityField = (name: string) => dialog.getByLabel(`Quantity of ${name}`)
    await quantityField('Zoetrope').and(focused).waitFor()
    await dialog.getByRole('alert').getByRole('link', { name: 'Zoetrope' }).waitFor()

    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => rowOf('Zoetrope').count()).toBe(0)
    await dialog.getByRole('searchbox').and(focused).waitFor()
    await typeQuantity(page, 'Zebra', '5')
    await press(page, 'Make a test order')
    await rowOf('Zebra').getByText('left of Zebra (Nine)').waitFor()
    await quantityField('Zebra').and(focused).waitFor()
    const stock = dialog.getByRole('link', { name: 'Open the stock' })
    expect(await stock.getAttribute('href')).toMatch(/\/products\/\w{12}\/stock$/)
    await typeQuantity(page, 'Zebra', '1')
    await press(page, 'Make a test order')
    await untilDialogCloses(page)
  }))

test('the form has no axe violations at any width, also with a refused item', async () => {
  await dashboard.examine(['/orders'], async (page) => {
    await openForm(page)
    await addProduct(page, 'Zither')
    await addProduct(page, 'Zoetrope')
  })
  await dashboard.on('/orders', async (page) => {
    await openForm(page)
    await addProduct(page, 'Zoetrope')
    await press(page, 'Make a test order')
    await page.getByRole('dialog').locator('.picker .field-error').waitFor()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await examine(page, `a refused item at ${width} px`)
    }
  })
})
