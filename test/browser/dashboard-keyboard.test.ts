import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  closeByEscape,
  type OpenedDashboard,
  openDashboard,
  press,
  tabTo,
  untilDialogCloses,
} from './dashboard-harness.ts'

/** Work without a pointer: the focus in dialogs, the keys of a page, and typed numbers. */

const PASSWORD = 'correct horse battery staple'

let dashboard: OpenedDashboard
let couponPath: string

beforeAll(async () => {
  dashboard = await openDashboard()
  const { product } = await dashboard.ask('POST', '/products', { name: 'Tent', price_cents: 900 })
  const created = await dashboard.ask('POST', '/coupons', {
    ...{ code: 'KEYBOARD', type: 'percentage', discount_percent: 10, product_ids: [product.id] },
  })
  couponPath = `/coupons/${created.coupon.id}`
})
afterAll(() => dashboard?.close())

const urlOf = (path: string) =>
  `${dashboard.server.origin}/dashboard/${dashboard.server.test.id}${path}`
const untilFieldHasFocus = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).and(page.locator(':focus')).waitFor()

test('a dialog begins with its first field', async () => {
  await dashboard.on(couponPath, async (page) => {
    await press(page, 'Edit')
    const field = page.getByRole('dialog').locator('input, select, textarea')
    await field.first().and(page.locator(':focus')).waitFor()
  })
})

test('a dialog without fields begins with the button that closes it', async () => {
  await dashboard.on(couponPath, async (page) => {
    await press(page, 'Stop')
    await page.locator('[role=dialog] button:focus', { hasText: 'Close' }).waitFor()
  })
})

test('a closed command palette returns the focus to where it was', async () => {
  await dashboard.on('/coupons', async (page) => {
    await tabTo(page, 'KEYBOARD')
    await page.keyboard.press('Control+k')
    await closeByEscape(page.getByRole('dialog'))
    await page.locator('.row-link:focus', { hasText: 'KEYBOARD' }).waitFor()
  })
})

test('letters typed while the code of the command palette is loaded appear in it, in the typed order', async () => {
  const page = await dashboard.context.newPage()
  let release = () => {}
  const untilTyped = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/palette-*.js', (route) => untilTyped.then(() => route.continue()))
  await dashboard.goTo(page, '/coupons')
  await page.keyboard.press('Control+k')
  // Single keys would do something else: `n` creates a coupon.
  await page.keyboard.type('nki')
  await page.keyboard.press('Backspace')
  release()
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.type('7')
  expect(await page.getByRole('combobox').inputValue()).toBe('nk7')
  await page.close()
})

test('Escape while the code of the command palette is loaded returns the focus to where it was', async () => {
  const page = await dashboard.context.newPage()
  await page.route('**/palette-*.js', () => {})
  await dashboard.goTo(page, '/coupons')
  await tabTo(page, 'KEYBOARD')
  await page.keyboard.press('Control+k')
  await page.locator('input.palette').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.row-link:focus', { hasText: 'KEYBOARD' }).waitFor()
  await page.close()
})

test('the key n starts the first action of a page and types no letter, and j and k go through its rows', async () => {
  for (const code of ['SECOND', 'THIRD']) {
    await dashboard.ask('POST', '/coupons', { code, type: 'percentage', discount_percent: 5 })
  }
  await dashboard.on('/coupons', async (page) => {
    const rowAfterKeys = async (keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
      return page.evaluate(
        "[...document.querySelectorAll('.row-link')].indexOf(document.activeElement)",
      )
    }
    expect(await rowAfterKeys(['j'])).toBe(0)
    expect(await rowAfterKeys(['j', 'j'])).toBe(2)
    expect(await rowAfterKeys(['k'])).toBe(1)
    await page.keyboard.press('n')
    await page.getByRole('dialog').waitFor()
    const code = page.getByRole('dialog').getByLabel('Code', { exact: true })
    await code.and(page.locator(':focus')).waitFor()
    expect(await code.inputValue()).toBe('')
  })
})

test('the dialog of a new secret has the focus, also if the password was asked for before', async () => {
  const { webhook } = await dashboard.ask('POST', '/webhooks', {
    url: 'http://127.0.0.1:59999/hook',
    events: ['order.created'],
  })
  await dashboard.on(`/webhooks/${webhook.id}/settings`, async (page) => {
    await press(page, 'Roll, and stop')
    await page.getByRole('dialog').waitFor()
    await press(page, 'Roll, and stop')
    await untilFieldHasFocus(page, 'New password, at least 8 characters (required)')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('This value is shown once.').waitFor()
    await page.locator('[role=dialog] button:focus', { hasText: 'Copy' }).waitFor()
    await tabTo(page, 'I stored it')
    await page.keyboard.press('Enter')
    await untilDialogCloses(page)
  })
})

test('the entry of the open page is visible in the navigation, also if the list was scrolled', async () => {
  const page = await dashboard.context.newPage()
  await page.setViewportSize({ width: 1280, height: 400 })
  await dashboard.goTo(page, '/coupons')
  await page.locator('.navigation a').last().focus()
  expect(await page.evaluate("document.querySelector('.navigation').scrollTop")).toBeGreaterThan(0)
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await page.locator('.navigation [aria-current]', { hasText: 'Orders' }).waitFor()
  const topOf = (selector: string) =>
    `document.querySelector('${selector}').getBoundingClientRect().top`
  const isVisible = () =>
    page.evaluate(`${topOf('.navigation [aria-current]')} >= ${topOf('.navigation')}`)
  await expect.poll(isVisible).toBe(true)
  await page.close()
})

test('Ctrl Z undoes the last action, and the focus stays on the page', async () => {
  const { device_ban } = await dashboard.management.deviceBans.create({
    ...{ ip_cidr: '198.51.100.77/32', reason: 'A farm of keys.' },
  })
  await dashboard.on('/device-bans', async (page) => {
    const row = page.getByRole('row', { name: '198.51.100.77' })
    await row.getByRole('button', { name: 'Lift ban' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await press(page, 'Lift ban')
    await untilDialogCloses(page)
    await row.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await row.waitFor()
    await page.locator('h1:focus').waitFor()
  })
  const { device_bans } = await dashboard.management.deviceBans.list()
  expect(device_bans.filter(({ ip_cidr }) => ip_cidr === device_ban.ip_cidr)).toHaveLength(1)
})

/** Opens the dialog that edits a new product, in this language. */
async function editPrice(locale: string, names: { region: string; edit: string; price: string }) {
  const { product } = await dashboard.ask('POST', '/products', {
    name: 'Boat',
    price_cents: 123450,
  })
  const storageState = await dashboard.context.storageState()
  const context = await dashboard.browser.newContext({ locale, storageState })
  const page = await context.newPage()
  await page.goto(urlOf(`/products/${product.id}`))
  const edit = page.getByRole('region', { name: names.region })
  await edit.getByRole('button', { name: names.edit }).press('Enter')
  const dialog = page.getByRole('dialog')
  const price = dialog.getByLabel(names.price)
  return {
    ...{ page, dialog, price, close: () => context.close() },
    async type(text: string) {
      await price.fill(text)
      await price.press('Enter')
    },
    savedCents: async () =>
      (await dashboard.ask('GET', `/products/${product.id}`)).product.price_cents,
  }
}

test('a price is typed as the language writes it, and is refused with too many decimals', async () => {
  const names = { region: 'Grunddaten', edit: 'Bearbeiten', price: 'Preis' }
  const { page, dialog, price, type, savedCents, close } = await editPrice('de-DE', names)
  expect(await price.inputValue()).toBe('1234,50')
  await type('99,9999')
  await page.getByRole('alert').getByText('Geben Sie eine Zahl ein, etwa 1234,50.').waitFor()
  await type('1,250')
  await dialog.getByRole('alert').getByText('Geben Sie 1250,00 oder 1,25 ein.').waitFor()
  await price.fill('2.345')
  await dialog.getByText('= 2.345,00\u00a0$').waitFor()
  await price.press('Enter')
  await untilDialogCloses(page)
  expect(await savedCents()).toBe(234500)
  await close()
})

test('an amount that can be read in two ways is refused, and the form shows how it understands one', async () => {
  const names = { region: 'Basics', edit: 'Edit', price: 'Price' }
  const { page, dialog, price, type, savedCents, close } = await editPrice('en-US', names)
  await type('1.250')
  await dialog.getByRole('alert').getByText('Enter 1250.00 or 1.25.').waitFor()
  for (const text of ['1.234,50', '1e3', '0x10', '--5', '.'])
    await type(text).then(() => dialog.getByRole('alert').getByText('Enter a number').waitFor())
  await price.fill('1,250')
  await dialog.getByText('= $1,250.00').waitFor()
  await price.fill('1250.00')
  await dialog.getByText('= $1,250.00').waitFor({ state: 'detached' })
  await price.fill('12,5')
  await dialog.getByText('= $12.50').waitFor()
  await price.press('Enter')
  await untilDialogCloses(page)
  expect(await savedCents()).toBe(1250)
  await close()
})

test('words of the API are shown in the language of the reader', async () => {
  const context = await dashboard.browser.newContext({
    locale: 'de-DE',
    storageState: await dashboard.context.storageState(),
  })
  const page = await context.newPage()
  await page.goto(urlOf('/events/types'))
  await page.getByText('Eine Bestellung wird angelegt').waitFor()
  const { types } = await dashboard.ask('GET', '/events/types')
  const shown = await page.locator('tbody').innerText()
  for (const { description } of types) expect(shown).not.toContain(description)
  await context.close()
})

test('with forced colors the open page, the open view and the selected command are marked', async () => {
  const context = await dashboard.browser.newContext({
    locale: 'en-US',
    forcedColors: 'active',
    storageState: await dashboard.context.storageState(),
  })
  const page = await context.newPage()
  await dashboard.goTo(page, '/coupons')
  const colorsOf = (property: string, selectors: string[]) =>
    page.evaluate<string[]>(
      `${JSON.stringify(selectors)}.map((item) => getComputedStyle(document.querySelector(item)).${property})`,
    )
  const views = ['true', 'false'].map((value) => `.views [aria-pressed=${value}]`)
  const [openColor, otherColor] = await colorsOf('borderBottomColor', views)
  expect(openColor).not.toBe(otherColor)
  const entries = ['.navigation [aria-current]', '.navigation a:not([aria-current])']
  expect(await colorsOf('borderLeftStyle', entries)).toEqual(['solid', 'none'])
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  const commands = ['true', 'false'].map((value) => `[cmdk-item][data-selected=${value}]`)
  expect(await colorsOf('outlineStyle', commands)).toEqual(['solid', 'none'])
  await context.close()
})
