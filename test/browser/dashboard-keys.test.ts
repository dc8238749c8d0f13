import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard, tabTo } from './dashboard-harness.ts'

/** The dashboard sends so many keys in a call. */
const CALL = 5_000

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard?.close())

/** A new variant that sells keys: its path in the API, and in the dashboard. */
async function aVariant(): Promise<{ api: string; page: string }> {
  const { ask } = dashboard
  const game = { name: 'Star Key', type: 'serial', price_cents: 1_000, status: 'active' }
  const { product } = await ask('POST', '/products', game)
  const [{ id }] = (await ask('GET', `/products/${product.id}/variants`)).variants
  return {
    api: `/products/${product.id}/variants/${id}`,
    page: `/products/${product.id}/variants/${id}/keys`,
  }
}

const available = async (api: string): Promise<number> =>
  (await dashboard.ask('GET', `${api}/stock`)).stock.available

async function press(page: Page, name: string) {
  await page.locator('button:enabled', { hasText: name }).first().waitFor()
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** Chooses a file of lines, and has them checked. Thousands of pasted lines take the browser a minute. */
async function checkFile(page: Page, lines: readonly string[]) {
  const buffer = Buffer.from(lines.join('\n'))
  const file = { name: 'keys.txt', mimeType: 'text/plain', buffer }
  await page.getByLabel('Or a text file').setInputFiles(file)
  await press(page, 'Check')
}

/** Pastes lines, as a clipboard would, and has them checked. */
async function check(page: Page, lines: readonly string[]) {
  await tabTo(page, 'One key a line')
  await page.keyboard.insertText(lines.join('\n'))
  await press(page, 'Check')
}

const linesNamed = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`)

describe('keys are imported by keyboard', () => {
  test('a dry run counts them, and the import is undone after a reload', async () => {
    const { api, page: path } = await aVariant()
    await dashboard.ask('POST', `${api}/keys`, { keys: ['KEPT-0'] })
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, path)
    await check(page, ['NEW-1', 'NEW-2', 'KEPT-0', 'NEW-1'])
    await page.getByText('2 new, 2 twice in this list or in stock').waitFor()
    expect(await available(api)).toBe(1)
    await press(page, 'Add 2 new keys')
    await page.getByText('2 keys were added.').first().waitFor()
    expect(await available(api)).toBe(3)

    await dashboard.goTo(page, path)
    await press(page, 'Undo')
    await page.getByRole('dialog').waitFor()
    await press(page, 'Delete 2 keys')
    await page.getByText('The import was undone.').waitFor()
    expect(await available(api)).toBe(1)
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await page.close()
  })

  test('after a reload in the middle it says how far it came, goes on, and is undone whole', async () => {
    const { api, page: path } = await aVariant()
    const lines = linesNamed('LONG', CALL + 3)
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, path)
    await checkFile(page, lines)
    await page.getByText('5,003 new, 0 twice').waitFor()
    let calls = 0
    await page.route(`**${api}/keys`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      calls++
      // The second call never leaves the page.
      if (calls === 1) await route.continue()
    })
    await press(page, 'Add 5,003 new keys')
    await page.getByText('5,000 of 5,003 lines').waitFor()

    await dashboard.goTo(page, path)
    // Not before the reload: a held call would be sent.
    await page.unroute(`**${api}/keys`)
    await page.getByText('The import stopped after 5,000 of 5,003 lines').waitFor()
    expect(await available(api)).toBe(CALL)
    await checkFile(page, lines)
    await press(page, 'Add 3 new keys')
    await page.getByText('5,003 keys were added.').first().waitFor()
    expect(await available(api)).toBe(CALL + 3)
    await press(page, 'Undo')
    await page.getByRole('dialog').waitFor()
    await press(page, 'Delete 5,003 keys')
    await page.getByText('The import was undone.').waitFor()
    expect(await available(api)).toBe(0)
    await page.close()
  })
})

/** Removes the functions that browsers give only to pages on https and on localhost. */
const PLAIN_HTTP = `
  Object.defineProperty(window, 'isSecureContext', { value: false })
  Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })
  Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined })`

test('over plain http on a local network, changes are saved and texts are copied', async () => {
  const { api, page: path } = await aVariant()
  const page = await dashboard.context.newPage()
  await page.addInitScript(PLAIN_HTTP)
  await dashboard.goTo(page, path)
  await check(page, ['PLAIN-1'])
  await press(page, 'Add 1 new keys')
  await page.getByText('1 keys were added.').first().waitFor()
  expect(await available(api)).toBe(1)

  await dashboard.goTo(page, '/settings/store')
  await page.getByRole('button', { name: 'Copy ' }).first().click()
  await page.getByText('Copied').first().waitFor()
  await page.close()
})
