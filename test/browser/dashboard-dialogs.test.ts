import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IS_WHOLE, walkPart } from '../walks.ts'
import { createBuildingPages } from './building-pages.ts'
import {
  expectEmpty,
  type OpenedDashboard,
  openDashboard,
  press,
  tabTo,
  untilDialogCloses,
  untilDialogHasFocus,
  WAIT_MS,
} from './dashboard-harness.ts'
import { PAGES } from './selling-pages.ts'
import { createSellingRecords } from './selling-records.ts'

/** Every dialog of the dashboard, by keyboard alone. They are found on the pages, by the buttons that open them. */

const PASSWORD = 'correct horse battery staple'

let dashboard: OpenedDashboard
let paths: readonly string[]

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.setPassword(PASSWORD)
  const ids = await createSellingRecords(dashboard)
  const { pages } = await createBuildingPages(dashboard)
  const sellingPaths = PAGES.map(({ path }) =>
    path.replace(/\$(\w+)/g, (_, name) => String(ids[name])),
  )
  paths = [...sellingPaths, ...pages.map(({ path }) => path)]
})
afterAll(() => dashboard?.close())

const dialogOf = (page: Page) => page.getByRole('dialog')
const questionOf = (page: Page) => page.getByRole('alertdialog')
const isFocused = async (element: Locator) =>
  (await element.and(element.page().locator(':focus')).count()) > 0

const untilFocused = (element: Locator, what: string) =>
  expect.poll(() => isFocused(element), { message: what, timeout: WAIT_MS }).toBe(true)

/** True if the browser asks before it leaves the page. */
const asksBeforeLeaving = (page: Page) =>
  page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")

const FIELDS = 'input, select, textarea'
const TEXT_FIELDS =
  'input:is([type=text], [type=email], [type=url], [type=password], :not([type])), textarea'

/** Changes a field of the dialog with the keyboard, and returns it; undefined if there is none. */
async function change(page: Page, dialog: Locator): Promise<Locator | undefined> {
  for (const [selector, key] of [
    [TEXT_FIELDS, 'x'],
    ['input[type=checkbox]', ' '],
    ['select:has(option:nth-child(2))', 'ArrowDown'],
  ] as const) {
    const found = dialog.locator(selector)
    if ((await found.count()) === 0) continue
    // A choice that was made may remove the empty one, by which it was found.
    const name = await found.first().getAttribute('name')
    const field = name === null ? found.first() : dialog.locator(`[name="${name}"]`).first()
    for (let steps = 0; !(await isFocused(field)); steps++) {
      expect(steps, `tabs to ${selector}`).toBeLessThan(60)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press(key)
    return field
  }
  return undefined
}

/** Opens the question of a dialog with typed values. */
async function ask(page: Page) {
  await page.keyboard.press('Escape')
  await questionOf(page).waitFor()
  await untilFocused(page.getByRole('button', { name: 'Keep editing' }), 'the question')
}

/** Checks that the changed first field of a dialog is still changed after the dialog was closed and opened again. */
async function checkDraft(page: Page, button: Locator, name: string) {
  const field = dialogOf(page).locator(FIELDS).first()
  const typed = await field.inputValue()
  expect(await asksBeforeLeaving(page), `${name}: reload`).toBe(false)
  await page.keyboard.press('Escape')
  await untilDialogCloses(page)
  await untilFocused(button, `${name}: the button after the draft`)
  await page.keyboard.press('Enter')
  await untilFocused(field, `${name}: the first field of the draft`)
  expect(await field.inputValue(), name).toBe(typed)
  await page.keyboard.press('Escape')
}

async function examineDialog(page: Page, button: Locator, name: string) {
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = dialogOf(page)
  await dialog.waitFor()
  await untilDialogHasFocus(dialog)
  const firstField = dialog.locator(FIELDS).first()
  if ((await firstField.count()) > 0) await untilFocused(firstField, `${name}: the first field`)
  const field = await change(page, dialog)
  const isDraft = (await dialog.getByText('is saved as a draft in this browser').count()) > 0
  if (isDraft) await checkDraft(page, button, name)
  else if (field) {
    await ask(page)
    await page.keyboard.press('Enter')
    await questionOf(page).waitFor({ state: 'detached' })
    await untilFocused(field, `${name}: the field after the question`)
    expect(await asksBeforeLeaving(page), `${name}: reload`).toBe(true)
    await ask(page)
    await tabTo(page, 'Discard')
    await page.keyboard.press('Enter')
  } else {
    expect(await asksBeforeLeaving(page), `${name}: reload`).toBe(false)
    await page.keyboard.press('Escape')
  }
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(button, `${name}: the button after the dialog`)
}

/** The name of a dialog. The tabs of a record have the same actions. */
const nameOf = (label: string, path: string) =>
  IS_WHOLE ? `${label} on ${path.split('/').slice(0, 3).join('/')}` : label

test('each dialog begins in its first field, asks before it loses typed values, and gives the focus back', async () => {
  const page = await dashboard.context.newPage()
  const examined = new Set<string>()
  const findings: string[] = []
  for (const path of walkPart(paths, 'dialogs')) {
    await dashboard.show(page, path)
    const buttons = page.locator('main [aria-haspopup=dialog]:enabled:visible')
    for (const [index, label] of (await buttons.allTextContents()).entries()) {
      const name = nameOf(label, path)
      if (examined.has(name)) continue
      examined.add(name)
      try {
        await examineDialog(page, buttons.nth(index), name)
      } catch (error) {
        findings.push(`${name}: ${error instanceof Error ? error.message : error}`)
        await dashboard.goTo(page, path)
      }
    }
  }
  await page.close()
  expectEmpty(findings)
  expect(examined.size).toBeGreaterThan(IS_WHOLE ? 100 : 20)
})

/** The dialogs that no button of a page opens: a refusal, a key and the answer of another dialog open them. */
const WITHOUT_BUTTON = [
  'app/prompts.tsx',
  'app/shortcuts-help.tsx',
  // The buttons are in kit/bulk-bar.tsx.
  'kit/bulk-dialog.tsx',
  'pages/client/license-keys.tsx',
]
const SOURCES = new URL('../../dashboard/src/', import.meta.url).pathname

test('the button of each dialog says that it opens one, so that the walk finds it', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  const silent = files
    .filter((file) => file.endsWith('.tsx') && !WITHOUT_BUTTON.includes(file))
    .filter((file) => {
      const text = readFileSync(join(SOURCES, file), 'utf8')
      return text.includes('<Modal') && !text.includes('aria-haspopup="dialog"')
    })
  expect(silent).toEqual([])
})

test('a click next to a dialog with typed values asks, and one without closes it', async () => {
  await dashboard.on('/coupons', async (page) => {
    const open = page.getByRole('button', { name: 'New coupon' }).first()
    await open.press('Enter')
    await untilDialogHasFocus(dialogOf(page))
    await page.mouse.click(2, 2)
    await untilDialogCloses(page)
    await open.press('Enter')
    await untilDialogHasFocus(dialogOf(page))
    await page.keyboard.type('SPRING')
    await page.mouse.click(2, 2)
    await questionOf(page).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => dialogOf(page).locator('input').first().inputValue()).toBe('SPRING')
  })
})

test('a secret is closed only by the button that says it is stored, and keeps the focus after a password was asked for', async () => {
  await dashboard.on('/api-keys', async (page) => {
    let isAsked = false
    await page.route(/\/api-keys$/, (route) => {
      if (isAsked || route.request().method() !== 'POST') return route.continue()
      isAsked = true
      return route.fulfill({ status: 403, json: { success: false, code: 'STEP_UP_REQUIRED' } })
    })
    await press(page, 'Create key')
    const dialog = page.getByRole('dialog', { name: 'Create key' })
    await untilDialogHasFocus(dialog)
    await page.keyboard.type('Deploy')
    await page.keyboard.press('Enter')
    const prompt = page.getByRole('dialog', { name: 'Enter your password again' })
    await untilDialogHasFocus(prompt)
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await prompt.waitFor({ state: 'detached' })
    const stored = dialog.getByRole('button', { name: 'I stored it' })
    await stored.waitFor()
    await untilDialogHasFocus(dialog)
    await page.keyboard.press('Escape')
    await page.mouse.click(2, 2)
    expect(await asksBeforeLeaving(page)).toBe(true)
    await untilDialogHasFocus(dialog)
    await tabTo(page, 'I stored it')
    await page.keyboard.press('Enter')
    await untilDialogCloses(page)
    await untilFocused(page.getByRole('button', { name: 'Create key' }).first(), 'after the secret')
  })
})
