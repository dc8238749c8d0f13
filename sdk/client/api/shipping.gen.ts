// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { NewOrderItem, PageQuery, Pagination } from './shared.gen.ts'

/** Shipping zones, rates, locations and parcels. */
export interface ShippingApi {
  /**
   * List shipping zones with their rates, by position.
   *
   * Needs the permission `fulfillment:read`, and the feature `shipping` switched on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listZones(query?: ShippingListZonesQuery, options?: CallOptions): List<{ zones: ShippingZone[]; pagination: Pagination }, ShippingZone>
  /**
   * Create a shipping zone with its rates, behind the others.
   *
   * Needs the permission `fulfillment:write`, and the feature `shipping` switched on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  createZone(body: NewShippingZone, options?: PostOptions): Call<{ zone: ShippingZone }>
  /**
   * Give all shipping zones a new order.
   *
   * If several zones fit an address equally well, the first of them is used.
   *
   * Needs the permission `fulfillment:write`, and the feature `shipping` switched on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  reorderZones(body: ShippingZoneOrder, options?: CallOptions): Call<{
    /** All zones, in their new order. */
    zones: ShippingZone[]
  }>
  /**
   * Get a shipping zone with its rates.
   *
   * Needs the permission `fulfillment:read`, and the feature `shipping` switched on in the store.
   * @param id The zone.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getZone(id: number, options?: CallOptions): Call<{ zone: ShippingZone }>
  /**
   * Update a shipping zone. Fields you leave out keep their value.
   *
   * A sent list of `rates` replaces the old one: a rate with an `id` is changed and keeps what you
   * leave out, one without is new, and a rate that is not in the list is deleted.
   *
   * Needs the permission `fulfillment:write`, and the feature `shipping` switched on in the store.
   * @param id The zone.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  updateZone(id: number, body: ShippingZonePatch, options?: CallOptions): Call<{ zone: ShippingZone }>
  /**
   * Delete a shipping zone with its rates.
   *
   * Orders keep their copies of the rate.
   *
   * Needs the permission `fulfillment:write`, and the feature `shipping` switched on in the store.
   * @param id The zone.
   * @throws {TradepostError} `NOT_FOUND`
   */
  deleteZone(id: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** The zone that is gone. */
    id: number
  }>
  /**
   * Ask how items can be shipped to an address, and what that costs.
   *
   * Answers the rates of the one zone that fits best: its region, else its country, else `*`. Empty
   * where no zone or no rate fits, or nothing of it is physical.
   *
   * Needs the permission `fulfillment:read`, and the feature `shipping` switched on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  quote(body: NewShippingQuote, options?: PostOptions): Call<{
    /** The ways there are, in the order of the zone. */
    rates: OfferedShippingRate[]
  }>
  /**
   * List the locations that parcels start from, the newest first.
   *
   * Needs the permission `fulfillment:read`, and the feature `shipping` switched on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listLocations(query?: ShippingListLocationsQuery, options?: CallOptions): List<{ locations: Location[]; pagination: Pagination }, Location>
  /**
   * Create a location. The first one is the default.
   *
   * Needs the permission `fulfillment:write`, and the feature `shipping` switched on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  createLocation(body: NewLocation, options?: PostOptions): Call<{ location: Location }>
  /**
   * Get a location.
   *
   * Needs the permission `fulfillment:read`, and the feature `shipping` switched on in the store.
   * @param id The location.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getLocation(id: number, options?: CallOptions): Call<{ location: Location }>
  /**
   * Update a location. Fields you leave out keep their value; null clears.
   *
   * Exactly one location is the default: setting it on one clears it on the other.
   *
   * Needs the permission `fulfillment:write`, and the feature `shipping` switched on in the store.
   * @param id The location.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  updateLocation(id: number, body: LocationPatch, options?: CallOptions): Call<{ location: Location }>
  /**
   * Delete a location.
   *
   * If it was the default, the oldest of the others becomes it.
   *
   * Needs the permission `fulfillment:write`, and the feature `shipping` switched on in the store.
   * @param id The location.
   * @throws {TradepostError} `NOT_FOUND`
   */
  deleteLocation(id: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** The location that is gone. */
    id: number
  }>
}

/** An address from which parcels are sent. */
export interface Location {
  /** The id of the location. */
  id: number
  /** Always `location`. */
  object: 'location'
  /** The name. */
  name: string
  /** Street and number. */
  line1: string
  /** Flat, floor or company. */
  line2: string | null
  /** Town or city. */
  city: string
  /** State or province. */
  region: string | null
  /** ZIP or postal code. */
  postal_code: string | null
  /** ISO 3166-1 alpha-2. */
  country: string
  /** For the carrier. */
  phone: string | null
  /** True if parcels start there. */
  active: boolean
  /** True if parcels start there unless another location is named. */
  is_default: boolean
}

export type LocationPatch = Partial<Pick<
  Location,
  'name' | 'line1' | 'line2' | 'city' | 'region' | 'postal_code' | 'country' | 'phone' | 'active'
    | 'is_default'
>>

export interface NewLocation {
  /** The name. */
  name: string
  /** Street and number. */
  line1: string
  /** Flat, floor or company. */
  line2?: string | null
  /** Town or city. */
  city: string
  /** State or province. */
  region?: string | null
  /** ZIP or postal code. */
  postal_code?: string | null
  /** ISO 3166-1 alpha-2. */
  country: string
  /** For the carrier. */
  phone?: string | null
  /** True if parcels start there. Default `true`. */
  active?: boolean
  /** True if parcels start there unless another location is named. Default `false`. */
  is_default?: boolean
}

export interface NewShippingQuote {
  /** The country of destination, ISO 3166-1 alpha-2. */
  country: string
  /** State or province; compared with those of the zones without case. */
  region?: string | null
  /** The items to ship, 1 to 50 lines. */
  items: NewOrderItem[]
}

export interface NewShippingRate {
  /** The name that the customer chooses by, 1 to 128 characters. */
  name: string
  /** Further information for the customer. */
  description?: string | null
  /** The code of the carrier; `custom` if none is given. */
  carrier_code?: string
  /**
   * `flat` costs `price_cents`; the others cost what the tier of the weight, the volume, the order
   * total or the number of units says.
   */
  calc_type: 'flat' | 'weight' | 'volumetric' | 'order_total' | 'item_count'
  /** Minor units; the price of a flat rate. */
  price_cents?: number
  /** Price bands, rising; needed unless the rate is flat. */
  tiers?: SentShippingTier[]
  /** Cubic centimetres that count as a kilogram; null means 5000. */
  volumetric_divisor?: number | null
  /** The subtotal after discount from which it is free, in minor units. */
  free_over_cents?: number | null
  /** Earliest arrival, in days. */
  min_days?: number | null
  /** Latest arrival, in days. */
  max_days?: number | null
  /** True if it is offered. */
  active?: boolean
}

export interface NewShippingZone {
  /** The name, 1 to 128 characters. */
  name: string
  /** ISO 3166-1 codes, or `*` for the rest of the world. */
  countries: string[]
  /**
   * Regions of a country of the zone; a country that is not here has all of its own. Default `{}`.
   */
  regions?: Record<string, string[]>
  /** True if it is used. Default `true`. */
  active?: boolean
  /** How parcels go there. Default `[]`. */
  rates?: NewShippingRate[]
}

/** A way to ship these items there. */
export interface OfferedShippingRate {
  /** The shipping zone. */
  zone_id: number
  /** The shipping rate; what an order names. */
  rate_id: number
  /** The name of the rate. */
  name: string
  /** The code of the carrier. */
  carrier_code: string
  /** The price of shipping, in minor units. */
  price_cents: number
  /** Earliest arrival, in days. */
  min_days: number | null
  /** Latest arrival, in days. */
  max_days: number | null
}

export type SentShippingTier = ShippingTier

export type ShippingListLocationsQuery = PageQuery

export type ShippingListZonesQuery = PageQuery

/** A way to ship into a zone, and its price. */
export interface ShippingRate {
  /** The id of the rate. */
  id: number
  /** The name that the customer chooses by, 1 to 128 characters. */
  name: string
  /** Further information for the customer. */
  description: string | null
  /** The code of the carrier; `custom` if none is given. */
  carrier_code: string
  /**
   * `flat` costs `price_cents`; the others cost what the tier of the weight, the volume, the order
   * total or the number of units says.
   */
  calc_type: 'flat' | 'weight' | 'volumetric' | 'order_total' | 'item_count'
  /** Minor units; the price of a flat rate. */
  price_cents: number
  /** Price bands, rising. */
  tiers: ShippingTier[]
  /** Cubic centimetres that count as a kilogram; null means 5000. */
  volumetric_divisor: number | null
  /** The subtotal after discount from which it is free, in minor units. */
  free_over_cents: number | null
  /** Earliest arrival, in days. */
  min_days: number | null
  /** Latest arrival, in days. */
  max_days: number | null
  /** True if it is offered. */
  active: boolean
}

export interface ShippingRatePatch extends Partial<NewShippingRate> {
  /** A rate of this zone; absent: a new one. */
  id?: number
}

/** A price band of a rate that is not flat. */
export interface ShippingTier {
  /** The lower bound, included: grams, minor units or units. */
  min: number
  /** The upper bound, included; null for no bound. */
  max: number | null
  /** The price of shipping within these bounds, in minor units. */
  price_cents: number
}

/** Countries and regions that parcels go to, with their rates. */
export interface ShippingZone {
  /** The id of the zone. */
  id: number
  /** The name, 1 to 128 characters. */
  name: string
  /** ISO 3166-1 codes, or `*` for the rest of the world. */
  countries: string[]
  /** Regions of a country; a country that is not here has all of its own. */
  regions: Record<string, string[]>
  /** True if it is used. */
  active: boolean
  /** Its position among the zones, from 0. */
  position: number
  /** How parcels go there, in the order they were sent. */
  rates: ShippingRate[]
}

export interface ShippingZoneOrder {
  /** All ids, each once, in the new order. */
  ids: number[]
}

export interface ShippingZonePatch extends Partial<Pick<
  ShippingZone,
  'name' | 'countries' | 'active'
>> {
  /** Regions of a country of the zone; a country that is not here has all of its own. */
  regions?: Record<string, string[]>
  /** Replaces the list; a rate with an `id` is changed, the others are new. */
  rates?: ShippingRatePatch[]
}
