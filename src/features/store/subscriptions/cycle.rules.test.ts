import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, iso } from '../../../kernel/time.ts'
import { cyclesAfter } from './cycle.rules.ts'
import { CYCLES } from './schema.ts'

const moment = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => iso(date.getTime()))
const lastDayOfMonth = (date: Date) =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()

test('a period ends on the last day of a shorter month, and returns to its day afterwards', () => {
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

test('over ten years each period ends on the day and time of its anchor, or on the last day of the month', () => {
  fc.assert(
    fc.property(moment, (anchor) => {
      const start = new Date(anchor)
      for (let count = 1; count <= 120; count++) {
        const end = new Date(cyclesAfter(anchor, 'monthly', count))
        const months = (end.getUTCFullYear() - start.getUTCFullYear()) * 12
        expect(months + end.getUTCMonth() - start.getUTCMonth()).toBe(count)
        expect(end.getUTCDate()).toBe(Math.min(start.getUTCDate(), lastDayOfMonth(end)))
        expect(end.getTime() % DAY_MS).toBe(start.getTime() % DAY_MS)
      }
    }),
  )
})

test('each period ends after the previous one, and a quarter is three months and a year twelve', () => {
  fc.assert(
    fc.property(moment, fc.constantFrom(...CYCLES), fc.nat(119), (anchor, cycle, count) => {
      expect(cyclesAfter(anchor, cycle, count + 1) > cyclesAfter(anchor, cycle, count)).toBe(true)
      const quarter = cyclesAfter(anchor, 'quarterly', count)
      expect(quarter).toBe(cyclesAfter(anchor, 'monthly', 3 * count))
      expect(cyclesAfter(anchor, 'yearly', count)).toBe(cyclesAfter(anchor, 'monthly', 12 * count))
    }),
  )
})
