import type { Page, Request } from 'playwright-core'
import type { Json } from '../harness.ts'
import { type OpenedDashboard, press, tabTo } from './dashboard-harness.ts'

/** Changes of the dashboard that wait for the server, and what the page shows about them. */

/** The pattern of the URLs that pages of the dashboard call. */
export const CALL_URLS = '**/dashboard/api/**'

/** The line at the top that reports a lost connection and the changes that wait for it. */
export const connectionNotice = (page: Page) => page.locator('.notice-bar')

/** Opens the form that bans addresses, and submits it. */
export async function banAddresses(page: Page, addresses: string) {
  await press(page, 'Ban addresses')
  await page.getByRole('dialog').waitFor()
  await tabTo(page, 'Address or range')
  await page.keyboard.type(addresses)
  await tabTo(page, 'Reason')
  await page.keyboard.type('A farm of keys.')
  await page.keyboard.press('Enter')
}

export const bansOf = async (
  { management }: OpenedDashboard,
  addresses: string,
): Promise<Json[]> => {
  const { device_bans } = await management.deviceBans.list()
  return device_bans.filter(({ ip_cidr }: Json) => ip_cidr === `${addresses}/32`)
}

/** Returns a list that gets the idempotency key of each change that the page sends from now on. */
export function collectIdempotencyKeys(page: Page): string[] {
  const keys: string[] = []
  page.on('request', (request: Request) => {
    const key = request.headers()['idempotency-key']
    if (request.method() !== 'GET' && key) keys.push(key)
  })
  return keys
}

/** Fills in the form that creates a server-side string, and submits it. Its value is a secret. */
export async function createString(page: Page, name: string) {
  await press(page, 'Create string')
  await page.getByRole('dialog').waitFor()
  await tabTo(page, 'Name')
  await page.keyboard.type(name)
  await tabTo(page, 'Value')
  await page.keyboard.type('a word that nobody may read')
  await press(page, 'Create string')
}
