import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { walkPart } from '../walks.ts'
import { createAllPages } from './all-pages.ts'
import { expectEmpty, type OpenedDashboard, openDashboard } from './dashboard-harness.ts'

// Pages show words of people, not the codes of the API.

let dashboard: OpenedDashboard
let paths: string[]

beforeAll(async () => {
  dashboard = await openDashboard()
  paths = await createAllPages(dashboard)
})
afterAll(() => dashboard?.close())

/** The texts that people read on the page. Text marked as code and typed text are left out. */
const TEXTS = `(() => {
  const CODE = 'code, pre, textarea, script, style, iframe'
  const texts = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.closest(CODE)) texts.add(node.textContent.trim())
  }
  for (const name of ['aria-label', 'title', 'placeholder']) {
    for (const element of document.querySelectorAll('[' + name + ']')) {
      if (!element.closest(CODE)) texts.add(element.getAttribute(name))
    }
  }
  return [...texts]
})()`

/** Codes, moments for programs, and values that were not meant to be shown. */
const CODES: readonly RegExp[] = [
  /\b[a-z]+_[a-z_]+\b/,
  /\b[a-z]+\.[a-z_]+\b/,
  /\b[a-z_]+:(read|write)\b/,
  /\d{4}-\d\d-\d\dT/,
  /\bundefined\b|\bnull\b|\[object/,
]

/** Texts of the seller and of buyers: addresses, names of files, and placeholders of mail templates. */
const OWN_TEXTS = /\S+@example\.com|\S*127\.0\.0\.1\S*|\bnotes\.txt\b|\{\{\w+\}\}/g

const isCode = (text: string) => CODES.some((code) => code.test(text.replace(OWN_TEXTS, '')))

describe.each(['en-US', 'de-DE', 'es-ES'])('in the language %s', (locale) => {
  test('no page shows a code of the API outside of text that is marked as code', async () => {
    const context = await dashboard.browser.newContext({
      locale,
      storageState: await dashboard.context.storageState(),
    })
    const page = await context.newPage()
    const findings = new Map<string, string>()
    for (const path of walkPart(paths, `words in ${locale}`)) {
      await dashboard.show(page, path)
      for (const changes of await page.locator('details.changes summary').all()) {
        await changes.click()
      }
      const texts = (await page.evaluate(TEXTS)) as string[]
      expect(texts.length, path).toBeGreaterThan(10)
      for (const text of texts.filter(isCode)) findings.set(text.slice(0, 120), path)
    }
    await context.close()
    expectEmpty([...findings].map(([text, path]) => `${path}: ${text}`))
  })
})

test('an entry of the audit trail names its action, its record, its author and its fields in words', async () => {
  await dashboard.ask('POST', '/coupons', { code: 'MAY', type: 'fixed', amount_cents: 250 })
  await dashboard.on('/settings/audit', async (page) => {
    const row = page.getByRole('row', { name: /^Create coupon/ }).first()
    await row.getByText('coupon.create', { exact: true }).waitFor()
    await row.getByText('API key “First key”').waitFor()
    await row
      .getByText(/Amount/)
      .first()
      .click()
    await row.getByText('$2.50').waitFor()
  })
})

test('each line of the history of an order names its author', async () => {
  const path = paths.find((item) => /^\/orders\/\w/.test(item)) ?? ''
  await dashboard.on(path, async (page) => {
    const history = page.getByRole('region', { name: 'History' })
    await history.getByText('· API key “First key”').first().waitFor()
    for (const line of await history.getByRole('listitem').allTextContents()) {
      expect(line).toMatch(/ · \S/)
    }
  })
})

test('the history of a license key names the API key that created it', async () => {
  const path = paths.find((item) => /^\/license-keys\/\d+\/history$/.test(item)) ?? ''
  await dashboard.on(path, (page) =>
    page.getByRole('row', { name: /^Create license key.*API key “First key”/ }).waitFor(),
  )
})

test('a type of event is named in words next to its code, where a webhook endpoint subscribes to it', () =>
  dashboard.on('/webhooks#new', async (page) => {
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('All events').uncheck()
    await dialog.getByLabel(/Order refunded/).check()
    await dialog.locator('code', { hasText: 'order.refunded' }).waitFor()
  }))
