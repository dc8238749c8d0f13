import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Management } from '../../sdk/client-security/management/index.ts'
import { type OpenedDashboard, openDashboard, tabTo } from './dashboard-harness.ts'

let dashboard: OpenedDashboard
let management: Management
let paths: string[]
let settingId: number
let fileId: number

beforeAll(async () => {
  dashboard = await openDashboard()
  management = dashboard.management
  // With a second app, lists show the app of each record.
  await management.apps.create({ name: 'Photo editor' })
  const { serverside_string: string } = await management.serversideStrings.create({
    name: 'endpoint',
    value: 'https://game.example.com/v2\n',
    description: 'The lobby.',
  })
  const { serverside_file: file } = await management.serversideFiles.create({
    name: 'level-1.bin',
    file: new Blob(['level']),
    access: 'session',
  })
  fileId = file.id
  const { remote_setting: setting } = await management.remoteSettings.create({
    key: 'lobby',
    type: 'json',
    value: { players: 64, maps: ['harbour', 'forest'] },
  })
  settingId = setting.id
  await management.remoteSettings.update(settingId, {
    value: { players: 32, maps: ['harbour', 'forest'] },
  })
  paths = [
    '/strings',
    `/strings/${string.id}`,
    '/files',
    `/files/${fileId}`,
    '/remote-settings',
    `/remote-settings/${settingId}`,
    `/remote-settings/${settingId}?from=2&to=2`,
    '/rehearsal',
  ]
})
afterAll(() => dashboard?.close())

const ALL_STEPS_PASSED = 'All 15 steps ended as expected.'

/** Runs the rehearsal and shows every request and answer. */
async function runRehearsal(page: Page) {
  await page.getByRole('button', { name: 'Start the rehearsal' }).click()
  await page.getByText(ALL_STEPS_PASSED).waitFor()
  for (const summary of await page.locator('main summary').all()) await summary.click()
}

test('the pages have no axe violations in either theme and do not scroll sideways', () =>
  dashboard.examine(paths))

test('the rehearsal has no axe violations in either theme and does not scroll sideways after it ran', () =>
  dashboard.examine(['/rehearsal'], runRehearsal))

describe('with the keyboard only', () => {
  test('a string is created and switched off', async () => {
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, '/strings')
    await tabTo(page, 'Create string')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'Name')
    await page.keyboard.type('no spaces please')
    await tabTo(page, 'Value')
    await page.keyboard.type('  kept as typed  ')
    await tabTo(page, 'Create string')
    await page.keyboard.press('Enter')
    // The error is shown under its field, which has the focus.
    await page.locator('.field-error').waitFor()
    await page.locator('input[name=name]:focus').waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('greeting')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'greeting' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await tabTo(page, 'greeting')
    await page.keyboard.press('Enter')
    await page.locator('.stamp', { hasText: 'On' }).waitFor()
    await tabTo(page, 'Turn off')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'Turn off')
    await page.keyboard.press('Enter')
    await page.locator('.stamp', { hasText: 'Off' }).waitFor()
    const [listed] = (await management.serversideStrings.list()).serverside_strings
    const { serverside_string } = await management.serversideStrings.get(listed?.id ?? 0)
    expect(serverside_string).toMatchObject({
      name: 'greeting',
      value: '  kept as typed  ',
      status: 'inactive',
    })
    await page.close()
  })

  test('two versions of a setting are compared, and the setting is rolled back', async () => {
    const page = await dashboard.context.newPage()
    await dashboard.goTo(page, `/remote-settings/${settingId}`)
    await tabTo(page, 'Show the value')
    await page.keyboard.press('Enter')
    await page.locator('.diff').waitFor()
    const changes = await page.locator('.diff :is(.removed, .added)').allTextContents()
    expect(changes).toEqual(['−Removed:     "players": 64,', '+Added:     "players": 32,'])
    await tabTo(page, 'Roll back to version 1')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'Roll back to version 1')
    await page.keyboard.press('Enter')
    await page.getByText('3 (current)').waitFor()
    const { remote_setting } = await management.remoteSettings.get(settingId)
    expect(remote_setting).toMatchObject({ version: 3, value: { players: 64 } })
    await page.close()
  })

  test('the rehearsal runs, and leaves no key and no string', async () => {
    const page = await dashboard.context.newPage()
    const countsBefore = await countRecords()
    await dashboard.goTo(page, '/rehearsal')
    await tabTo(page, 'Start the rehearsal')
    await page.keyboard.press('Enter')
    await page.getByText(ALL_STEPS_PASSED).waitFor()
    for (const result of ['DEVICE_LIMIT_REACHED', 'BANNED', 'UnknownError', 'UntrustedError']) {
      await page.locator('dd', { hasText: result }).first().waitFor()
    }
    expect(await countRecords()).toEqual(countsBefore)
    await page.close()
  })
})

async function countRecords() {
  const { keys } = await management.licenseKeys.list()
  const { serverside_strings } = await management.serversideStrings.list()
  return { keys: keys.length, strings: serverside_strings.length }
}

test('a file is replaced, and its new bytes are downloaded', async () => {
  const page = await dashboard.context.newPage()
  await dashboard.goTo(page, `/files/${fileId}`)
  await page.getByRole('button', { name: 'Replace file' }).click()
  const dialog = page.getByRole('dialog')
  const buffer = Buffer.from('level two')
  await dialog
    .getByLabel('File')
    .setInputFiles({ name: 'two.bin', mimeType: 'application/octet-stream', buffer })
  await dialog.getByRole('button', { name: 'Replace file' }).click()
  await dialog.waitFor({ state: 'detached' })
  const response = await management.serversideFiles.download(fileId)
  expect(await response.text()).toBe('level two')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ])
  expect(await download.failure()).toBeNull()
  await page.close()
})

test('a string is deleted after its name is typed', async () => {
  const page = await dashboard.context.newPage()
  const { serverside_string: string } = await management.serversideStrings.create({
    name: 'old',
    value: 'x',
  })
  await dashboard.goTo(page, `/strings/${string.id}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  const submit = page.getByRole('dialog').getByRole('button', { name: 'Delete string' })
  expect(await submit.isDisabled()).toBe(true)
  await page.getByLabel(/Type .old. to confirm/).fill('old')
  await submit.click()
  await page.getByRole('heading', { name: 'Strings' }).waitFor()
  await expect(management.serversideStrings.get(string.id)).rejects.toMatchObject({ status: 404 })
  await page.close()
})

test('the form of a setting refuses a value outside the limits of the setting, and keeps these limits', async () => {
  const page = await dashboard.context.newPage()
  const constraints = { enum: ['easy', 'hard'] }
  const { remote_setting: setting } = await management.remoteSettings.create({
    key: 'mode',
    type: 'string',
    value: 'easy',
    constraints,
  })
  await dashboard.goTo(page, `/remote-settings/${setting.id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Limits of the value').inputValue()).toBe(
    JSON.stringify(constraints),
  )
  await dialog.getByLabel('Value', { exact: true }).fill('insane')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.locator('.field-error').waitFor()
  await dialog.getByLabel('Value', { exact: true }).fill('hard')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { remote_setting } = await management.remoteSettings.get(setting.id)
  expect(remote_setting).toMatchObject({ value: 'hard', constraints, version: 2 })
  await page.close()
})

test('the value of a string is shown on request, and an edit of its note or a roll-back keeps the real value (decision 174)', async () => {
  const page = await dashboard.context.newPage()
  const { serverside_string: string } = await management.serversideStrings.create({
    name: 'address',
    value: 'wss://old.example.com',
  })
  const content = { name: 'address', value: 'wss://new.example.com' }
  await management.serversideStrings.replace(string.id, content)
  const storedValue = async () =>
    (await management.serversideStrings.get(string.id)).serverside_string.value
  await dashboard.goTo(page, `/strings/${string.id}`)
  const shownValue = page.getByRole('region', { name: 'Value' })
  await shownValue.getByText('••••').waitFor()
  expect(await page.getByText('example.com').count()).toBe(0)
  await page.getByRole('button', { name: 'Show the value' }).click()
  await shownValue.getByText(content.value).waitFor()
  await page.getByRole('button', { name: 'Hide the value' }).click()
  await shownValue.getByText('••••').waitFor()
  expect(await page.getByText('example.com').count()).toBe(0)
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('textbox', { name: /^Value/ }).inputValue()).toBe(content.value)
  await dialog.getByLabel('Note for your team').fill('Checked.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await storedValue()).toBe(content.value)
  await page.getByRole('button', { name: 'Roll back to version 1' }).click()
  await dialog.getByRole('button', { name: 'Roll back to version 1' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await storedValue()).toBe('wss://old.example.com')
  await page.close()
})
