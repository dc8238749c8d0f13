import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { type OpenedDashboard, openDashboard, press, tabTo, WAIT_MS } from './dashboard-harness.ts'

/** Empty lists, refused forms, values that are shown once, and edits of others on the pages of Client, Build and Settings. */

const PASSWORD = 'correct horse battery'

let dashboard: OpenedDashboard
let on: OpenedDashboard['on']

beforeAll(async () => {
  dashboard = await openDashboard()
  on = dashboard.on
  await dashboard.setPassword(PASSWORD)
})
afterAll(() => dashboard?.close())

/** A broken rule as the API writes it. */
const TOO_LONG = {
  ...{ field: 'value', message: 'Write at most 254 characters.' },
  ...{ rule: 'max_length', limit: 254 },
}

const EMPTY_LISTS = ['/webhooks', '/client-sessions', '/strings', '/files', '/device-bans']

describe('an empty list', () => {
  test('says what it contains, and has one step and a line of code for the first record', () =>
    on('/webhooks', async (page) => {
      await page.getByText('A webhook endpoint is one of your addresses.').waitFor()
      const code = `npx tradepost webhooks listen --store ${dashboard.server.test.id}`
      await page.locator('.empty pre', { hasText: code }).waitFor()
      await tabTo(page, 'Add endpoint')
      await page.locator('.empty').getByRole('link', { name: 'Add endpoint' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Add endpoint' }).waitFor()
    }))

  test('names the filters that match no record, and clears them', () =>
    on('/license-keys?status=banned', async (page) => {
      await page.getByText('Nothing matches “Status: Banned”.').waitFor()
      await press(page, 'Clear filters')
      await page.getByText('Nothing matches').waitFor({ state: 'detached' })
    }))

  test('has no axe violations and does not scroll sideways', () =>
    dashboard.examine([...EMPTY_LISTS, '/settings/plan']))
})

describe('a form with empty required fields', () => {
  test('is not sent, and each problem is under its field and linked from a list on top', () =>
    on('/api-keys', async (page) => {
      await press(page, 'Create key')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Create key' }).press('Enter')
      await dialog.getByText('Check these fields:').waitFor()
      const name = dialog.getByLabel('Name')
      expect(await page.evaluate('document.activeElement.name')).toBe('name')
      expect(await name.getAttribute('aria-invalid')).toBe('true')
      await dialog.locator('.field-error', { hasText: 'Fill in this field.' }).waitFor()
      await dialog.getByLabel('Access').focus()
      await dialog.getByRole('link', { name: 'Name' }).press('Enter')
      expect(await page.evaluate('document.activeElement.name')).toBe('name')
    }))
})

describe('a value that is shown once', () => {
  test('is shown with its line for .env, and only “I stored it” closes it', async () => {
    let key = ''
    await on('/api-keys', async (page) => {
      await press(page, 'Create key')
      await tabTo(page, 'Name')
      await page.keyboard.type('Till')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Create key' })
      key = (await dialog.getByText(/^sk_test_\w+$/).textContent()) ?? ''
      await dialog.getByText(`TRADEPOST_API_KEY=${key}`).waitFor()
      await page.keyboard.press('Escape')
      expect(await dialog.isVisible()).toBe(true)
      await press(page, 'I stored it')
      await dialog.waitFor({ state: 'detached' })
      expect(await page.getByText(key).count()).toBe(0)
    })
    const { origin, test: store } = dashboard.server
    expect((await call({ origin, store: store.id, key }, 'GET', '/products')).status).toBe(200)
  })
})

describe('an edit of what another user changed', () => {
  const callPrivateApi = async (
    method: 'get' | 'patch',
    path: string,
    data?: Json,
  ): Promise<Json> => {
    const { origin, test: store } = dashboard.server
    const url = `${origin}/dashboard/api/stores/${store.id}${path}`
    const response = await dashboard.context.request[method](url, { data, headers: { origin } })
    return response.json()
  }

  test('shows both roles of a member before one of them is saved', async () => {
    const colleague = await dashboard.signInAs('viewer', PASSWORD)
    await colleague.close()
    const { team } = await callPrivateApi('get', '/team')
    const { id } = team.find(({ role }: Json) => role === 'viewer')
    await on('/settings/team', async (page) => {
      await page.getByRole('row', { name: 'Vera' }).getByRole('button').first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Role').selectOption('staff')
      await callPrivateApi('patch', `/team/${id}`, { role: 'admin' })
      await press(page, 'Change role')
      await dialog.getByText(/^You changed this in another window/).waitFor()
      expect(
        (await callPrivateApi('get', '/team')).team.find((item: Json) => item.id === id).role,
      ).toBe('admin')
      await press(page, 'Keep mine')
      await dialog.waitFor({ state: 'detached' })
    })
    const { team: teamAfter } = await callPrivateApi('get', '/team')
    expect(teamAfter.find((item: Json) => item.id === id).role).toBe('staff')
  })
})

describe('the palette', () => {
  test('finds a call by its request id, whose refusal links to the page of its error', async () => {
    const { origin, test: store } = dashboard.server
    const target = { origin, store: store.id, key: store.api_key ?? '' }
    const refusal = await call(target, 'GET', '/products/prd_missing')
    const id = refusal.json.request_id
    // A call appears in the log within a second.
    const logUrl = `${origin}/dashboard/api/stores/${store.id}/request-log/${id}`
    await vi.waitFor(
      async () => expect((await dashboard.context.request.get(logUrl)).status()).toBe(200),
      WAIT_MS,
    )
    await on('', async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type(id)
      await page.locator('[aria-selected=true]', { hasText: `Request ${id}` }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(`/request-log/${id}$`))
      const link = page.getByRole('main').getByRole('link', { name: 'NOT_FOUND' }).first()
      const response = await page.request.get(`${origin}${await link.getAttribute('href')}`)
      expect(response.status()).toBe(200)
    })
  })
})

describe('a string', () => {
  test('shows its readers, the difference of two versions, and goes back to one', async () => {
    const { management } = dashboard
    const { serverside_string: string } = await management.serversideStrings.create({
      name: 'greeting',
      value: 'Hello\nworld',
    })
    const { name } = string
    await management.serversideStrings.replace(string.id, { name, value: 'Hello\nmoon' })
    await on(`/strings/${string.id}`, async (page) => {
      await page.getByText('No program has read it in the past 90 days.').waitFor()
      await press(page, 'Show the value')
      const difference = page.getByRole('region', { name: /^Difference between/ })
      await difference.locator('.removed', { hasText: 'world' }).waitFor()
      await difference.locator('.added', { hasText: 'moon' }).waitFor()
      await press(page, 'Roll back to version 1')
      await page.getByRole('dialog').waitFor()
      await press(page, 'Roll back to version 1')
      await page.getByRole('cell', { name: '3 (current)' }).waitFor()
    })
    const { serverside_string } = await management.serversideStrings.get(string.id)
    expect(serverside_string).toMatchObject({ value: 'Hello\nworld', version: 3 })
  })
})

test('the page of a key shows its last use as soon as its operations are counted', async () => {
  const { origin, test: store } = dashboard.server
  const headers = { origin }
  const url = `${origin}/dashboard/api/stores/${store.id}/api-keys`
  const data = { name: 'Fresh', permissions: ['orders:read'] }
  const answer: Json = await (await dashboard.context.request.post(url, { data, headers })).json()
  await call({ origin, store: store.id, key: answer.key }, 'GET', '/orders')
  await on(`/api-keys/${answer.api_key.id}`, async (page) => {
    const usage = page.getByRole('table').getByText('orders.list')
    await vi.waitFor(async () => {
      await dashboard.goTo(page, `/api-keys/${answer.api_key.id}`)
      expect(await usage.count()).toBe(1)
    }, WAIT_MS)
    const details = page.getByRole('region', { name: 'Details' })
    // Only its expiry is "Never".
    await expect.poll(() => details.getByText('Never', { exact: true }).count()).toBe(1)
  })
})

describe('a refused read says in words', () => {
  test('which filter or sort of the address is wrong, and clears it', () =>
    on('/orders?sort=colour', async (page) => {
      await page.getByText('The sort order in the address is not valid.').waitFor()
      await press(page, 'Clear filters')
      await page.getByText('Orders appear here as soon as somebody buys.').waitFor()
      expect(new URL(page.url()).search).toBe('')
    }))

  test('a wrong filter by its label', () =>
    on('/orders?created_from=abc', async (page) => {
      await page.getByText('The filter “From” in the address is not valid.').waitFor()
    }))

  test.each([
    ['/orders/ord_missing', 'Orders'],
    ['/products/Missing00000', 'Products'],
    ['/customers/999999', 'Customers'],
    ['/coupons/999999', 'Coupons'],
    ['/tickets/999999', 'Tickets'],
    ['/webhooks/999999', 'Webhooks'],
    ['/license-keys/999999', 'License keys'],
    ['/coupons/nope', 'Coupons'],
    ['/customers/nope', 'Customers'],
    ['/subscriptions/nope', 'Subscriptions'],
    ['/license-keys/nope', 'License keys'],
    ['/apps/nope', 'Apps'],
  ])('that the record at %s does not exist, and leads back to its list', (path, list) =>
    on(path, async (page) => {
      await page.getByText('This record does not exist, or it was deleted.').first().waitFor()
      // The Client Security API has no codes, and the name of the client for its refusals says nothing.
      expect(await page.getByText('REFUSED').count()).toBe(0)
      await page
        .getByRole('link', { name: `Back to “${list}”` })
        .first()
        .press('Enter')
      await page.getByRole('heading', { level: 1, name: list }).waitFor()
    }),
  )

  test('which limit a value exceeds, in the language of the page', () =>
    on('/blocklist', async (page) => {
      await page.evaluate("localStorage.setItem('tradepost-language', 'de')")
      await page.reload()
      await page.getByRole('button', { name: 'Eintrag hinzufügen' }).first().waitFor()
      // The page has read its language. The pages of the other tests are in English.
      await page.evaluate("localStorage.removeItem('tradepost-language')")
      await page.route('**/v1/blocklist', (route) =>
        route.request().method() === 'GET'
          ? route.continue()
          : route.fulfill({
              status: 422,
              json: {
                success: false,
                code: 'VALIDATION_FAILED',
                error: 'value: Write at most 254 characters.',
                details: { field: 'value', errors: [TOO_LONG] },
              },
            }),
      )
      await page.getByRole('button', { name: 'Eintrag hinzufügen' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Adresse oder Bereich').fill('ada@example.com')
      await dialog.locator('button[type=submit]').click()
      await dialog.getByRole('alert').getByText('Höchstens 254 Zeichen.').waitFor()
    }))

  test('when to repeat a call after too many of them', async () => {
    const limited = (page: Page) =>
      page.route('**/v1/coupons?*', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '45' },
          json: { success: false, code: 'RATE_LIMITED', error: 'Slow down.' },
        }),
      )
    await dashboard.on('', async (page) => {
      await limited(page)
      await page.getByRole('link', { name: 'Coupons' }).click()
      const text = 'Too many calls in a short time. Try again in 45 seconds.'
      // The call is repeated after this time; the sentence is shown at once.
      await page.getByText(text).waitFor({ timeout: 20_000 })
    })
  })
})

test('an endpoint that never got a webhook is not called healthy', async () => {
  const { origin, test: store } = dashboard.server
  const url = `${origin}/dashboard/api/stores/${store.id}/v1/webhooks`
  const data = { url: 'https://unused.example.com/hook', events: ['product.deleted'] }
  const answer: Json = await (
    await dashboard.context.request.post(url, { data, headers: { origin } })
  ).json()
  await on(`/webhooks/${answer.webhook.id}`, async (page) => {
    const health = page.getByRole('region', { name: 'Health' })
    await health.getByText('Not used yet').waitFor()
    expect(await health.getByText('Healthy', { exact: true }).count()).toBe(0)
  })
  await on('/webhooks', async (page) => {
    const row = page.getByRole('row', { name: /unused\.example\.com/ })
    await row.getByText('Nothing sent yet.').waitFor()
  })
})

describe('the page of the system', () => {
  test('shows the state of each part with its cure, and the versions', () =>
    on('/settings/system', async (page) => {
      const parts = page.getByRole('table', { name: 'Parts' })
      await parts.getByRole('row', { name: /^Database Works It answers\./ }).waitFor()
      await parts
        .getByRole('row', { name: /^Mail server Not set up .*TRADEPOST_SMTP_URL/ })
        .waitFor()
      await parts
        .getByRole('row', { name: /^Backup Attention .*Make one with the command/ })
        .waitFor()
      await parts.getByRole('row', { name: /^Rules of the data Works \d+ rules hold/ }).waitFor()
      const off = await parts.getByText('Not set up', { exact: true }).count()
      expect(off).toBeGreaterThan(1)
      const summary = `1 part needs attention. ${off} parts are not set up.`
      await page.getByRole('status').getByText(summary).waitFor()
      await page.getByRole('region', { name: 'Versions' }).getByText('PostgreSQL').waitFor()
    }))

  test('leaves a space between the list of passed checks and the backups', () =>
    on('/settings/system', async (page) => {
      const checks = page.locator('main details', { hasText: 'checks in order' })
      await checks.waitFor()
      const above = await checks.boundingBox()
      const below = await page.getByRole('region', { name: 'Backups' }).boundingBox()
      const end = (above?.y ?? 0) + (above?.height ?? 0)
      expect((below?.y ?? 0) - end).toBeGreaterThanOrEqual(8)
    }))

  test('names the newest backup in commands that restore it, and these restore it next to the running server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tradepost-restore-'))
    const file = join(folder, 'shop.backup')
    await dashboard.command('backup', file)
    await on('/settings/system', async (page) => {
      const backups = page.getByRole('region', { name: 'Backups' })
      await backups.getByText('shop.backup', { exact: true }).waitFor()
      const blocks = await backups.locator('pre, code').allTextContents()
      const commands = blocks.find((text) => text.startsWith('mkdir restore-test')) ?? ''
      const [prepare, restore, check, clean] = commands.split('\n')
      expect([prepare, check, clean]).toEqual([
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell reads the variable.
        'mkdir restore-test && cp -p "${DATA_DIR:-data}/secrets.key" restore-test/',
        'DATA_DIR=./restore-test npx tradepost doctor',
        'rm -r restore-test',
      ])
      expect(restore).toBe('npx tradepost restore shop.backup --data-dir ./restore-test')
      expect(blocks).toContain('npx tradepost restore shop.backup --data-dir ./new-data')
    })
    // The same commands, as the page shows them, in a folder of the test.
    const copy = join(folder, 'restore-test')
    mkdirSync(copy)
    copyFileSync(join(dashboard.dataDir, 'secrets.key'), join(copy, 'secrets.key'))
    await dashboard.command('restore', file, '--data-dir', copy)
    await dashboard.command('doctor', '--data-dir', copy)
    rmSync(folder, { recursive: true })
  })
})
