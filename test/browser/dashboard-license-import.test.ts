import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedDashboard, openDashboard, press, tabTo } from './dashboard-harness.ts'

/** The import of license keys that another program generated, by keyboard. */

let dashboard: OpenedDashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.management.licenseKeys.import({ keys: [{ key: 'TAKEN-1' }] })
})
afterAll(() => dashboard?.close())

const findKey = async (key: string) =>
  (await dashboard.management.licenseKeys.list({ key })).keys[0]

const preview = (page: Page) => page.locator('form [role=status]')

async function paste(page: Page, lines: readonly string[]) {
  await tabTo(page, 'One key per line')
  await page.keyboard.insertText(lines.join('\n'))
}

test('pasted keys are previewed with their refusals, and imported without the lines that the server refuses', () =>
  dashboard.on('/license-keys', async (page) => {
    await press(page, 'Import keys')
    await page.getByRole('heading', { level: 1, name: 'Import license keys' }).waitFor()
    // The empty lines count: the numbers are those of the pasted text.
    await paste(page, ['', 'OLD-1', 'OLD-1', 'TAKEN-1', '', 'x'.repeat(256), 'OLD-2'])
    await preview(page).getByText('3 keys to import, 2 lines left out.').waitFor()
    await preview(page).getByText('Line 3: The key is in an earlier line already.').waitFor()
    await preview(page).getByText('Line 6: The key has more than 255 characters.').waitFor()
    expect(await findKey('OLD-1')).toBeUndefined()

    await tabTo(page, 'Devices')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('3')
    await press(page, 'Import 3 keys')
    const result = page.getByRole('region', { name: '2 keys were imported.' })
    await result.getByText('Line 4: This key exists already').waitFor()
    expect(await result.locator('li').count()).toBe(3)
    expect(await findKey('OLD-1')).toMatchObject({ max_devices: 3 })
    expect(await findKey('OLD-2')).toMatchObject({ max_devices: 3 })
    // The refused lines stay in the field.
    expect(await page.getByLabel('One key per line').inputValue()).toContain('TAKEN-1')
  }))

test('keys of a file are imported in several calls, and a failed call is repeated without the imported ones', () =>
  dashboard.on('/license-keys/import', async (page) => {
    const lines = Array.from({ length: 1_001 }, (_, n) => `FILE-${n}`)
    const buffer = Buffer.from(lines.join('\r\n'))
    const file = { name: 'keys.txt', mimeType: 'text/plain', buffer }
    await page.getByLabel('Or a text file').setInputFiles(file)
    await preview(page).getByText('1,001 keys to import, 0 lines left out.').waitFor()
    let calls = 0
    await page.route('**/keys/import', (route) => {
      if (++calls !== 2) return route.continue()
      const json = { success: false, error: 'It broke.' }
      return route.fulfill({ status: 400, json })
    })
    await press(page, 'Import 1,001 keys')
    await page.locator('form .failure').waitFor()
    await preview(page).getByText('1,000 lines are imported already').waitFor()
    await press(page, 'Import 1 key')
    await page.getByRole('region', { name: '1,001 keys were imported.' }).waitFor()
    expect(calls).toBe(3)
    expect(await findKey('FILE-1000')).toBeDefined()
  }))

test('an import without a key is refused next to the field', () =>
  dashboard.on('/license-keys/import', async (page) => {
    await press(page, 'Import 0 keys')
    await page.locator('.field-error', { hasText: 'Send at least one key.' }).waitFor()
  }))

test('the form, its preview and its result have no axe violations at any width', async () => {
  await dashboard.examine(['/license-keys/import'], async (page) => {
    await paste(page, ['AXE-1', 'AXE-1', 'AXE-2'])
    await preview(page).getByText('2 keys to import').waitFor()
  })
  await dashboard.examine(['/license-keys', '/license-keys/import'], async (page) => {
    if (!page.url().endsWith('import')) return
    await paste(page, ['TAKEN-1', 'AXE-3'])
    await press(page, 'Import 2 keys')
    await page.getByRole('region', { name: '1 key was imported.' }).waitFor()
  })
})
