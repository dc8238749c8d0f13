import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClientSecurity } from '../../sdk/client-security/index.ts'
import type { Management, ServersideFile } from '../../sdk/client-security/management/index.ts'
import type { Json } from '../harness.ts'
import {
  type OpenedDashboard,
  openDashboard,
  press,
  tabTo,
  untilDialogCloses,
} from './dashboard-harness.ts'
import { type LicensedProgram, startLicensedProgram } from './licensed-program.ts'

let dashboard: OpenedDashboard
let management: Management
let program: ClientSecurity
let app: LicensedProgram['app']
let key: LicensedProgram['key']
/** Each file has a former content. */
let textFile: ServersideFile
let binaryFile: ServersideFile

const BINARY_CONTENTS = [Uint8Array.of(0, 1, 2), Uint8Array.of(0, 1, 3)] as const

/** Uploads the first content as a file, and replaces it with the second one. */
async function createReplacedFile(
  name: string,
  contents: readonly [string, string] | typeof BINARY_CONTENTS,
) {
  const [first, second] = contents.map((content) => new Blob([content]))
  const options = { name, filename: name, file: first as Blob }
  const { serverside_file: file } = await management.serversideFiles.create(options)
  await management.serversideFiles.replaceContent(file.id, { file: second as Blob })
  return file
}

beforeAll(async () => {
  dashboard = await openDashboard()
  management = dashboard.management
  const terms = { max_devices: 2, entitlements: ['export'], metadata: { desk: 7 } }
  ;({ app, key, program } = await startLicensedProgram(dashboard, terms))
  await program.report('memory_edit', 'The score was changed from outside.')
  textFile = await createReplacedFile('notes.txt', ['Hello\nworld', 'Hello\nmoon'])
  binaryFile = await createReplacedFile('level.bin', BINARY_CONTENTS)
})
afterAll(() => dashboard?.close())

test('the pages have no axe violations in either theme and do not scroll sideways', () =>
  dashboard.examine([
    '/apps',
    `/apps/${app.id}`,
    '/license-keys',
    '/license-keys?status=active',
    `/license-keys/${key.id}`,
    `/license-keys/${key.id}/devices`,
    `/license-keys/${key.id}/sessions`,
    `/license-keys/${key.id}/history`,
    '/device-bans',
    '/client-reports',
    `/files/${textFile.id}`,
    `/files/${binaryFile.id}`,
  ]))

describe('with the keyboard only', () => {
  test('a license is found by its text and banned, and its program is refused from then on', async () => {
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, '/license-keys')
    await tabTo(page, 'Whole key')
    await page.keyboard.type(key.key)
    await page.keyboard.press('Enter')
    await page.waitForURL(/key=/)
    await tabTo(page, `…${key.key.slice(-5)}`)
    await page.keyboard.press('Enter')
    await page.locator('.stamp', { hasText: 'Active' }).waitFor()
    await tabTo(page, 'Ban')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'Reason, for your team')
    await page.keyboard.type('Shared in public.')
    await tabTo(page, 'Ban license key')
    await page.keyboard.press('Enter')
    await page.locator('.stamp', { hasText: 'Banned' }).waitFor()
    expect((await program.validate(key.key)).code).toBe('BANNED')
    await page.close()
  })

  test('keys are issued, and their texts are shown for copying', async () => {
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, '/license-keys')
    await tabTo(page, 'Issue keys')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'How many')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('3')
    await tabTo(page, 'Issue keys (3)')
    await page.keyboard.press('Enter')
    await page.getByText('3 keys were issued.').waitFor()
    const keys = (await page.locator('[role=dialog] pre').textContent())?.split('\n') ?? []
    expect(keys).toHaveLength(3)
    for (const key of keys) {
      expect((await management.licenseKeys.list({ key })).keys).toHaveLength(1)
    }
    await page.close()
  })

  test('a form of new keys names values outside of their limits before it is sent', () =>
    dashboard.on('/license-keys', async (page) => {
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.url())
      })
      await press(page, 'Issue keys')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Valid for, in days').fill('36601')
      await dialog.getByLabel('How many').fill('1001')
      await dialog.getByLabel('Note').fill('n'.repeat(1_001))
      await dialog.locator('[type=submit]').press('Enter')
      const links = dialog.getByRole('alert').getByRole('link')
      await links.first().waitFor()
      const names = ['How many, 1 to 1,000', 'Note', 'Valid for, in days']
      expect((await links.allTextContents()).sort()).toEqual(names)
      expect(sent.filter((url) => url.includes('/keys'))).toEqual([])
    }))

  test('two contents of a text file are compared by lines, and the file is rolled back', () =>
    dashboard.on(`/files/${textFile.id}`, async (page) => {
      const changes = page.locator('.diff :is(.removed, .added)')
      await changes.first().waitFor()
      expect(await changes.allTextContents()).toEqual(['−Removed: world', '+Added: moon'])
      await page.getByText('The newest 5 former contents are kept. They take 11 B').waitFor()
      await press(page, 'Roll back to version 1')
      await page.getByRole('dialog').waitFor()
      await press(page, 'Roll back to version 1')
      await page.getByRole('cell', { name: '3 (current)' }).waitFor()
      await untilDialogCloses(page)
      const replaced = page.getByRole('row').filter({ hasText: 'Roll back to version 2' })
      await replaced.getByRole('cell', { name: 'Demo owner', exact: true }).waitFor()
      const current = await management.serversideFiles.download(textFile.id)
      expect(await current.text()).toBe('Hello\nworld')
      // Version 1 has the restored content.
      await tabTo(page, 'From version')
      await page.keyboard.press('ArrowDown')
      await page.getByText('Both versions have the same content.').waitFor()
    }))

  test('two binary contents are compared by size and hash, and the former one is downloaded', () =>
    dashboard.on(`/files/${binaryFile.id}`, async (page) => {
      await page.getByText('The contents differ.').waitFor()
      for (const [index, content] of BINARY_CONTENTS.entries()) {
        const sha256 = createHash('sha256').update(content).digest('hex')
        const fact = page.locator('.facts div', { hasText: `Version ${index + 1}: SHA-256` })
        await fact.getByText(sha256).waitFor()
      }
      await tabTo(page, 'Roll back to version 1')
      await page.keyboard.press('Shift+Tab')
      await page.locator('a:focus', { hasText: 'level.bin' }).waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.keyboard.press('Enter'),
      ])
      expect(await readFile(await download.path())).toEqual(Buffer.from(BINARY_CONTENTS[0]))
    }))
})

test("an edit of an app's limits sends only the changed fields", async () => {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, `/apps/${app.id}`)
  const limits = page.getByRole('region', { name: 'Limits per minute' })
  await limits.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Calls of one session').fill('')
  await page.getByLabel('Starts from one address').fill('40')
  await page.getByRole('button', { name: 'Save' }).click()
  await limits.getByText('no limit').waitFor()
  expect((await management.apps.get(app.id)).app.rate_limits).toEqual({
    unknown_keys: 30,
    unknown_tokens: 120,
    session_starts: 40,
    validations: 600,
    session_calls: null,
  })
  await page.close()
})

test('the license policy of a variant is set on its product, and applies to later sales', async () => {
  const { ask } = dashboard
  const fields = { name: 'Photo editor, one seat', type: 'license', price_cents: 1900 }
  const { product, variants } = await ask('POST', '/products', { ...fields, status: 'active' })
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, `/products/${product.id}/delivery`)
  await page.getByText('No license policy').waitFor()
  await page.getByRole('button', { name: 'Set license policy' }).click()
  await page.getByLabel('App').selectOption({ label: 'Photo editor' })
  await page.getByLabel('Prefix').fill('EDIT')
  await page.getByLabel('Devices allowed').fill('3')
  await page.getByLabel('Valid for, in days').fill('365')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('EDIT', { exact: true }).waitFor()
  expect((await management.licensePolicies.get(variants[0].id)).license_policy).toMatchObject({
    app_id: app.id,
    prefix: 'EDIT',
    max_devices: 3,
    duration_seconds: 31_536_000,
  })
  const items = [{ product_id: product.id, quantity: 1 }]
  const customer = { email: 'mara@example.com' }
  const { order } = await ask('POST', '/orders', { items, customer, mark_paid: true })
  const { keys } = await management.licenseKeys.list({ customer_email: customer.email })
  expect(keys).toMatchObject([{ invoice_id: order.id, app_id: app.id, max_devices: 3 }])
  await page.close()
})

test('a license policy that another program changed is shown in both versions, and keeps its other terms', async () => {
  const { ask } = dashboard
  const fields = { name: 'Photo editor, team', type: 'license', price_cents: 9900 }
  const { product, variants } = await ask('POST', '/products', { ...fields, status: 'active' })
  const terms = { app_id: app.id, prefix: 'TEAM', max_devices: 3, max_sessions: 2 }
  const setTerms = (changed: Json) =>
    management.licensePolicies.set(variants[0].id, { ...terms, ...changed })
  await setTerms({})
  await dashboard.on(`/products/${product.id}/delivery`, async (page) => {
    await press(page, 'Set license policy')
    const dialog = page.getByRole('dialog')
    await tabTo(page, 'Devices allowed')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('7')
    await setTerms({ max_devices: 5, max_sessions: 4 })
    await page.keyboard.press('Enter')
    const versions = dialog.getByRole('row', { name: 'Devices allowed' })
    await versions.getByRole('cell', { name: '7', exact: true }).waitFor()
    await versions.getByRole('cell', { name: '5', exact: true }).waitFor()
    await press(page, 'Keep mine')
    await untilDialogCloses(page)
  })
  expect((await management.licensePolicies.get(variants[0].id)).license_policy).toMatchObject({
    prefix: 'TEAM',
    max_devices: 7,
    max_sessions: 4,
  })
})

test('the first license policy of a variant is shown in both versions if another program set one meanwhile', async () => {
  const { ask } = dashboard
  const fields = { name: 'Photo editor, student', type: 'license', price_cents: 900 }
  const { product, variants } = await ask('POST', '/products', { ...fields, status: 'active' })
  await dashboard.on(`/products/${product.id}/delivery`, async (page) => {
    await press(page, 'Set license policy')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('App').selectOption({ label: 'Photo editor' })
    await tabTo(page, 'Prefix')
    await page.keyboard.type('MINE')
    const theirs = { app_id: app.id, prefix: 'THEIRS', max_sessions: 4 }
    await management.licensePolicies.set(variants[0].id, theirs)
    await page.keyboard.press('Enter')
    const prefixes = dialog.getByRole('row', { name: 'Prefix' })
    await prefixes.getByRole('cell', { name: 'MINE', exact: true }).waitFor()
    await prefixes.getByRole('cell', { name: 'THEIRS', exact: true }).waitFor()
    // The empty field of the form is a choice too.
    const sessions = dialog.getByRole('row', { name: 'Sessions' })
    await sessions.getByRole('cell', { name: '4', exact: true }).waitFor()
    await press(page, 'Keep mine')
    await untilDialogCloses(page)
  })
  expect((await management.licensePolicies.get(variants[0].id)).license_policy).toMatchObject({
    prefix: 'MINE',
    max_sessions: null,
  })
})

test('addresses are banned, and the ban is lifted', async () => {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, '/device-bans')
  await page.getByRole('button', { name: 'Ban addresses' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address or range').fill('203.0.113.0/24')
  await dialog.getByLabel('Reason, for your team').fill('A farm of stolen keys.')
  await dialog.getByRole('button', { name: 'Ban addresses' }).click()
  await page.getByRole('cell', { name: '203.0.113.0/24' }).waitFor()
  expect((await management.deviceBans.list()).device_bans).toMatchObject([
    { ip_cidr: '203.0.113.0/24', reason: 'A farm of stolen keys.', expires_at: null },
  ])
  await page.getByRole('button', { name: 'Lift ban' }).click()
  await dialog.getByRole('button', { name: 'Lift ban' }).click()
  await page.getByText('A ban keeps a device or addresses').waitFor()
  await page.close()
})

test('a report of a program is listed', () =>
  dashboard.on('/client-reports', async (page) => {
    await page.getByRole('cell', { name: 'The score was changed from outside.' }).waitFor()
  }))
