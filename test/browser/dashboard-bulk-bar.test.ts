import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { type OpenedDashboard, openDashboard } from './dashboard-harness.ts'
import { createBarrier } from './pages-in-states.ts'

/** The bar of selected records and its dialog: while they load, after the dialog was closed, and in other languages. */

let dashboard: OpenedDashboard
let game: string

beforeAll(async () => {
  dashboard = await openDashboard()
  const fields = { name: 'Game', type: 'service', price_cents: 1_000, status: 'active' }
  game = (await dashboard.ask('POST', '/products', fields)).product.id
})
afterAll(() => dashboard?.close())

async function createOrders(count: number, email: string) {
  const items = [{ product_id: game, quantity: 1 }]
  for (let index = 0; index < count; index++) {
    await dashboard.ask('POST', '/orders', { items, customer: { email } })
  }
}

const ordersOf = async (email: string): Promise<Json[]> =>
  (await dashboard.ask('GET', `/orders?limit=100&email=${email}`)).orders

const bar = (page: Page) => page.locator('.selection-bar')
const selectPage = (page: Page) =>
  page.getByRole('checkbox', { name: 'Select all on this page' }).check()

test('the buttons of the bar stay where they are while the actions are loading', async () => {
  const email = 'still@example.com'
  await createOrders(1, email)
  const code = createBarrier()
  const positions = (page: Page) =>
    Promise.all(
      ['Clear selection', 'Export selected'].map((name) =>
        bar(page).getByRole('button', { name }).boundingBox(),
      ),
    )
  await dashboard.on(
    `/orders?search=${email}`,
    async (page) => {
      await selectPage(page)
      await bar(page).getByRole('button', { name: 'Export selected' }).waitFor()
      const before = await positions(page)
      expect(await bar(page).getByRole('button').count()).toBe(2)
      code.open()
      await bar(page).getByRole('button', { name: 'Cancel 1 order' }).waitFor()
      expect(await positions(page)).toEqual(before)
    },
    (page) =>
      void page.route(/bulk-orders[^/]*\.js/, async (route) => {
        await code.opened
        await route.continue()
      }),
  )
})

test('a run whose dialog is closed ends after the present record, and a notice says what was done', async () => {
  const email = 'closed@example.com'
  await createOrders(3, email)
  await dashboard.on(`/orders?search=${email}`, async (page) => {
    await selectPage(page)
    const answer = createBarrier()
    let calls = 0
    await page.route('**/orders/*/cancel', async (route) => {
      if (++calls === 2) await answer.opened
      await route.continue()
    })
    await bar(page).getByRole('button', { name: 'Cancel 3 orders', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel 3 orders' })
    await dialog.locator('button[type=submit]').click()
    await dialog.getByText('1 of 3').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    answer.open()
    const notice = 'Cancel 3 orders: 2 done. 1 not attempted, because the work was stopped.'
    await page.getByText(notice).waitFor()
    await bar(page).getByText('1 selected').waitFor()
  })
  const statuses = (await ordersOf(email)).map(({ status }) => status).sort()
  expect(statuses).toEqual(['cancelled', 'cancelled', 'pending'])
})

describe.each([
  {
    ...{ locale: 'de-DE', all: 'Alle auf dieser Seite auswählen', selected: '3 ausgewählt' },
    ...{ many: '3 Bestellungen stornieren', one: '1 Bestellung stornieren' },
    ...{ lead: 'Unbezahlte Bestellungen: 3 über 30,00', summary: '2 erledigt. 1 abgelehnt.' },
    ...{ refused: 'Diese wurden abgelehnt und bleiben ausgewählt:', close: 'Schließen' },
  },
  {
    ...{
      locale: 'es-ES',
      all: 'Seleccionar todos los de esta página',
      selected: '3 seleccionados',
    },
    ...{ many: 'Cancelar 3 pedidos', one: 'Cancelar 1 pedido' },
    ...{ lead: 'Pedidos sin pagar: 3, por 30,00', summary: '2 hechos. 1 rechazado.' },
    ...{ refused: 'Estos se rechazaron y siguen seleccionados:', close: 'Cerrar' },
  },
])('in $locale', ({ locale, all, selected, many, one, lead, summary, refused, close }) => {
  test('records are selected and changed in words of the language, one and several', async () => {
    const email = `${locale.toLowerCase()}@example.com`
    await createOrders(3, email)
    const storageState = await dashboard.context.storageState()
    const context = await dashboard.browser.newContext({ locale, storageState })
    const page = await context.newPage()
    await dashboard.goTo(page, `/orders?search=${email}`)
    await page.getByRole('checkbox', { name: all }).check()
    const selection = bar(page)
    await selection.getByText(selected).waitFor()
    await selection.getByRole('button', { name: many, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: many })
    await dialog.getByText(lead).waitFor()
    const [order] = await ordersOf(email)
    await dashboard.ask('POST', `/orders/${order?.id}/cancel`, {})
    await dialog.locator('button[type=submit]').click()
    await dialog.getByText(summary, { exact: true }).waitFor()
    await dialog.getByText(refused).waitFor()
    await dialog.locator('.form-end').getByRole('button', { name: close }).click()
    await dialog.waitFor({ state: 'detached' })
    await createOrders(1, email)
    await dashboard.goTo(page, `/orders?search=${email}&status=pending`)
    await page.getByRole('checkbox', { name: all }).check()
    await selection.getByRole('button', { name: one, exact: true }).waitFor()
    await context.close()
  })
})
