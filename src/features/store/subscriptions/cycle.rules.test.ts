import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, iso } from '../../../kernel/time.ts'
import { cyclesAfter } from './cycle.rules.ts'
import { CYCLES } from './schema.ts'

const moment = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => iso(date.getTime()))
const lastDayOf = (at: Date) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()

test('a month that is too short ends on its last day, and the day comes back after it', () => {
  const ends = [1, 2, 3, 13, 37].map((count) =>
    cyclesAfter('2027-01-31T10:30:00.250Z', 'monthly', count),
  )
  expect(ends).toEqual([
    '2027-02-28T10:30:00.250Z',
    '2027-03-31T10:30:00.250Z',
    '2027-04-30T10:30:00.250Z',
    '2028-02-29T10:30:00.250Z',
    '2030-02-28T10:30:00.250Z',
  ])
  expect(cyclesAfter('2028-02-29T00:00:00.000Z', 'yearly', 1)).toBe('2029-02-28T00:00:00.000Z')
  expect(cyclesAfter('2028-02-29T00:00:00.000Z', 'yearly', 4)).toBe('2032-02-29T00:00:00.000Z')
  expect(cyclesAfter('2027-11-30T00:00:00.000Z', 'quarterly', 1)).toBe('2028-02-29T00:00:00.000Z')
})

test('over ten years a month keeps the day and the time of its anchor, or its own last day', () => {
  fc.assert(
    fc.property(moment, (anchor) => {
      const from = new Date(anchor)
      for (let count = 1; count <= 120; count++) {
        const at = new Date(cyclesAfter(anchor, 'monthly', count))
        const months = (at.getUTCFullYear() - from.getUTCFullYear()) * 12
        expect(months + at.getUTCMonth() - from.getUTCMonth()).toBe(count)
        expect(at.getUTCDate()).toBe(Math.min(from.getUTCDate(), lastDayOf(at)))
        expect(at.getTime() % DAY_MS).toBe(from.getTime() % DAY_MS)
      }
    }),
  )
})

test('each cycle ends after the one before it, and a quarter or a year is so many months', () => {
  fc.assert(
    fc.property(moment, fc.constantFrom(...CYCLES), fc.nat(119), (anchor, cycle, count) => {
      expect(cyclesAfter(anchor, cycle, count + 1) > cyclesAfter(anchor, cycle, count)).toBe(true)
      const quarter = cyclesAfter(anchor, 'quarterly', count)
      expect(quarter).toBe(cyclesAfter(anchor, 'monthly', 3 * count))
      expect(cyclesAfter(anchor, 'yearly', count)).toBe(cyclesAfter(anchor, 'monthly', 12 * count))
    }),
  )
})
