import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { examine, type OpenedDashboard, openDashboard, tabTo, VIEWS } from './dashboard-harness.ts'
import { description, press, productEditing, publish } from './product-editing.ts'
import { PNG } from './selling-records.ts'

/** Values of a product that are changed where they are shown. */

let dashboard: OpenedDashboard
beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard?.close())

const { createProduct, readProduct, open } = productEditing(() => dashboard)

const focusedName = (page: Page) => page.evaluate('document.activeElement.textContent')

/** The greatest distance between things on one line, in pixels. */
const OFF_LINE_MAX_PX = 2

/** For each value with a button: the middle of the button and of the label, from the middle of the value's first line. */
const OFF_LINE = `[...document.querySelectorAll('.editable')].map((editable) => {
  const middle = ({ top, bottom }) => (top + bottom) / 2
  const firstLine = (element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return middle([...range.getClientRects()].find(({ width }) => width > 0))
  }
  const line = firstLine(editable.querySelector('.value'))
  const button = middle(editable.querySelector('button').getBoundingClientRect())
  const label = firstLine(editable.closest('div').querySelector('dt'))
  return { text: editable.textContent, button: Math.abs(button - line), label: Math.abs(label - line) }
})`

test.each(VIEWS)(
  'values stand on the line of their labels, with their buttons in the middle of it, $colorScheme at $width px',
  async (view) => {
    const short_description = 'A mug of stoneware, which keeps tea warm for an hour. '.repeat(3)
    const { id } = await createProduct({ details: { short_description } })
    const context = await dashboard.browser.newContext({
      colorScheme: view.colorScheme,
      viewport: { width: view.width, height: 900 },
      hasTouch: view.width < 400,
      isMobile: view.width < 400,
      storageState: await dashboard.context.storageState(),
    })
    const page = await context.newPage()
    await dashboard.goTo(page, `/products/${id}`)
    await page.getByRole('button', { name: 'Change Price' }).waitFor()
    const lines = (await page.evaluate(OFF_LINE)) as Json[]
    expect(lines.length).toBeGreaterThan(15)
    const isOff = ({ button, label }: Json) => Math.max(button, label) > OFF_LINE_MAX_PX
    expect(lines.filter(isOff)).toEqual([])
    await context.close()
  },
)

describe('a value', () => {
  test('is changed where it is shown, by keyboard only, and the focus returns to its button', async () => {
    const { id } = await createProduct()
    const page = await open(id)
    await tabTo(page, 'Change Price')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('12.50')
    await page.keyboard.press('Enter')
    await page.locator('.facts').getByText('$12.50').waitFor()
    expect((await readProduct(id)).product.price_cents).toBe(1_250)
    await expect.poll(() => focusedName(page)).toBe('Change Price')
    await page.close()
  })

  test('is refused at its field if it is not valid, and what was typed stays', async () => {
    const { id } = await createProduct()
    const page = await open(id)
    await press(page, 'Change Minimum per order')
    await page.locator('.in-place input').fill('0')
    await page.keyboard.press('Enter')
    await page.locator('.in-place .field-error').waitFor()
    expect(await page.locator('.in-place input').inputValue()).toBe('0')
    expect((await readProduct(id)).product.min_qty).toBe(1)
    await page.close()
  })

  test('that is refused has the only button that publishes, and the notice of its draft has a gap below', async () => {
    const { id } = await createProduct()
    const page = await open(id)
    const basics = page.getByRole('region', { name: 'Basics' })
    await press(page, 'Change Minimum per order')
    await page.locator('.in-place input').fill('0')
    await page.keyboard.press('Enter')
    await page.locator('.in-place .field-error').waitFor()
    const publishButtons = basics.getByRole('button', {
      name: /^(Publish changes|Save changes|Save)$/,
    })
    expect(await publishButtons.count()).toBe(1)
    await page.keyboard.press('Escape')
    await basics.getByText('Saved as a draft, not published').waitFor()
    const notice = await basics.locator('.notice').boundingBox()
    const facts = await basics.locator('.facts').boundingBox()
    expect((facts?.y ?? 0) - (notice?.y ?? 0) - (notice?.height ?? 0)).toBeGreaterThanOrEqual(8)
    await page.close()
  })

  test('that was typed is a draft after a reload, and the publication of another one leaves it', async () => {
    const { id } = await createProduct()
    const page = await open(id)
    await press(page, 'Change Name')
    await page.locator('.in-place input').fill('Cup')
    await page.getByRole('heading', { level: 3, name: 'Cup' }).waitFor()
    await page.reload()
    await press(page, 'Change SKU')
    await page.locator('.in-place input').fill('MUG-1')
    await publish(page)
    expect((await readProduct(id)).product).toMatchObject({ name: 'Mug', sku: 'MUG-1' })
    await press(page, 'Change Name')
    expect(await page.locator('.in-place input').inputValue()).toBe('Cup')
    await publish(page)
    expect((await readProduct(id)).product.name).toBe('Cup')
    await page.getByText('not published').waitFor({ state: 'detached' })
    await page.close()
  })

  test.each([
    ['Escape', (page: Page) => page.keyboard.press('Escape')],
    ['Cancel', (page: Page) => press(page, 'Cancel')],
  ])(
    'that is left with %s is a draft, in its form and in the dialog, until it is discarded',
    async (_, leave) => {
      const { id } = await createProduct()
      const page = await open(id)
      await press(page, 'Change Name')
      await page.locator('.in-place input').fill('Cup')
      await page.getByRole('heading', { level: 3, name: 'Cup' }).waitFor()
      await leave(page)
      await page.locator('.in-place').waitFor({ state: 'detached' })
      await expect.poll(() => focusedName(page)).toBe('Change Name')
      const basics = page.getByRole('region', { name: 'Basics' })
      await basics.getByText('Saved as a draft, not published: Name.').waitFor()
      await basics.getByRole('button', { name: 'Edit', exact: true }).click()
      const nameInDialog = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
      expect(await nameInDialog.inputValue()).toBe('Cup')
      await nameInDialog.fill('Beaker')
      await leave(page)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await press(page, 'Change Name')
      expect(await page.locator('.in-place input').inputValue()).toBe('Beaker')
      await leave(page)
      await press(page, 'Discard changes')
      await page.getByRole('dialog').locator('button[type=submit]').click()
      await page.getByRole('heading', { level: 3, name: 'Mug' }).waitFor()
      expect(await page.getByText('not published').count()).toBe(0)
      expect((await readProduct(id)).product.name).toBe('Mug')
      await page.close()
    },
  )

  test('that is left without a change has no draft', async () => {
    const { id } = await createProduct()
    const page = await open(id)
    await press(page, 'Change Name')
    await page.keyboard.press('Escape')
    await page.locator('.in-place').waitFor({ state: 'detached' })
    expect(await page.getByText('not published').count()).toBe(0)
    await page.close()
  })

  test.each([
    ['Discount in percent', '150', 'Use 0 to 100.'],
    ['Maximum per order', '0', 'Use 1 to 1,000,000.'],
    ['Price', '-5', 'Use $0.00 or more.'],
  ])(
    '%s of %s is refused before it is sent, and the preview leaves it out',
    async (name, typed, text) => {
      const { id } = await createProduct()
      const page = await open(id)
      await press(page, `Change ${name}`)
      await page.locator('.in-place input').fill(typed)
      const preview = page.getByRole('region', { name: 'As buyers see it' })
      await preview.getByText('With your changes').waitFor()
      await preview.getByText('$9.00', { exact: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.locator('.in-place .field-error', { hasText: text }).waitFor()
      await page.close()
    },
  )

  test('of a highlight without a colon is the whole line', async () => {
    const { id } = await createProduct({
      details: { highlights: { 'Made in Kiel': '', Pages: '120' } },
    })
    const page = await open(id)
    await page.getByText('Pages: 120 · Made in Kiel').waitFor()
    await page.close()
  })

  test('that another user changed meanwhile is shown in both versions, and the user decides', async () => {
    const { id } = await createProduct()
    const page = await open(id)
    await press(page, 'Change Name')
    await page.locator('.in-place input').fill('Cup')
    await dashboard.ask('PATCH', `/products/${id}`, { name: 'Beaker', sku: 'B-1' })
    await page.locator('.in-place button[type=submit]').click()
    await page.getByRole('cell', { name: 'Beaker' }).waitFor()
    expect((await readProduct(id)).product.name).toBe('Beaker')
    await press(page, 'Keep mine')
    await page.locator('.in-place').waitFor({ state: 'detached' })
    expect((await readProduct(id)).product).toMatchObject({ name: 'Cup', sku: 'B-1' })
    await page.close()
  })

  test('has no axe violations while it is changed', async () => {
    const { id } = await createProduct()
    const page = await open(id)
    await press(page, 'Change Description')
    await description(page).waitFor()
    await press(page, 'Change Price')
    await examine(page, `/products/${id}`)
    await page.close()
  })
})

describe.each([
  {
    tab: 'delivery',
    label: 'Message on delivery',
    saved: ({ details }: Json) => details.delivered_message,
  },
  { tab: 'seo', label: 'Title for search engines', saved: ({ seo }: Json) => seo.meta_title },
])('a value of the tab $tab', ({ tab, label, saved }) => {
  test('is changed where it is shown, and is a draft until it is published', async () => {
    const { id } = await createProduct()
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, `/products/${id}/${tab}`)
    const lines = (await page.evaluate(OFF_LINE)) as Json[]
    expect(lines.length).toBeGreaterThan(2)
    expect(lines.filter(({ button }) => button > OFF_LINE_MAX_PX)).toEqual([])
    await press(page, `Change ${label}`)
    await page.keyboard.type('Enjoy')
    await page.keyboard.press('Escape')
    await page.getByText(`Saved as a draft, not published: ${label}.`).waitFor()
    await page.reload()
    await press(page, `Change ${label}`)
    await page.locator('.in-place').getByRole('textbox', { name: label }).waitFor()
    expect(saved(await readProduct(id))).toBeNull()
    await publish(page)
    await page.locator('.facts').getByText('Enjoy').waitFor()
    expect(saved(await readProduct(id))).toBe('Enjoy')
    await page.getByText('not published').waitFor({ state: 'detached' })
    await page.close()
  })
})

test('a product with many variants shows ten, and a link to all of them', async () => {
  const variants = Array.from({ length: 12 }, (_, n) => ({ name: `Size ${n}`, price_cents: 900 }))
  const { id } = await createProduct({ variants })
  const page = await open(id)
  const rows = page.getByRole('table', { name: 'Variants' }).locator('tbody tr')
  expect(await rows.count()).toBe(10)
  await page.getByRole('link', { name: 'All 12 variants' }).click()
  await expect.poll(() => rows.count()).toBe(12)
  await page.close()
})

test('a picture that is slow to load on a phone is uploaded with a notice', async () => {
  const { id } = await createProduct()
  const page = await open(id)
  const buffer = Buffer.concat([PNG, Buffer.alloc(3_000_000)])
  const file = { name: 'poster.png', mimeType: 'image/png', buffer }
  await page.locator('.drop-zone input').setInputFiles([file])
  await page.locator('.drop-zone').getByText('more than 3 MB: poster.png').waitFor()
  await page.getByText('1 of 1 uploaded').waitFor()
  await page.close()
})
