import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard, tabTo } from './dashboard-harness.ts'

/** The number of keys that the dashboard sends in a call. */
const KEYS_PER_CALL = 5_000

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard?.close())

/** Creates a variant that sells stock keys. Returns its paths in the API and in the dashboard. */
async function createVariant(): Promise<{ api: string; page: string }> {
  const { ask } = dashboard
  const game = { name: 'Star Key', type: 'serial', price_cents: 1_000, status: 'active' }
  const { product } = await ask('POST', '/products', game)
  const [{ id }] = (await ask('GET', `/products/${product.id}/variants`)).variants
  return {
    api: `/products/${product.id}/variants/${id}`,
    page: `/products/${product.id}/variants/${id}/keys`,
  }
}

const availableKeys = async (api: string): Promise<number> =>
  (await dashboard.ask('GET', `${api}/stock`)).stock.available

async function press(page: Page, name: string) {
  await page.locator('button:enabled', { hasText: name }).first().waitFor()
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/**
 * Selects a file of lines and runs the dry run. Pasting thousands of lines takes the browser a
 * minute.
 */
async function checkFile(page: Page, lines: readonly string[]) {
  const buffer = Buffer.from(lines.join('\n'))
  const file = { name: 'keys.txt', mimeType: 'text/plain', buffer }
  await page.getByLabel('Or a text file').setInputFiles(file)
  await press(page, 'Check')
}

/** Inserts lines into the form, as a paste does, and runs the dry run. */
async function checkLines(page: Page, lines: readonly string[]) {
  await tabTo(page, 'One key per line')
  await page.keyboard.insertText(lines.join('\n'))
  await press(page, 'Check')
}

const linesNamed = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`)

const TIME_LEFT = /About \d+ seconds? left/

describe('an import of keys with the keyboard', () => {
  test('starts with a dry run, and is undone after a reload', async () => {
    const { api, page: path } = await createVariant()
    await dashboard.ask('POST', `${api}/keys`, { keys: ['KEPT-0'] })
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, path)
    await checkLines(page, ['NEW-1', 'NEW-2', 'KEPT-0', 'NEW-1'])
    await page.getByText('2 new, 2 repeated in this list or already in stock').waitFor()
    expect(await availableKeys(api)).toBe(1)
    await press(page, 'Add 2 new keys')
    await page.getByText('2 keys were added.').first().waitFor()
    expect(await availableKeys(api)).toBe(3)

    await dashboard.goTo(page, path)
    await press(page, 'Undo')
    await page.getByRole('dialog').waitFor()
    await press(page, 'Delete 2 keys')
    await page.getByText('The import was undone.').waitFor()
    expect(await availableKeys(api)).toBe(1)
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await page.close()
  })

  test('shows its progress after a reload, continues, and is undone as a whole', async () => {
    const { api, page: path } = await createVariant()
    const lines = linesNamed('LONG', KEYS_PER_CALL + 3)
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, path)
    await checkFile(page, lines)
    await page.getByText('5,003 new, 0 repeated').waitFor()
    let calls = 0
    await page.route(`**${api}/keys`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      calls++
      // Only the first call is sent. The second one waits for the rest of the test.
      if (calls === 1) await route.continue()
    })
    await press(page, 'Add 5,003 new keys')
    await page.getByText('5,000 of 5,003 lines').waitFor()
    await page.getByText(TIME_LEFT).waitFor()

    await dashboard.goTo(page, path)
    // Before the reload, this would send the second call.
    await page.unroute(`**${api}/keys`)
    await page.getByText('The import stopped after 5,000 of 5,003 lines').waitFor()
    expect(await availableKeys(api)).toBe(KEYS_PER_CALL)
    await checkFile(page, lines)
    await page.getByRole('button', { name: 'Add 3 new keys' }).waitFor()
    let release = () => {}
    const isRead = new Promise<void>((resolve) => {
      release = resolve
    })
    calls = 0
    await page.route(`**${api}/keys`, async (route) => {
      if (route.request().method() === 'POST' && ++calls === 2) await isRead
      await route.continue()
    })
    await press(page, 'Add 3 new keys')
    await page.getByText(TIME_LEFT).waitFor()
    release()
    await page.getByText('5,003 keys were added.').first().waitFor()
    expect(await availableKeys(api)).toBe(KEYS_PER_CALL + 3)
    await press(page, 'Undo')
    await page.getByRole('dialog').waitFor()
    await press(page, 'Delete 5,003 keys')
    await page.getByText('The import was undone.').waitFor()
    expect(await availableKeys(api)).toBe(0)
    await page.close()
  })
})

/** Removes the functions that browsers offer only on https and on localhost. */
const PLAIN_HTTP = `
  Object.defineProperty(window, 'isSecureContext', { value: false })
  Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })
  Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined })`

test('over plain http on a local network, changes are saved and texts are copied', async () => {
  const { api, page: path } = await createVariant()
  const page = await dashboard.context.newPage()
  await page.addInitScript(PLAIN_HTTP)
  await dashboard.goTo(page, path)
  await checkLines(page, ['PLAIN-1'])
  await press(page, 'Add 1 new keys')
  await page.getByText('1 keys were added.').first().waitFor()
  expect(await availableKeys(api)).toBe(1)

  await dashboard.goTo(page, '/settings/store')
  await page.getByRole('button', { name: 'Copy ' }).first().click()
  await page.getByText('Copied').first().waitFor()
  await page.close()
})
