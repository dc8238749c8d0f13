import { invalid, unknownId } from '../../../kernel/errors.ts'
import { RATE_DEFAULTS, type Rate, type RatePatch } from './schema.ts'

type NewRate = Omit<Rate, 'id'>

/** A rate to store, with its position in the zone. The `id` of a new rate is null. */
export type RateRow = NewRate & { id: number | null; position: number }

/** A rate of a request: the changes of the rate with this id, or all fields of a new rate. */
type RequestedRate = { field: string } & (
  | { id: number; change: Omit<RatePatch, 'id'> }
  | { id: null; rate: NewRate }
)

/** Checks the rates of a request without the stored rates, before the transaction. */
export function readRates(rates: readonly RatePatch[]): RequestedRate[] {
  const seenIds = new Set<number>()
  return rates.map(({ id, ...change }, index) => {
    const field = `rates[${index}]`
    if (id === undefined) return { field, id: null, rate: newRate(change, field) }
    if (seenIds.has(id)) throw invalid(`${field}.id`, 'Name each rate once.', { rule: 'unique' })
    seenIds.add(id)
    checkRate(change, field)
    return { field, id, change }
  })
}

function newRate(
  { name, calc_type, ...otherFields }: Omit<RatePatch, 'id'>,
  field: string,
): NewRate {
  if (name === undefined) throw invalid(`${field}.name`, 'A new rate needs a name.')
  if (calc_type === undefined) throw invalid(`${field}.calc_type`, 'A new rate needs a calc_type.')
  const rate = { ...RATE_DEFAULTS, ...otherFields, tiers: otherFields.tiers ?? [], name, calc_type }
  checkRate(rate, field)
  return rate
}

/**
 * Plans the rates of a zone. The requested list replaces the existing rates: a rate with an id is
 * changed, a rate without one is new, and all others are deleted (specification, "Shipping settings").
 * Refuses an id of another zone.
 */
export function planRates(
  existingRates: readonly Rate[],
  rates: readonly RequestedRate[],
): RateRow[] {
  const existingById = new Map(existingRates.map((rate) => [rate.id, rate]))
  return rates.map((item, position) => {
    if (item.id === null) return { ...item.rate, id: null, position }
    const before = existingById.get(item.id)
    if (!before)
      throw unknownId(
        `${item.field}.id`,
        item.id,
        'This zone has no rate',
        'Leave the id out to create one.',
      )
    const after = { ...before, ...item.change }
    checkRate(after, item.field)
    return { ...after, position }
  })
}

/** Refuses a rate, or the changed fields of a rate, if its fields contradict each other. */
function checkRate(rate: Partial<NewRate>, field: string) {
  const { calc_type, tiers, min_days, max_days } = rate
  if (tiers) checkTiers(tiers, field)
  if (calc_type !== undefined && calc_type !== 'flat' && tiers?.length === 0) {
    throw invalid(`${field}.tiers`, `A rate by ${calc_type} needs at least one tier.`, {
      rule: 'min_items',
      limit: 1,
    })
  }
  if (min_days != null && max_days != null && min_days > max_days) {
    throw invalid(`${field}.max_days`, `Use min_days (${min_days}) or more, or null.`, {
      rule: 'at_least',
      limit: min_days,
    })
  }
}

/**
 * Checks that tiers rise and do not overlap, except at a shared bound. Gaps between tiers are allowed:
 * the rate is not offered there.
 */
export function checkTiers(tiers: Rate['tiers'], field: string): void {
  for (const [index, { min }] of tiers.entries()) {
    const previousTier = tiers[index - 1]
    if (!previousTier) continue
    if (previousTier.max === null) {
      throw invalid(
        `${field}.tiers[${index - 1}].max`,
        'Only the last tier may have no maximum. Use a number.',
      )
    }
    if (min < previousTier.max) {
      throw invalid(
        `${field}.tiers[${index}].min`,
        `Use ${previousTier.max} or more: the tier before ends there.`,
        { rule: 'at_least', limit: previousTier.max },
      )
    }
    if (min === previousTier.min) {
      throw invalid(
        `${field}.tiers[${index}].min`,
        `Use more than ${min}: the tier before begins there.`,
        { rule: 'more_than', limit: min },
      )
    }
  }
}
