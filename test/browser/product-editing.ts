import type { Page } from 'playwright-core'
import type { Json } from '../harness.ts'
import type { OpenedDashboard } from './dashboard-harness.ts'

/** Products whose values are changed where they are shown. */
export function productEditing(dashboardOf: () => OpenedDashboard) {
  return {
    async createProduct(fields: Json = {}): Promise<Json> {
      const product = { name: 'Mug', type: 'physical', price_cents: 900, status: 'active' }
      return (await dashboardOf().ask('POST', '/products', { ...product, ...fields })).product
    },
    readProduct: (id: string): Promise<Json> => dashboardOf().ask('GET', `/products/${id}`),
    async open(id: string): Promise<Page> {
      const page = await dashboardOf().context.newPage()
      await dashboardOf().goTo(page, `/products/${id}`)
      await page.getByRole('button', { name: 'Change Price' }).waitFor()
      return page
    },
  }
}

export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).press('Enter')

export const description = (page: Page) => page.getByRole('textbox', { name: 'Description' })

export async function publish(page: Page): Promise<void> {
  await page.locator('.in-place button[type=submit]').click()
  await page.locator('.in-place').waitFor({ state: 'detached' })
}
