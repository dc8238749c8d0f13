import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ClientSecurity } from '../../sdk/client-security/index.ts'
import {
  createManagementClient,
  type Management,
} from '../../sdk/client-security/management/index.ts'
import { type OpenedDashboard, openDashboard, tabTo, VIEWS } from './dashboard-harness.ts'

let dashboard: OpenedDashboard
let management: Management
let program: ClientSecurity
let app: { id: number; name: string }
let key: { id: number; key: string }

/** A license key with a device, whose program runs. */
beforeAll(async () => {
  dashboard = await openDashboard()
  const { origin, test: side } = dashboard.server
  const url = `${origin}/security/v1`
  management = createManagementClient({ url, apiKey: side.security_key ?? '' })
  const made = await management.apps.create({
    name: 'Photo editor',
    report_rules: { debugger: 'ban_key' },
  })
  app = made.app
  const { signing_keys } = await management.apps.listSigningKeys(app.id)
  const created = await management.licenseKeys.create({
    app_id: app.id,
    max_devices: 2,
    entitlements: ['export'],
    metadata: { desk: 7 },
  })
  key = created.keys[0] as typeof key
  program = new ClientSecurity({
    url,
    appId: made.app.public_id,
    keys: signing_keys,
    fingerprint: 'board-4711-disk-0815',
  })
  const { code } = await program.start(key.key, {
    app_version: '1.4.2',
    device: { name: "Mara's laptop", platform: 'linux' },
  })
  expect(code).toBe('VALID')
  await program.report('memory_edit', 'The score was changed from outside.')
})
afterAll(() => dashboard?.close())

test.each(VIEWS)(
  'at $width px in $colorScheme the pages have no fault that axe finds, and do not scroll sideways',
  (view) =>
    dashboard.examine(
      [
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
      ],
      view,
    ),
)

describe('by keyboard only', () => {
  test('a license is found by its text and banned; its program is refused from then on', async () => {
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

  test('keys are issued, and their texts are shown to copy', async () => {
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
    const texts = (await page.locator('[role=dialog] pre').textContent())?.split('\n') ?? []
    expect(texts).toHaveLength(3)
    for (const text of texts) {
      expect((await management.licenseKeys.list({ key: text })).keys).toHaveLength(1)
    }
    await page.close()
  })
})

test('an edit of the limits of an app sends only the changed fields', async () => {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, `/apps/${app.id}`)
  const limits = page.getByRole('region', { name: 'Limits a minute' })
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

test('the license policy of a variant is set on its product, and later sales follow it', async () => {
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

test('addresses are banned and the ban is lifted; a report of a program is listed', async () => {
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
  await dashboard.goTo(page, '/client-reports')
  await page.getByRole('cell', { name: 'The score was changed from outside.' }).waitFor()
  await page.close()
})
