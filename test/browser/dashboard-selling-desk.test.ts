import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import {
  closeByEscape,
  type OpenedDashboard,
  openDashboard,
  press,
  tabTo,
  untilDialogHasFocus,
} from './dashboard-harness.ts'
import { createBarrier } from './pages-in-states.ts'
import { createSellingRecords, PNG, type RecordIds } from './selling-records.ts'

/** Daily work of a seller, by keyboard: the day, tickets, returns, products, coupons, customers. */

let dashboard: OpenedDashboard
let ids: RecordIds

beforeAll(async () => {
  dashboard = await openDashboard()
  ids = await createSellingRecords(dashboard)
})
afterAll(() => dashboard?.close())

const ask = (path: string): Promise<Json> => dashboard.ask('GET', path)

/** Types into the focused field, in place of its text. */
async function fill(page: Page, label: string, text: string) {
  await tabTo(page, label)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

/** Presses a button, and waits for its dialog. */
async function openDialog(page: Page, button: string) {
  await press(page, button)
  await page.getByRole('dialog').waitFor()
}

/** Presses the button of the open dialog, and waits until the dialog has closed. */
async function submit(page: Page, button: string) {
  await press(page, button)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

test('Home shows the net sales of the day by hour, next to the same weekday before', async () => {
  const items = [{ product_id: ids.game, quantity: 1 }]
  await dashboard.ask('POST', '/orders', {
    items,
    customer: { email: 'mara@example.com' },
    mark_paid: true,
  })
  await dashboard.on('/', async (page) => {
    const day = page.getByRole('region', { name: 'Net today, after refunds' })
    await expect.poll(() => day.locator('.figure').textContent()).toMatch(/\$[1-9]/)
    expect(await day.textContent()).toContain('by this time')
    await press(page, 'Table')
    const rows = day.getByRole('table', { name: 'Net sales' }).locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(24)
    const figure = Number((await day.locator('.figure').textContent())?.replace(/[^\d.]/g, ''))
    const amounts = await rows.locator('td:nth-child(2)').allTextContents()
    const sum = amounts.reduce((total, text) => total + Number(text.replace(/[^\d.]/g, '')), 0)
    expect(sum).toBeCloseTo(figure, 2)
  })
})

test('a saved reply is inserted below the typed text, and an order is linked to the ticket', async () => {
  await dashboard.on('/tickets/replies', async (page) => {
    await openDialog(page, 'New saved reply')
    await fill(page, 'Name', 'Parcel')
    await fill(page, 'Text', 'Your parcel is on its way.')
    await submit(page, 'Save reply')
    await page.getByRole('row', { name: /Parcel/ }).waitFor()
  })
  await dashboard.on(`/tickets/${ids.ticket}`, async (page) => {
    await fill(page, 'Your reply', 'Hello Mara,')
    const choice = page.getByLabel('Saved reply')
    await choice.focus()
    await choice.selectOption({ label: 'Parcel' })
    await press(page, 'Insert')
    await expect
      .poll(() => page.getByLabel('Your reply').inputValue())
      .toBe('Hello Mara,\nYour parcel is on its way.')
    await press(page, 'Reply')
    await page.locator('.message.seller').waitFor()
    const orders = page.getByRole('region', { name: 'Orders of the customer' })
    const isLinked = orders.locator('tr', { hasText: 'Linked' })
    expect(await isLinked.count()).toBe(1)
    const other = orders.locator('tr', { hasNotText: 'Linked' }).getByRole('button').first()
    await other.press('Enter')
    await page.getByRole('dialog').locator('button[type=submit]').press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
  const { ticket } = await ask(`/tickets/${ids.ticket}`)
  expect(ticket.messages.at(-1).body).toContain('Your parcel is on its way.')
  expect(ticket.order_id).not.toBe((await ask(`/returns/${ids.return}`)).return.order_id)
})

test('a return has photos, which are added and deleted', () =>
  dashboard.on(`/returns/${ids.return}`, async (page) => {
    await openDialog(page, 'Add a photo')
    const file = { name: 'mug.png', mimeType: 'image/png', buffer: PNG }
    await page.getByRole('dialog').getByLabel('Photo').setInputFiles(file)
    await submit(page, 'Add a photo')
    const photos = page.getByRole('region', { name: 'Photos' })
    const image = photos.getByRole('img')
    await expect
      .poll(() => image.evaluate((element) => (element as unknown as Json).naturalWidth))
      .toBe(1)
    await photos.getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await submit(page, 'Delete photo 1')
    await photos.getByText('There are no photos yet.').waitFor()
  }))

test('what is typed into a product is a draft, and buyers see it after it is published', () =>
  dashboard.on(`/products/${ids.game}`, async (page) => {
    const basics = page.getByRole('region', { name: 'Basics' })
    const preview = page.getByRole('region', { name: 'As buyers see it' })
    const edit = async (price: string) => {
      await basics.getByRole('button', { name: 'Edit' }).press('Enter')
      await page.getByRole('dialog').waitFor()
      await fill(page, 'Price', price)
      await page.keyboard.press('Escape')
      await basics.getByText('Saved as a draft, not published: Price').waitFor()
    }
    await edit('25')
    await page.reload()
    await basics.getByText('Saved as a draft, not published: Price').waitFor()
    expect(await preview.textContent()).toContain('$25.00')
    expect((await ask(`/products/${ids.game}`)).product.price_cents).toBe(2_000)
    await openDialog(page, 'Publish changes')
    await submit(page, 'Publish changes')
    await basics.getByText('Saved as a draft').waitFor({ state: 'detached' })
    expect((await ask(`/products/${ids.game}`)).product.price_cents).toBe(2_500)
    await edit('99')
    await openDialog(page, 'Discard changes')
    await submit(page, 'Discard changes')
    await basics.getByText('Saved as a draft').waitFor({ state: 'detached' })
    expect((await ask(`/products/${ids.game}`)).product.price_cents).toBe(2_500)
  }))

test('a draft of a value that somebody changed meanwhile shows both before it is published', () =>
  dashboard.on(`/products/${ids.game}`, async (page) => {
    const { price_cents, sku } = (await ask(`/products/${ids.game}`)).product
    const basics = page.getByRole('region', { name: 'Basics' })
    await basics.getByRole('button', { name: 'Edit' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await fill(page, 'Price', String(price_cents / 100 + 5))
    await page.keyboard.press('Escape')
    await basics.getByText('Saved as a draft, not published: Price').waitFor()
    const theirs = { price_cents: price_cents + 100 }
    await dashboard.ask('PATCH', `/products/${ids.game}`, theirs)
    await openDialog(page, 'Publish changes')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Publish changes' }).press('Enter')
    await dialog.getByText('Take theirs').waitFor()
    expect((await ask(`/products/${ids.game}`)).product).toMatchObject({ ...theirs, sku })
    await dialog.getByRole('button', { name: 'Take theirs' }).press('Enter')
    await basics.getByText('Saved as a draft').waitFor({ state: 'detached' })
    expect((await ask(`/products/${ids.game}`)).product).toMatchObject({ ...theirs, sku })
    await dashboard.ask('PATCH', `/products/${ids.game}`, { price_cents })
  }))

test('a draft whose price is no number is refused at its field, where it is corrected, and the preview keeps the price', () =>
  dashboard.on(`/products/${ids.game}`, async (page) => {
    const { price_cents } = (await ask(`/products/${ids.game}`)).product
    const basics = page.getByRole('region', { name: 'Basics' })
    await basics.getByRole('button', { name: 'Edit' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await fill(page, 'Price', 'abc')
    await page.keyboard.press('Escape')
    await basics.getByText('Saved as a draft, not published: Price').waitFor()
    const preview = await page.getByRole('region', { name: 'As buyers see it' }).textContent()
    expect(preview).toContain(`$${(price_cents / 100).toFixed(2)}`)
    await openDialog(page, 'Publish changes')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Publish changes' }).press('Enter')
    await dialog.locator('.field-error', { hasText: 'Enter a number, such as 1234.50.' }).waitFor()
    // The refused field has the focus.
    await page.keyboard.press('Control+A')
    await page.keyboard.type(String(price_cents / 100 + 1))
    await submit(page, 'Publish changes')
    await basics.getByText('Saved as a draft').waitFor({ state: 'detached' })
    expect((await ask(`/products/${ids.game}`)).product.price_cents).toBe(price_cents + 100)
    await dashboard.ask('PATCH', `/products/${ids.game}`, { price_cents })
  }))

test('a long name without a space widens neither the page of its product nor the list', async () => {
  const fields = { name: 'W'.repeat(90), type: 'service', price_cents: 500, status: 'active' }
  const { product } = await dashboard.ask('POST', '/products', fields)
  for (const path of [`/products/${product.id}`, '/products']) {
    await dashboard.on(path, async (page) => {
      await page.getByText(fields.name).first().waitFor()
      const widest = await page.evaluate(
        "Math.max(...[...document.querySelectorAll('main *')].map((e) => e.getBoundingClientRect().right))",
      )
      expect(widest, path).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
    })
  }
  await dashboard.ask('DELETE', `/products/${product.id}`)
})

test('a form that is opened before its categories are read shows them as they are, and saves no draft', async () => {
  const { category } = await dashboard.ask('POST', '/categories', { name: 'Board games' })
  await dashboard.ask('PATCH', `/products/${ids.game}`, { category_ids: [category.id] })
  const page = await dashboard.context.newPage()
  let release = () => {}
  const untilOpened = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/categories*', (route) => untilOpened.then(() => route.continue()))
  await dashboard.goTo(page, `/products/${ids.game}`)
  const basics = page.getByRole('region', { name: 'Basics' })
  await basics.getByRole('button', { name: 'Edit' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await untilDialogHasFocus(dialog)
  release()
  expect(await dialog.getByLabel('Board games').isChecked()).toBe(true)
  await closeByEscape(dialog)
  expect(await basics.getByText('Saved as a draft').count()).toBe(0)
  await page.close()
})

test('the stock of a product has its pools of keys, and a pool lists its batches', () =>
  dashboard.on(`/products/${ids.game}/stock`, async (page) => {
    await page.getByRole('table', { name: 'Variants and stock' }).waitFor()
    await page.locator('main').getByRole('link', { name: 'Keys' }).press('Enter')
    const batches = page.getByRole('table', { name: 'Batches' })
    await batches.waitFor()
    expect(await batches.locator('tbody tr').count()).toBe(1)
    expect(await batches.textContent()).toContain('12')
  }))

test('a coupon has a link to the shop with its code', () =>
  dashboard.on('/coupons', async (page) => {
    const row = page.getByRole('row', { name: /SPRING/ })
    await row.getByRole('button', { name: 'Copy link' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await fill(page, 'Address of a page of your shop', 'https://shop.example.com/games?lang=en')
    await page
      .getByRole('dialog')
      .getByText('https://shop.example.com/games?lang=en&coupon=SPRING')
      .waitFor()
  }))

test('the list of reviews begins with those that have no reply', async () => {
  await dashboard.on('/reviews', async (page) => {
    await page.getByText('No review waits for a reply.').waitFor()
    await press(page, 'All')
    await page.getByRole('row', { name: /Good, but short/ }).waitFor()
  })
  await dashboard.ask('DELETE', `/reviews/${ids.review}/reply`)
  await dashboard.on('/reviews', async (page) => {
    await page.getByRole('row', { name: /Good, but short/ }).waitFor()
  })
})

test('an entry of the blocklist is made from the name of a domain', async () => {
  await dashboard.on('/blocklist', async (page) => {
    await openDialog(page, 'Add entry')
    await page.getByRole('dialog').getByLabel('Type').selectOption({ label: 'Email domain' })
    await fill(page, 'Address or range', 'bad.example')
    await submit(page, 'Add entry')
    await page.getByRole('row', { name: /\*@bad\.example/ }).waitFor()
  })
})

test('a customer is merged into another one that is found by email', async () => {
  const { customer } = await dashboard.ask('POST', '/customers', { email: 'mara2@example.com' })
  await dashboard.on(`/customers/${customer.id}`, async (page) => {
    await openDialog(page, 'Merge into another customer')
    await fill(page, 'Email or name', 'mara@')
    const choice = page.getByLabel('Customer that stays')
    await expect.poll(() => choice.locator('option', { hasText: 'mara@' }).count()).toBe(1)
    await choice.selectOption(String(ids.customer))
    await fill(page, 'Type “mara2@example.com”', 'mara2@example.com')
    await submit(page, 'Merge into another customer')
    await page.getByRole('heading', { level: 1, name: 'mara@example.com' }).waitFor()
  })
})

test('an empty list has one step that makes its first record, and a line of code', () =>
  dashboard.on('', async (page) => {
    const { origin, live } = dashboard.server
    await page.goto(`${origin}/dashboard/${live.id}/coupons`)
    const empty = page.locator('.empty')
    await empty.waitFor()
    expect(await empty.textContent()).toContain('await tradepost.coupons.create(')
    await empty.getByRole('link', { name: 'New coupon' }).press('Enter')
    await page.getByRole('dialog', { name: 'New coupon' }).waitFor()
  }))

test('a product shows what the seller keeps of one unit, also of a referred sale', async () => {
  const { commission_percent } = (await ask('/affiliates/program')).program
  const commission = Math.ceil((900 * commission_percent) / 100 - 0.5)
  await dashboard.on(`/products/${ids.mug}`, async (page) => {
    const keep = page.getByRole('region', { name: 'You keep of one unit' })
    const referred = keep.locator('li', { hasText: 'You keep of a referred sale' })
    await referred.waitFor()
    expect(await keep.textContent()).toContain('$9.00')
    expect(await referred.textContent()).toContain(`$${((900 - commission) / 100).toFixed(2)}`)
  })
})

test('orders are cancelled with their number and the time left', () =>
  dashboard.on('/orders', async (page) => {
    const items = [{ product_id: ids.game, quantity: 1 }]
    const customer = { email: 'mara@example.com' }
    for (let count = 0; count < 3; count++)
      await dashboard.ask('POST', '/orders', { items, customer })
    await page.reload()
    const progress = createBarrier()
    let calls = 0
    await page.route('**/orders/*/cancel', async (route) => {
      if (++calls === 3) await progress.opened
      await route.continue()
    })
    await page.getByRole('checkbox', { name: 'Select all on this page' }).press('Space')
    await openDialog(page, 'Cancel')
    const dialog = page.getByRole('dialog')
    await dialog.locator('button[type=submit]').press('Enter')
    await dialog.getByText(/About \d+ (sec|seconds?) left/).waitFor()
    progress.open()
    await dialog.getByText(/^\d+ done\.$/).waitFor()
  }))

/** Makes a photo of the return, and a draft of the mug. */
async function makeRecordsToExamine() {
  const { server, context } = dashboard
  const url = `${server.origin}/dashboard/api/stores/${server.test.id}/returns/${ids.return}/photos`
  const response = await context.request.post(url, {
    headers: { origin: server.origin },
    multipart: { file: { name: 'mug.png', mimeType: 'image/png', buffer: PNG } },
  })
  expect(response.status()).toBe(201)
  await dashboard.on(`/products/${ids.mug}`, async (page) => {
    await openDialog(page, 'Edit')
    await fill(page, 'Name', 'Big mug')
    await page.getByText('Saved as a draft, not published: Name').waitFor({ state: 'attached' })
  })
}

test('photos, saved replies, batches and drafts have no axe violations at any width', async () => {
  await makeRecordsToExamine()
  const paths = [
    '/tickets/replies',
    `/tickets/${ids.ticket}`,
    `/returns/${ids.return}`,
    `/products/${ids.mug}`,
    `/products/${ids.game}/variants/${ids.pool}/keys`,
  ]
  await dashboard.examine(paths)
})
