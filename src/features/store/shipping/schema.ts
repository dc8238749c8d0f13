import { z } from 'zod'
import { list, map } from '../../../kernel/bounded.ts'
import { type BrokenRule, withRule } from '../../../kernel/broken-rule.ts'
import { COUNTRIES } from '../../../kernel/countries.ts'
import {
  Cents,
  Country,
  Line,
  NO_COUNTRY,
  optionalFields,
  PageQuery,
  Text,
} from '../../../kernel/shapes.ts'
import { SortedIds } from '../../../kernel/sorted-ids.ts'

export const ZONES_MAX = 250
const RATES_MAX = 100
const TIERS_MAX = 50
const REGIONS_MAX = 300

/** The entry in `countries` for all countries without a zone of their own. */
export const REST_OF_WORLD = '*'
const CALC_TYPES = ['flat', 'weight', 'volumetric', 'order_total', 'item_count'] as const

const COUNTRY_OR_REST_ERROR =
  'Use two capital letters of ISO 3166-1, such as DE, or * for the rest of the world.'

const CountryOrRest = z
  .string()
  .regex(/^([A-Z]{2}|\*)$/, { error: COUNTRY_OR_REST_ERROR, abort: true })
  .refine((code) => code === REST_OF_WORLD || COUNTRIES.has(code), NO_COUNTRY)

/** A state or province. */
export const Region = Line(128)

const areDistinct = (texts: readonly string[]) => new Set(texts).size === texts.length

/** Larger than any total of an order, and exact as a JavaScript number. */
const BOUND_MAX = 999_999_999_999_999
const Bound = z.number().min(0, 'Use 0 or more.').max(BOUND_MAX, `Use at most ${BOUND_MAX}.`)

const TierFields = {
  min: Bound.describe('The lower bound, which is included, in grams, minor units or units.'),
  max: Bound.nullable().describe('The upper bound, which is included; null for no bound.'),
  price_cents: Cents.describe('The price of shipping within these bounds, in minor units.'),
}
export const Tier = z
  .object(TierFields)
  .meta({ id: 'ShippingTier', description: 'A price band of a rate that is not flat.' })
export type Tier = z.output<typeof Tier>

const RequestedTier = z
  .strictObject(TierFields)
  .superRefine(({ min, max }, check) => {
    if (max === null || max >= min) return
    const message = `Use min (${min}) or more, or null.`
    const params: BrokenRule = { rule: 'at_least', limit: min }
    check.addIssue({ code: 'custom', path: ['max'], message, params })
  })
  .meta({ id: 'SentShippingTier' })

const DIVISOR_MAX = 1_000_000
const DAYS_MAX = 365
const Days = z.int().min(0, 'Use 0 or more.').max(DAYS_MAX, `Use at most ${DAYS_MAX}.`)

const RateFields = {
  name: Line(128).describe('The name that the customer sees, 1 to 128 characters.'),
  description: Text(500)
    .min(1, 'Write at least one character, or null.')
    .nullable()
    .describe('Further information for the customer.'),
  carrier_code: Line(64).describe('The code of the carrier.'),
  calc_type: z
    .enum(CALC_TYPES)
    .describe(
      'The way in which the price is computed. A `flat` rate costs `price_cents`. Every other rate costs the price of the tier that contains the weight, the volume, the order total or the number of units.',
    ),
  price_cents: Cents.describe('The price of a flat rate, in minor units.'),
  tiers: list(RequestedTier, {
    max: TIERS_MAX,
    error: `Send at most ${TIERS_MAX} tiers.`,
  }).describe('The price bands in ascending order. Required unless the rate is flat.'),
  volumetric_divisor: z
    .int()
    .min(1, 'Use 1 or more.')
    .max(DIVISOR_MAX, `Use at most ${DIVISOR_MAX}.`)
    .nullable()
    .describe('The number of cubic centimetres that count as a kilogram; null means 5000.'),
  free_over_cents: Cents.nullable().describe(
    'The subtotal after discounts from which shipping is free, in minor units; null if it is never free.',
  ),
  min_days: Days.nullable().describe('The shortest delivery time in days.'),
  max_days: Days.nullable().describe('The longest delivery time in days.'),
  active: z.boolean().describe('True if the rate is offered.'),
}

export const Rate = z
  .object({
    id: z.int().describe('The id of the rate.'),
    ...RateFields,
    tiers: z.array(Tier).describe('The price bands in ascending order.'),
  })
  .meta({ id: 'ShippingRate', description: 'A price for shipping into a zone.' })
export type Rate = z.output<typeof Rate>

/** The values of a new rate for fields that the request does not have. */
export const RATE_DEFAULTS = {
  description: null,
  carrier_code: 'custom',
  price_cents: 0,
  tiers: [],
  volumetric_divisor: null,
  free_over_cents: null,
  min_days: null,
  max_days: null,
  active: true,
} as const

const NewRate = z
  .strictObject({
    ...optionalFields(RateFields, RATE_DEFAULTS),
    name: RateFields.name,
    calc_type: RateFields.calc_type,
  })
  .meta({ id: 'ShippingRateInput' })

/** With an `id` it changes that rate. Without one the rate is new, and needs `name` and `calc_type`. */
export const RatePatch = z
  .strictObject({
    id: z
      .int()
      .min(1, 'Use the id of a rate.')
      .describe('The id of a rate of this zone. Default: none; the rate is new.'),
    ...RateFields,
  })
  .partial()
  .meta({
    id: 'ShippingRatePatch',
    description:
      'A rate of a changed zone. If it has an `id`, fields that are left out keep their value; otherwise the rate is new, and they have the defaults of a new rate.',
  })
export type RatePatch = z.output<typeof RatePatch>

const Regions = list(Region, {
  max: REGIONS_MAX,
  error: `Name at most ${REGIONS_MAX} regions of a country.`,
})
  .min(1, 'Name at least one region, or leave the country out for all of them.')
  .refine(areDistinct, withRule('Name each region once.', { rule: 'unique' }))
  .meta({ uniqueItems: true })

const ZoneFields = {
  name: Line(128).describe('The name, 1 to 128 characters.'),
  countries: list(CountryOrRest, {
    max: COUNTRIES.size + 1,
    error: `Name at most ${COUNTRIES.size + 1}.`,
  })
    .min(1, 'Name at least one country, or * for the rest of the world.')
    .refine(areDistinct, withRule('Name each country once.', { rule: 'unique' }))
    .meta({ uniqueItems: true })
    .describe('The countries as ISO 3166-1 alpha-2 codes, or `*` for the rest of the world.'),
  regions: map(Country, Regions, { max: COUNTRIES.size, keyError: NO_COUNTRY }).describe(
    'The regions by country. A country of the zone without an entry is included with all its regions.',
  ),
  active: z.boolean().describe('True if the zone is used.'),
}

export const Zone = z
  .object({
    id: z.int().describe('The id of the zone.'),
    name: ZoneFields.name,
    countries: z
      .array(z.string())
      .describe('The countries as ISO 3166-1 alpha-2 codes, or `*` for the rest of the world.'),
    regions: z
      .record(z.string(), z.array(z.string()))
      .describe(
        'The regions by country. A country without an entry is included with all its regions.',
      ),
    active: ZoneFields.active,
    position: z.int().describe('The position among the zones, from 0.'),
    rates: z.array(Rate).describe('The rates of the zone, in their sort order.'),
  })
  .meta({
    id: 'ShippingZone',
    description: 'A destination of parcels: countries and regions, with their rates.',
  })
export type Zone = z.output<typeof Zone>

export const NewZone = z
  .strictObject({
    ...ZoneFields,
    regions: ZoneFields.regions.default({}),
    active: ZoneFields.active.default(true),
    rates: list(NewRate, { max: RATES_MAX, error: `Send at most ${RATES_MAX} rates.` })
      .default([])
      .describe('The rates of the zone.'),
  })
  .meta({ id: 'ShippingZoneInput' })
export type NewZone = z.output<typeof NewZone>

export const ZonePatch = z
  .strictObject({
    ...ZoneFields,
    rates: list(RatePatch, {
      max: RATES_MAX,
      error: `Send at most ${RATES_MAX} rates.`,
    }).describe(
      'The rates of the zone. They replace all existing ones: a rate with an `id` is changed, the others are new.',
    ),
  })
  .partial()
  .meta({ id: 'ShippingZonePatch' })
export type ZonePatch = z.output<typeof ZonePatch>

export const ZoneQuery = z.object(PageQuery)

export const ZoneOrder = SortedIds(ZONES_MAX).meta({ id: 'ShippingZoneOrder' })
export type ZoneOrder = z.output<typeof ZoneOrder>
