import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import {
  closeByEscape,
  type OpenedDashboard,
  openDashboard,
  untilDialogCloses,
  untilDialogHasFocus,
} from './dashboard-harness.ts'

// A conflict of two users in a form with several changed fields, and the draft that it leaves.

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard?.close())

const dialogOf = (page: Page) => page.getByRole('dialog')
const basicsOf = (page: Page) => page.getByRole('region', { name: 'Basics' })
const productOf = async (id: string): Promise<Json> =>
  (await dashboard.ask('GET', `/products/${id}`)).product

async function createProduct(): Promise<string> {
  const fields = { name: 'Lamp', type: 'service', price_cents: 2_000, status: 'active' }
  return (await dashboard.ask('POST', '/products', fields)).product.id
}

async function openDialog(page: Page, name: string) {
  await basicsOf(page).getByRole('button', { name, exact: true }).press('Enter')
  await untilDialogHasFocus(dialogOf(page))
}

const type = (page: Page, label: string, text: string) =>
  dialogOf(page).getByLabel(label, { exact: false }).first().fill(text)

test.each(['Edit', 'Publish changes'])(
  'taking the other version in “%s” leaves the other changed fields',
  async (button) => {
    const id = await createProduct()
    await dashboard.on(`/products/${id}`, async (page) => {
      await openDialog(page, 'Edit')
      await type(page, 'Name', 'Desk lamp')
      await type(page, 'Price', '25')
      if (button !== 'Edit') {
        await closeByEscape(dialogOf(page))
        await basicsOf(page).getByText('Saved as a draft, not published: Name and Price.').waitFor()
      }
      await dashboard.ask('PATCH', `/products/${id}`, { price_cents: 2_100 })
      if (button !== 'Edit') await openDialog(page, button)
      const publish = dialogOf(page).getByRole('button', { name: 'Publish changes' })
      await publish.press('Enter')
      await dialogOf(page).getByRole('button', { name: 'Take theirs' }).press('Enter')
      await dialogOf(page).getByText('Both versions').waitFor({ state: 'detached' })
      expect(await dialogOf(page).getByLabel('Price').first().inputValue()).toBe('21.00')
      expect(await dialogOf(page).getByLabel('Name').first().inputValue()).toBe('Desk lamp')
      await closeByEscape(dialogOf(page))
      await basicsOf(page).getByText('Saved as a draft, not published: Name.').waitFor()
      await openDialog(page, 'Publish changes')
      await publish.press('Enter')
      await untilDialogCloses(page)
      await basicsOf(page).getByText('Saved as a draft').waitFor({ state: 'detached' })
    })
    expect(await productOf(id)).toMatchObject({ name: 'Desk lamp', price_cents: 2_100 })
  },
)

test('what is typed while a draft is published is a draft after Escape, and a value typed back is none', async () => {
  const id = await createProduct()
  await dashboard.on(`/products/${id}`, async (page) => {
    await openDialog(page, 'Edit')
    await type(page, 'Price', '25')
    await closeByEscape(dialogOf(page))
    await basicsOf(page).getByText('Saved as a draft, not published: Price.').waitFor()
    await openDialog(page, 'Publish changes')
    await type(page, 'Price', '26')
    await closeByEscape(dialogOf(page))
    await openDialog(page, 'Publish changes')
    expect(await dialogOf(page).getByLabel('Price').first().inputValue()).toBe('26.00')
    await type(page, 'Price', '20')
    await closeByEscape(dialogOf(page))
    await basicsOf(page).getByText('Saved as a draft').waitFor({ state: 'detached' })
  })
  expect((await productOf(id)).price_cents).toBe(2_000)
})

test('a draft in the form of all values is compared with what was shown when it was typed', async () => {
  const id = await createProduct()
  await dashboard.on(`/products/${id}`, async (page) => {
    await openDialog(page, 'Edit')
    await type(page, 'Price', '25')
    await closeByEscape(dialogOf(page))
    await dashboard.ask('PATCH', `/products/${id}`, { price_cents: 2_100 })
    await page.reload()
    await basicsOf(page).getByText('Saved as a draft, not published: Price.').waitFor()
    await openDialog(page, 'Edit')
    await dialogOf(page).getByRole('button', { name: 'Publish changes' }).press('Enter')
    await dialogOf(page).getByRole('button', { name: 'Take theirs' }).press('Enter')
    await untilDialogCloses(page)
    await basicsOf(page).getByText('Saved as a draft').waitFor({ state: 'detached' })
  })
  expect((await productOf(id)).price_cents).toBe(2_100)
})
