import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import {
  examine,
  type OpenedDashboard,
  openDashboard,
  openEntry,
  press,
  tabTo,
  untilDialogCloses,
  untilDialogHasFocus,
  VIEWS,
} from './dashboard-harness.ts'

/** The sender, the texts and the preview of mail, by keyboard. */

const PAGE = '/settings/mail'
const TEXT_PAGE = `${PAGE}/order_paid/de`
const PASSWORD = 'correct horse battery staple'

let dashboard: OpenedDashboard
let browserErrors: string[] = []

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.setPassword(PASSWORD)
})
afterAll(() => dashboard?.close())

const subjectOf = (page: Page) => page.getByRole('textbox', { name: 'Subject' })
const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const previewOf = (page: Page) => page.frameLocator('.html-frame').locator('body')

async function storedText(): Promise<Json> {
  const { mail_templates } = await dashboard.ask('GET', '/account/mail-templates')
  return mail_templates.find(
    ({ template, language }: Json) => template === 'order_paid' && language === 'de',
  )
}

const restoreOriginal = () => dashboard.ask('DELETE', '/account/mail-templates/order_paid/de')

/** Fails on errors in the console, such as those of the content security policy. */
async function onText(work: (page: Page) => Promise<void>) {
  browserErrors = []
  await dashboard.on(TEXT_PAGE, work, (page) => {
    page.on('console', (message) => {
      if (message.type() === 'error') browserErrors.push(message.text())
    })
  })
  expect(browserErrors).toEqual([])
}

test('the sender, the language and the mail about orders of programs are changed in words', async () => {
  await dashboard.on('', async (page) => {
    await openEntry(page, 'Email')
    const section = page.getByRole('region', { name: 'Sender and language' })
    await section.getByText('Their buyers get no mail').waitFor()
    await press(page, 'Change sender and language')
    await untilDialogHasFocus(page.getByRole('dialog'))
    await page.keyboard.type('Corner Store')
    await page.getByLabel('Language of mail').selectOption('Deutsch')
    await tabTo(page, 'Mail buyers whose orders')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await untilDialogCloses(page)
    await section.getByText('Corner Store').waitFor()
    await section.getByText('Their buyers get mail').waitFor()
  })
  const { settings } = await dashboard.ask('GET', '/account/settings')
  const saved = { mail_from_name: 'Corner Store', language: 'de', mail_api_orders: true }
  expect(settings).toMatchObject(saved)
  const original = { mail_from_name: null, language: 'en', mail_api_orders: false }
  await dashboard.ask('PATCH', '/account/settings', original)
})

test('a text is changed with a placeholder at the cursor and a live preview, and its original is restored and brought back', async () => {
  await onText(async (page) => {
    await previewOf(page).getByText('Vielen Dank für Ihre Bestellung').first().waitFor()
    await subjectOf(page).fill('Danke, !')
    await subjectOf(page).press('ArrowLeft')
    await press(page, 'Name of the customer')
    await expect.poll(() => subjectOf(page).inputValue()).toBe('Danke, {{customer_name}}!')
    await textOf(page).fill('Hallo <b>\n\n{{order_url}}')
    await page.getByText('Danke, Ada Lovelace!').waitFor()
    await previewOf(page).getByText('Hallo <b>').waitFor()
    const button = previewOf(page).getByText('Bestellung ansehen')
    const color = await button.evaluate((link) => (globalThis as Json).getComputedStyle(link).color)
    expect(color).toBe('rgb(255, 255, 255)')
    await textOf(page).focus()
    await press(page, 'Save')
    await page.getByText('The text was saved.').waitFor()
    await page.getByText('Changed by you').waitFor()
  })
  const changed = { subject: 'Danke, {{customer_name}}!', body_text: 'Hallo <b>\n\n{{order_url}}' }
  expect(await storedText()).toMatchObject({ ...changed, custom: true })

  await dashboard.on(PAGE, async (page) => {
    const row = page.getByRole('row', { name: /Order paid.*Changed by you/ })
    await row.getByRole('link', { name: 'Order paid, Deutsch' }).press('Enter')
    await page.waitForURL(`**${TEXT_PAGE}`)
    await press(page, 'Restore the original')
    const dialog = page.getByRole('dialog')
    await untilDialogHasFocus(dialog)
    await dialog.getByText('this mail in Deutsch are deleted').waitFor()
    await dialog.getByRole('button', { name: 'Restore the original' }).press('Enter')
    await untilDialogCloses(page)
    await expect.poll(() => textOf(page).inputValue()).toContain('Guten Tag')
    expect((await storedText()).custom).toBe(false)
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect.poll(() => textOf(page).inputValue()).toContain('Hallo <b>')
  })
  await restoreOriginal()
})

test('an unknown placeholder is refused next to its field, and what was typed survives a reload until it is discarded', async () => {
  const original = await storedText()
  await dashboard.on(TEXT_PAGE, async (page) => {
    await textOf(page).fill('Hallo {{client}}')
    await page.getByText('The preview returns when this is corrected:').waitFor()
    await press(page, 'Save')
    await page.locator('.field-error', { hasText: '{{client}} is not a placeholder' }).waitFor()
    expect(await textOf(page).getAttribute('aria-invalid')).toBe('true')
    await page.reload()
    await page.getByText('These changes are not saved yet.').waitFor()
    expect(await textOf(page).inputValue()).toBe('Hallo {{client}}')
    await press(page, 'Discard changes')
    await expect.poll(() => textOf(page).inputValue()).toBe(original.body_text)
    await page.getByText('These changes are not saved yet.').waitFor({ state: 'detached' })
  })
  expect(await storedText()).toEqual(original)
})

test('a text that another user changed meanwhile shows both versions, and a text in the other field is kept', async () => {
  await dashboard.on(TEXT_PAGE, async (page) => {
    await subjectOf(page).fill('Mine')
    const theirs = { subject: 'Theirs', body_text: 'Their text' }
    await dashboard.ask('PUT', '/account/mail-templates/order_paid/de', theirs)
    await press(page, 'Save')
    await page.getByRole('button', { name: 'Keep mine' }).waitFor()
    expect(await storedText()).toMatchObject(theirs)
    await press(page, 'Keep mine')
    await page.getByText('The text was saved.').waitFor()
  })
  expect(await storedText()).toMatchObject({ subject: 'Mine', body_text: 'Their text' })
  await restoreOriginal()
})

test('a test is sent to a typed address, and shown among the sent mail, which is filtered by kind', async () => {
  await dashboard.on(TEXT_PAGE, async (page) => {
    await press(page, 'Send a test')
    const dialog = page.getByRole('dialog')
    await untilDialogHasFocus(dialog)
    await dialog.getByText('60 test mails an hour').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('probe@example.com')
    await page.keyboard.press('Enter')
    await untilDialogCloses(page)
    await page.getByRole('link', { name: 'Email' }).first().press('Enter')
    await page.getByRole('link', { name: 'Sent mail' }).press('Enter')
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Order paid')
    const row = page.getByRole('row', { name: /probe@example\.com.*Stored, not sent/ })
    await row.getByRole('button', { name: 'Show mail' }).press('Enter')
    await page.frameLocator('[role=dialog] iframe').getByText('Ada Lovelace').waitFor()
    await page.getByRole('dialog').getByText('As plain text').press('Enter')
    await page.getByRole('dialog').locator('pre').getByText('Ada Lovelace').waitFor()
    await examine(page, 'a shown mail')
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Refused')
    await page.getByText('Nothing matches “Kind: Order paid” and “Status: Refused”.').waitFor()
  })
})

test('the pages of mail have no fault at any width and in both themes', async () => {
  for (const path of [PAGE, TEXT_PAGE])
    for (const { width, colorScheme } of VIEWS) {
      await dashboard.on(path, async (page) => {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        await examine(page, `${path} at ${width} in ${colorScheme}`)
      })
    }
})

test('a viewer reads the texts and their preview, and may change none', async () => {
  const viewer = await dashboard.signInAs('viewer', PASSWORD)
  const page = await viewer.newPage()
  await dashboard.goTo(page, TEXT_PAGE)
  await page.getByText('The missing permission is “Store settings: change”.').waitFor()
  await previewOf(page).getByText('Ada Lovelace').waitFor()
  for (const name of ['Save', 'Send a test', 'Restore the original'])
    expect(await page.getByRole('button', { name }).count(), name).toBe(0)
  await viewer.close()
})

test('a mail that does not exist is named as missing', async () => {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, '/settings/mail/nope/en')
  await page.getByText('This record does not exist, or it was deleted.').waitFor()
  await page.close()
})
