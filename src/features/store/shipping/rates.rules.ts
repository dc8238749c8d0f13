import { invalid } from '../../../kernel/errors.ts'
import type { Rate, RatePatch } from './schema.ts'

type NewRate = Omit<Rate, 'id'>

/** A rate to be written: with its position in the list, and with an id unless it is new. */
export type PlacedRate = NewRate & { id: number | null; position: number }

/** A rate of a request: the changes of the rate with this id, or all fields of a new rate. */
type SentRate = { field: string } & (
  | { id: number; change: Omit<RatePatch, 'id'> }
  | { id: null; rate: NewRate }
)

/** The values of a new rate that the request leaves out. */
const DEFAULTS = {
  description: null,
  carrier_code: 'custom',
  price_cents: 0,
  tiers: [],
  volumetric_divisor: null,
  free_over_cents: null,
  min_days: null,
  max_days: null,
  active: true,
} as const satisfies RatePatch

/** Reads a sent list alone. A contradiction within the list is found without the stored rates. */
export function readRates(rates: readonly RatePatch[]): SentRate[] {
  const seen = new Set<number>()
  return rates.map(({ id, ...change }, at) => {
    const field = `rates[${at}]`
    if (id === undefined) return { field, id: null, rate: asNew(change, field) }
    if (seen.has(id)) throw invalid(`${field}.id`, 'Name each rate once.')
    seen.add(id)
    checkRate(change, field)
    return { field, id, change }
  })
}

function asNew({ name, calc_type, ...rest }: Omit<RatePatch, 'id'>, field: string): NewRate {
  if (name === undefined) throw invalid(`${field}.name`, 'A new rate needs a name.')
  if (calc_type === undefined) throw invalid(`${field}.calc_type`, 'A new rate needs a calc_type.')
  const rate = { ...DEFAULTS, ...rest, tiers: rest.tiers ?? [], name, calc_type }
  checkRate(rate, field)
  return rate
}

/**
 * Plans the rates of a zone. A sent list replaces the existing one: a rate with an id is changed,
 * one without is new, and all others are deleted (specification, "Shipping settings"). An id of
 * another zone is refused.
 */
export function planRates(existing: readonly Rate[], rates: readonly SentRate[]): PlacedRate[] {
  const known = new Map(existing.map((rate) => [rate.id, rate]))
  return rates.map((item, position) => {
    if (item.id === null) return { ...item.rate, id: null, position }
    const before = known.get(item.id)
    if (!before) throw invalid(`${item.field}.id`, 'This zone has no rate with this id.')
    const after = { ...before, ...item.change }
    checkRate(after, item.field)
    return { ...after, position }
  })
}

/** Refuses a rate, or the sent part of a rate, that contradicts itself. */
function checkRate(rate: Partial<NewRate>, field: string) {
  const { calc_type, tiers, min_days, max_days } = rate
  if (tiers) checkTiers(tiers, field)
  if (calc_type !== undefined && calc_type !== 'flat' && tiers?.length === 0) {
    throw invalid(`${field}.tiers`, `A rate by ${calc_type} needs at least one tier.`)
  }
  if (min_days != null && max_days != null && min_days > max_days) {
    throw invalid(`${field}.max_days`, 'Use min_days or more, or null.')
  }
}

/**
 * Checks that tiers rise and share no more than an edge. Gaps between tiers are allowed: there the
 * rate is not offered.
 */
export function checkTiers(tiers: Rate['tiers'], field: string): void {
  for (const [at, { min }] of tiers.entries()) {
    const before = tiers[at - 1]
    if (!before) continue
    if (before.max === null) {
      throw invalid(
        `${field}.tiers[${at - 1}].max`,
        'Only the last tier may be open; use a number.',
      )
    }
    if (min < before.max || min === before.min) {
      throw invalid(`${field}.tiers[${at}].min`, `Begin at ${before.max} or above, past the last.`)
    }
  }
}
