import { z } from 'zod'
import { list, map } from '../../../kernel/bounded.ts'
import { COUNTRIES } from '../../../kernel/countries.ts'
import { NewOrderOf } from '../../../kernel/order.ts'
import { Cents, Country, Line, NO_COUNTRY, PageQuery, Text } from '../../../kernel/shapes.ts'

export const ZONES_MAX = 250
const RATES_MAX = 100
const TIERS_MAX = 50
const REGIONS_MAX = 300

/** The regions of a zone that no other zone has. */
export const REST_OF_WORLD = '*'
const CALC_TYPES = ['flat', 'weight', 'volumetric', 'order_total', 'item_count'] as const

const NO_COUNTRY_OR_REST =
  'Use two capital letters of ISO 3166-1, such as DE, or * for the rest of the world.'

const CountryOrRest = z
  .string()
  .regex(/^([A-Z]{2}|\*)$/, { error: NO_COUNTRY_OR_REST, abort: true })
  .refine((code) => code === REST_OF_WORLD || COUNTRIES.has(code), NO_COUNTRY)

/** A state or province. */
export const Region = Line(128)

const areDistinct = (texts: readonly string[]) => new Set(texts).size === texts.length

/** Beyond any order's total, and exact as a number. */
const BOUND_MAX = 999_999_999_999_999
const Bound = z.number().min(0, 'Use 0 or more.').max(BOUND_MAX, `Use at most ${BOUND_MAX}.`)

const TierFields = {
  min: Bound.describe('The lower bound, included: grams, minor units or units.'),
  max: Bound.nullable().describe('The upper bound, included; null for no bound.'),
  price_cents: Cents.describe('The price of shipping within these bounds, in minor units.'),
}
export const Tier = z
  .object(TierFields)
  .meta({ id: 'ShippingTier', description: 'A price band of a rate that is not flat.' })
export type Tier = z.output<typeof Tier>

const SentTier = z
  .strictObject(TierFields)
  .refine(({ min, max }) => max === null || max >= min, {
    path: ['max'],
    error: 'Use min or more, or null.',
  })
  .meta({ id: 'SentShippingTier' })

const DIVISOR_MAX = 1_000_000
const DAYS_MAX = 365
const Days = z.int().min(0, 'Use 0 or more.').max(DAYS_MAX, `Use at most ${DAYS_MAX}.`)

const RateFields = {
  name: Line(128).describe('The name that the customer chooses by, 1 to 128 characters.'),
  description: Text(500)
    .min(1, 'Write at least one character, or null.')
    .nullable()
    .describe('Further information for the customer.'),
  carrier_code: Line(64).describe('The code of the carrier; `custom` if none is given.'),
  calc_type: z
    .enum(CALC_TYPES)
    .describe(
      '`flat` costs `price_cents`; the others cost what the tier of the weight, the volume, the order total or the number of units says.',
    ),
  price_cents: Cents.describe('Minor units; the price of a flat rate.'),
  tiers: list(SentTier, {
    max: TIERS_MAX,
    error: `Send at most ${TIERS_MAX} tiers.`,
  }).describe('Price bands, rising; needed unless the rate is flat.'),
  volumetric_divisor: z
    .int()
    .min(1, 'Use 1 or more.')
    .max(DIVISOR_MAX, `Use at most ${DIVISOR_MAX}.`)
    .nullable()
    .describe('Cubic centimetres that count as a kilogram; null means 5000.'),
  free_over_cents: Cents.nullable().describe(
    'The subtotal after discount from which it is free, in minor units.',
  ),
  min_days: Days.nullable().describe('Earliest arrival, in days.'),
  max_days: Days.nullable().describe('Latest arrival, in days.'),
  active: z.boolean().describe('True if it is offered.'),
}

export const Rate = z
  .object({
    id: z.int().describe('The id of the rate.'),
    ...RateFields,
    tiers: z.array(Tier).describe('Price bands, rising.'),
  })
  .meta({ id: 'ShippingRate', description: 'A way to ship into a zone, and its price.' })
export type Rate = z.output<typeof Rate>

export const NewRate = z
  .strictObject({
    ...z.strictObject(RateFields).partial().shape,
    name: RateFields.name,
    calc_type: RateFields.calc_type,
  })
  .meta({ id: 'NewShippingRate' })

/** With an `id` it changes that rate; without one it is new, and needs `name` and `calc_type`. */
export const RatePatch = z
  .strictObject({
    id: z.int().min(1, 'Use the id of a rate.').describe('A rate of this zone; absent: a new one.'),
    ...RateFields,
  })
  .partial()
  .meta({ id: 'ShippingRatePatch' })
export type RatePatch = z.output<typeof RatePatch>

const Regions = list(Region, {
  max: REGIONS_MAX,
  error: `Name at most ${REGIONS_MAX} regions of a country.`,
})
  .min(1, 'Name at least one region, or leave the country out for all of them.')
  .refine(areDistinct, 'Name each region once.')
  .meta({ uniqueItems: true })

const ZoneFields = {
  name: Line(128).describe('The name, 1 to 128 characters.'),
  countries: list(CountryOrRest, {
    max: COUNTRIES.size + 1,
    error: `Name at most ${COUNTRIES.size + 1}.`,
  })
    .min(1, 'Name at least one country, or * for the rest of the world.')
    .refine(areDistinct, 'Name each country once.')
    .meta({ uniqueItems: true })
    .describe('ISO 3166-1 codes, or `*` for the rest of the world.'),
  regions: map(Country, Regions, { max: COUNTRIES.size, keyError: NO_COUNTRY }).describe(
    'Regions of a country of the zone; a country that is not here has all of its own.',
  ),
  active: z.boolean().describe('True if it is used.'),
}

export const Zone = z
  .object({
    id: z.int().describe('The id of the zone.'),
    name: ZoneFields.name,
    countries: z.array(z.string()).describe('ISO 3166-1 codes, or `*` for the rest of the world.'),
    regions: z
      .record(z.string(), z.array(z.string()))
      .describe('Regions of a country; a country that is not here has all of its own.'),
    active: ZoneFields.active,
    position: z.int().describe('Its position among the zones, from 0.'),
    rates: z.array(Rate).describe('How parcels go there, in the order they were sent.'),
  })
  .meta({
    id: 'ShippingZone',
    description: 'Countries and regions that parcels go to, with their rates.',
  })
export type Zone = z.output<typeof Zone>

export const NewZone = z
  .strictObject({
    ...ZoneFields,
    regions: ZoneFields.regions.default({}),
    active: ZoneFields.active.default(true),
    rates: list(NewRate, { max: RATES_MAX, error: `Send at most ${RATES_MAX} rates.` })
      .default([])
      .describe('How parcels go there.'),
  })
  .meta({ id: 'NewShippingZone' })
export type NewZone = z.output<typeof NewZone>

export const ZonePatch = z
  .strictObject({
    ...ZoneFields,
    rates: list(RatePatch, {
      max: RATES_MAX,
      error: `Send at most ${RATES_MAX} rates.`,
    }).describe('Replaces the list; a rate with an `id` is changed, the others are new.'),
  })
  .partial()
  .meta({ id: 'ShippingZonePatch' })
export type ZonePatch = z.output<typeof ZonePatch>

export const ZoneQuery = z.object(PageQuery)

export const ZoneOrder = NewOrderOf(ZONES_MAX).meta({ id: 'ShippingZoneOrder' })
export type ZoneOrder = z.output<typeof ZoneOrder>
