import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Json } from '../harness.ts'
import {
  type OpenedDashboard,
  openDashboard,
  press,
  untilDialogCloses,
  WAIT_MS,
} from './dashboard-harness.ts'

/** Rates and locations with the keyboard: edits of two users at once, and deletes that are undone. */

let dashboard: OpenedDashboard
let ask: OpenedDashboard['ask']
let zoneId: number

beforeAll(async () => {
  dashboard = await openDashboard()
  ask = dashboard.ask
})
afterAll(() => dashboard?.close())

const BANDS = [
  { min: 0, max: 1_000, price_cents: 400 },
  { min: 1_000, max: null, price_cents: 900 },
]

beforeEach(async () => {
  const { zone } = await ask('POST', '/shipping/zones', {
    name: 'Alps',
    countries: ['AT', 'CH'],
    rates: [
      { name: 'Letter', calc_type: 'flat', price_cents: 490 },
      { name: 'Parcel', calc_type: 'weight', tiers: BANDS },
      { name: 'Express', calc_type: 'flat', price_cents: 1_990 },
    ],
  })
  zoneId = zone.id
})

const readRates = async (): Promise<Json[]> =>
  (await ask('GET', `/shipping/zones/${zoneId}`)).zone.rates
const rateNamed = async (name: string): Promise<Json> =>
  (await readRates()).find((rate) => rate.name === name) as Json

/** Changes one rate, as another user does. The other rates of the zone stay. */
async function changeRate(id: number, change: Json) {
  const rates = (await readRates()).map((rate) =>
    rate.id === id ? { id, ...change } : { id: rate.id },
  )
  await ask('PATCH', `/shipping/zones/${zoneId}`, { rates })
}

const onZone = (work: (page: Page) => Promise<void>) =>
  dashboard.on(`/settings/shipping/zones/${zoneId}`, work)
const dialogOf = (page: Page) => page.getByRole('dialog')

async function openRow(page: Page, row: string, button: string) {
  const scope = page.getByRole('table', { name: 'Rates' }).locator('tr', { hasText: row })
  await scope.getByRole('button', { name: button, exact: true }).press('Enter')
  await dialogOf(page).waitFor()
}

const pressSave = (page: Page) =>
  dialogOf(page).getByRole('button', { name: 'Save rate' }).press('Enter')
const priceOfBand = (page: Page, n: number) =>
  dialogOf(page).getByLabel(new RegExp(`^Price \\(USD\\).*band ${n}`))

describe('a rate that another user changed while its form is open', () => {
  test('shows both prices, and keeps the chosen one', () =>
    onZone(async (page) => {
      const { id } = await rateNamed('Letter')
      await openRow(page, 'Letter', 'Edit')
      await dialogOf(page).getByLabel('Price (required)', { exact: true }).fill('5.50')
      await dialogOf(page).getByText('Example: a parcel to Austria: $5.50.').waitFor()
      await changeRate(id, { price_cents: 620 })
      await pressSave(page)
      await dialogOf(page)
        .getByText(/^A program with the API key “.+” changed this/)
        .waitFor()
      await dialogOf(page).getByRole('row', { name: 'Price $5.50 $6.20' }).waitFor()
      expect((await rateNamed('Letter')).price_cents).toBe(620)
      await press(page, 'Keep mine')
      await untilDialogCloses(page)
      expect((await rateNamed('Letter')).price_cents).toBe(550)
    }))

  test('shows both lists of price bands, and can take those of the other user', () =>
    onZone(async (page) => {
      const { id } = await rateNamed('Parcel')
      await openRow(page, 'Parcel', 'Edit')
      await priceOfBand(page, 2).fill('9.50')
      const theirs = [{ ...BANDS[0], price_cents: 450 }, BANDS[1]]
      await changeRate(id, { tiers: theirs })
      await pressSave(page)
      const row = dialogOf(page).getByRole('row', { name: /^Price bands/ })
      await row.waitFor()
      expect(await row.locator('td').allTextContents()).toEqual([
        'Price bands',
        'Weight: $4.00 for 0 kg to 1 kg, $9.50 from 1 kg',
        'Weight: $4.50 for 0 kg to 1 kg, $9.00 from 1 kg',
      ])
      await press(page, 'Take theirs')
      await untilDialogCloses(page)
      expect((await rateNamed('Parcel')).tiers).toEqual(theirs)
      await page.getByText('$4.50 for 0 kg to 1 kg').first().waitFor()
    }))

  test('keeps its own bands on request if the other user set bands of another unit', () =>
    onZone(async (page) => {
      const { id } = await rateNamed('Parcel')
      await openRow(page, 'Parcel', 'Edit')
      await priceOfBand(page, 1).fill('4.10')
      const items = [{ min: 0, max: null, price_cents: 700 }]
      await changeRate(id, { calc_type: 'item_count', tiers: items })
      await pressSave(page)
      await dialogOf(page)
        .getByRole('row', { name: /Number of items: \$7\.00 from 0/ })
        .waitFor()
      await press(page, 'Keep mine')
      await untilDialogCloses(page)
      expect(await rateNamed('Parcel')).toMatchObject({
        calc_type: 'weight',
        tiers: [{ ...BANDS[0], price_cents: 410 }, BANDS[1]],
      })
    }))

  test('keeps the change of the other user in another field, and all other rates', () =>
    onZone(async (page) => {
      const { id } = await rateNamed('Parcel')
      await openRow(page, 'Parcel', 'Edit')
      await dialogOf(page).getByLabel('Name (required)').fill('Box')
      await changeRate(id, { tiers: [{ min: 0, max: null, price_cents: 700 }] })
      await pressSave(page)
      await untilDialogCloses(page)
      expect(await rateNamed('Box')).toMatchObject({
        calc_type: 'weight',
        tiers: [{ min: 0, max: null, price_cents: 700 }],
      })
      expect((await readRates()).map(({ name }) => name)).toEqual(['Letter', 'Box', 'Express'])
    }))

  test('shows a message in the form if it was deleted', () =>
    onZone(async (page) => {
      const { id } = await rateNamed('Express')
      await openRow(page, 'Express', 'Edit')
      await dialogOf(page).getByLabel('Price (required)', { exact: true }).fill('20')
      const rates = (await readRates())
        .filter((rate) => rate.id !== id)
        .map((rate) => ({ id: rate.id }))
      await ask('PATCH', `/shipping/zones/${zoneId}`, { rates })
      await pressSave(page)
      await dialogOf(page).getByText('Another user deleted the rate “Express” meanwhile.').waitFor()
      await press(page, 'Cancel')
      await untilDialogCloses(page)
      await page.getByRole('cell', { name: 'Express', exact: true }).waitFor({ state: 'detached' })
    }))
})

test('a refused price band is named in the form, with a link to the bands', () =>
  onZone(async (page) => {
    await openRow(page, 'Parcel', 'Edit')
    await dialogOf(page)
      .getByLabel(/^To \(kg\).*band 1/)
      .fill('99999999999')
    await pressSave(page)
    await dialogOf(page).getByText('Check these fields:').waitFor()
    const link = dialogOf(page)
      .getByRole('alert')
      .getByRole('link', { name: 'Price bands' })
      .first()
    await link.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('tiers')
  }))

test('a refused country of a region is named as the field of the regions', () =>
  dashboard.on('/settings/shipping', async (page) => {
    await press(page, 'Add zone')
    await dialogOf(page).getByLabel('Name (required)').fill('Valleys')
    await dialogOf(page).getByLabel('Countries').first().fill('CH')
    await dialogOf(page).getByLabel('Only these regions').fill('XXXX: Bern')
    await dialogOf(page).locator('[type=submit]').press('Enter')
    const link = dialogOf(page).getByRole('alert').getByRole('link')
    await link.first().waitFor()
    expect(await link.allTextContents()).toEqual(['Only these regions'])
  }))

test('a new rate with price bands by the number of items is added', () =>
  onZone(async (page) => {
    await press(page, 'Add rate')
    await dialogOf(page).getByLabel('Name (required)').fill('Crate')
    await dialogOf(page).getByLabel('Price by').selectOption('item_count')
    await dialogOf(page)
      .getByLabel(/^To \(items\).*band 1/)
      .fill('2')
    await dialogOf(page).getByText('Example: no price band for 3 items to Austria').waitFor()
    await dialogOf(page)
      .getByLabel(/^To \(items\).*band 1/)
      .fill('')
    await priceOfBand(page, 1).fill('7')
    await dialogOf(page).getByText('Example: 3 items to Austria: $7.00.').waitFor()
    await pressSave(page)
    await untilDialogCloses(page)
    expect(await rateNamed('Crate')).toMatchObject({
      calc_type: 'item_count',
      tiers: [{ min: 0, max: null, price_cents: 700 }],
    })
  }))

/** Confirms the deletion in the open dialog, presses “Undo”, and expects the same state as before. */
async function confirmDeletionAndUndo(page: Page, readState: () => Promise<unknown>) {
  const before = await readState()
  await dialogOf(page).locator('button[type=submit]').press('Enter')
  const undo = page.getByRole('status').getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  expect(await readState()).not.toEqual(before)
  await undo.press('Enter')
  await undo.waitFor({ state: 'detached' })
  await vi.waitFor(async () => expect(await readState()).toEqual(before), WAIT_MS)
}

describe('“Undo” creates a deleted record again', () => {
  const withoutId = ({ id: _, created_at: __, updated_at: ___, ...rest }: Json) => rest

  test.each(['Letter', 'Parcel'])(
    'if it is the rate %s, with its prices and at its position',
    (name) =>
      onZone(async (page) => {
        await openRow(page, name, 'Delete')
        await confirmDeletionAndUndo(page, async () => (await readRates()).map(withoutId))
      }),
  )

  test('if it is a location, with its address', async () => {
    await ask('POST', '/shipping/locations', {
      ...{ name: 'Depot', line1: 'Hafenstr. 1', line2: 'Tor 3', city: 'Hamburg', country: 'DE' },
      ...{ postal_code: '20457', phone: '+49 40 1' },
    })
    await dashboard.on('/settings/shipping/locations', async (page) => {
      const row = page.locator('tr', { hasText: 'Depot' })
      await row.getByRole('button', { name: 'Delete' }).press('Enter')
      await confirmDeletionAndUndo(page, async () =>
        (await ask('GET', '/shipping/locations')).locations.map(withoutId),
      )
    })
  })

  test('if it is a ban of addresses, with its reason', async () => {
    const { management } = dashboard
    const { apps } = await management.apps.list()
    const appId = apps[0]?.id ?? (await management.apps.create({ name: 'Game' })).app.id
    await management.deviceBans.create({
      ...{ app_id: appId, ip_cidr: '203.0.113.0/24', reason: 'Fraud' },
    })
    await dashboard.on('/device-bans', async (page) => {
      const row = page.locator('tr', { hasText: '203.0.113.0/24' })
      await row.getByRole('button', { name: 'Lift' }).press('Enter')
      await confirmDeletionAndUndo(page, async () =>
        (await management.deviceBans.list()).device_bans.map((ban) => withoutId(ban)),
      )
    })
  })
})
