import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayAt, startOfDay } from '../../dashboard/src/kit/zone-days.ts'
import { DAY_MS } from '../../src/kernel/time.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { openTradepost, type Tradepost } from '../harness.ts'

// The dashboard reads a typed day as a day of the store, which begins at the same moment as in reports.

let tradepost: Tradepost
let viewer: SignedIn

beforeAll(async () => {
  tradepost = await openTradepost()
  viewer = await signedIn(tradepost, 'viewer')
})
afterAll(() => tradepost.close())

/** Clocks change at midnight in Santiago, Beirut, Cairo, Havana and the Azores, and by half an hour on Lord Howe. */
const ZONES = [
  'UTC',
  'Asia/Tokyo',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'America/Los_Angeles',
  'America/Santiago',
  'Asia/Beirut',
  'Africa/Cairo',
  'America/Havana',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
]
const FIRST_DAY_MS = Date.parse('2025-01-01')
const DAYS = Array.from({ length: 365 }, (_, n) =>
  new Date(FIRST_DAY_MS + n * DAY_MS).toISOString().slice(0, 10),
)

test.each(ZONES)(
  'a typed day in %s begins at the same moment as the day of a report',
  async (zone) => {
    const { rows } = await sql<{ day: string; begin: string }>`
      select day, start_of_day(day::date, ${zone}) as begin
        from unnest(${DAYS}::text[]) day`.execute(tradepost.db)
    expect(rows.map(({ day }) => `${day} ${startOfDay(day, zone)}`)).toEqual(
      rows.map(({ day, begin }) => `${day} ${begin}`),
    )
    for (const { day, begin } of rows) {
      const begin_ms = Date.parse(begin)
      expect([day, dayAt(begin_ms, zone)]).toEqual([day, day])
      expect(dayAt(begin_ms - 1, zone) < day).toBe(true)
    }
  },
)

test('the stores of a user have their time zones, each side its own', async () => {
  await tradepost.patch('/account/settings', { time_zone: 'Asia/Tokyo' })
  const { stores } = (await viewer.get('/me')).json
  expect(
    stores.map(({ livemode, time_zone }: { livemode: boolean; time_zone: string }) => [
      livemode,
      time_zone,
    ]),
  ).toEqual([
    [true, 'Asia/Tokyo'],
    [false, 'UTC'],
  ])
})
