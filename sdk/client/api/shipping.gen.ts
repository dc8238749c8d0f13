// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { OrderItemInput, PageQuery, Pagination } from './shared.gen.ts'

/** Shipping zones, rates, locations and parcels. */
export interface ShippingApi {
  /**
   * List shipping zones with their rates, by position.
   *
   * Needs the permission `fulfillment:read`, and the feature `shipping` turned on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listZones(query?: ShippingListZonesQuery, options?: CallOptions): List<{ zones: ShippingZone[]; pagination: Pagination }, ShippingZone>
  /**
   * Create a shipping zone with its rates, at the last position.
   *
   * Needs the permission `fulfillment:write`, and the feature `shipping` turned on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  createZone(body: ShippingZoneInput, options?: PostOptions): Call<{ zone: ShippingZone }>
  /**
   * Sort all shipping zones.
   *
   * If several zones match an address equally well, the first of them is used.
   *
   * Needs the permission `fulfillment:write`, and the feature `shipping` turned on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  reorderZones(body: ShippingZoneOrder, options?: CallOptions): Call<{
    /** All zones, in the new order. */
    zones: ShippingZone[]
  }>
  /**
   * Get a shipping zone with its rates.
   *
   * Needs the permission `fulfillment:read`, and the feature `shipping` turned on in the store.
   * @param id The id of the zone.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getZone(id: number, options?: CallOptions): Call<{ zone: ShippingZone }>
  /**
   * Update a shipping zone. Absent fields keep their values.
   *
   * If `rates` is sent, it replaces all rates of the zone. A rate with an `id` is changed and keeps
   * the values of absent fields. A rate without an `id` is created. Rates that are not in the list
   * are deleted.
   *
   * Needs the permission `fulfillment:write`, and the feature `shipping` turned on in the store.
   * @param id The id of the zone.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  updateZone(id: number, body: ShippingZonePatch, options?: CallOptions): Call<{ zone: ShippingZone }>
  /**
   * Delete a shipping zone with its rates.
   *
   * Existing orders keep their shipping rate and price.
   *
   * Needs the permission `fulfillment:write`, and the feature `shipping` turned on in the store.
   * @param id The id of the zone.
   * @throws {TradepostError} `NOT_FOUND`
   */
  deleteZone(id: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the deleted zone. */
    id: number
  }>
  /**
   * List the locations from which parcels are sent, the newest first.
   *
   * Needs the permission `fulfillment:read`, and the feature `shipping` turned on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  listLocations(query?: ShippingListLocationsQuery, options?: CallOptions): List<{ locations: Location[]; pagination: Pagination }, Location>
  /**
   * Create a location. The first location of a store is its default.
   *
   * Needs the permission `fulfillment:write`, and the feature `shipping` turned on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  createLocation(body: LocationInput, options?: PostOptions): Call<{ location: Location }>
  /**
   * Get a location.
   *
   * Needs the permission `fulfillment:read`, and the feature `shipping` turned on in the store.
   * @param id The id of the location.
   * @throws {TradepostError} `NOT_FOUND`
   */
  getLocation(id: number, options?: CallOptions): Call<{ location: Location }>
  /**
   * Update a location. Absent fields keep their values; null clears a field.
   *
   * Exactly one location is the default. If you set `is_default` on a location, the former default
   * loses it.
   *
   * Needs the permission `fulfillment:write`, and the feature `shipping` turned on in the store.
   * @param id The id of the location.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  updateLocation(id: number, body: LocationPatch, options?: CallOptions): Call<{ location: Location }>
  /**
   * Delete a location.
   *
   * If it was the default, the oldest of the other locations becomes the default.
   *
   * Needs the permission `fulfillment:write`, and the feature `shipping` turned on in the store.
   * @param id The id of the location.
   * @throws {TradepostError} `NOT_FOUND`
   */
  deleteLocation(id: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the deleted location. */
    id: number
  }>
  /**
   * Get the shipping rates for items and a destination, with their prices.
   *
   * The rates are those of the zone that matches best: by region, else by country, else `*`. The
   * list is empty if no zone or rate matches, or if no item is physical. The prices are those that
   * an order of the same contents pays, with its coupon. Contents or a coupon that an order would
   * refuse are refused here too, but stock is not checked.
   *
   * Needs the permission `fulfillment:read`, and the feature `shipping` turned on in the store.
   * @throws {TradepostError} `VALIDATION_FAILED`, `COUPON_INVALID`
   */
  quote(body: ShippingQuoteInput, options?: PostOptions): Call<{
    /** The available rates, in the order of the zone. */
    rates: OfferedShippingRate[]
  }>
}

/** An address from which parcels are sent. */
export interface Location {
  /** The id of the location. */
  id: number
  /** Always `location`. */
  object: 'location'
  /** The name of the location. */
  name: string
  /** The street and house number. */
  line1: string
  /** The flat, floor or company. */
  line2: string | null
  /** The town or city. */
  city: string
  /** The state or province. */
  region: string | null
  /** The ZIP or postal code. */
  postal_code: string | null
  /** The country, as an ISO 3166-1 alpha-2 code. */
  country: string
  /** The phone number for the carrier. */
  phone: string | null
  /** True if parcels are sent from this location. */
  active: boolean
  /** True if parcels are sent from this location when no other is requested. */
  is_default: boolean
}

export interface LocationInput {
  /** The name of the location. */
  name: string
  /** The street and house number. */
  line1: string
  /** The flat, floor or company. */
  line2?: string | null
  /** The town or city. */
  city: string
  /** The state or province. */
  region?: string | null
  /** The ZIP or postal code. */
  postal_code?: string | null
  /** The country, as an ISO 3166-1 alpha-2 code. */
  country: string
  /** The phone number for the carrier. */
  phone?: string | null
  /** True if parcels are sent from this location. Default `true`. */
  active?: boolean
  /**
   * True if parcels are sent from this location when no other is requested. Default: true for the
   * first location of the store, otherwise false.
   */
  is_default?: boolean
}

export type LocationPatch = Partial<Pick<
  Location,
  'name' | 'line1' | 'line2' | 'city' | 'region' | 'postal_code' | 'country' | 'phone' | 'active'
    | 'is_default'
>>

/** A shipping rate for the items and the destination, with its price. */
export interface OfferedShippingRate {
  /** The id of the shipping zone. */
  zone_id: number
  /** The id of the shipping rate. Send it as `shipping_rate_id` with an order. */
  rate_id: number
  /** The name of the rate. */
  name: string
  /** The code of the carrier. */
  carrier_code: string
  /** The price of shipping, in minor units. */
  price_cents: number
  /** The shortest delivery time in days. */
  min_days: number | null
  /** The longest delivery time in days. */
  max_days: number | null
}

export type SentShippingTier = ShippingTier

export type ShippingListLocationsQuery = PageQuery

export type ShippingListZonesQuery = PageQuery

export interface ShippingQuoteInput {
  /** The country of the destination, as an ISO 3166-1 alpha-2 code. */
  country: string
  /** The state or province of the destination. Case is ignored. */
  region?: string | null
  /** The items to ship, 1 to 50 lines. */
  items: OrderItemInput[]
  /**
   * The code of a coupon to apply. Its discount can change the prices that depend on the order
   * total. No use is counted. Default: none.
   */
  coupon_code?: string
  /**
   * The email address of the buyer. Default: none; the limits of the coupon for each customer are
   * then not checked.
   */
  customer_email?: string
}

/** A price for shipping into a zone. */
export interface ShippingRate {
  /** The id of the rate. */
  id: number
  /** The name that the customer sees, 1 to 128 characters. */
  name: string
  /** Further information for the customer. */
  description: string | null
  /** The code of the carrier. */
  carrier_code: string
  /**
   * The way in which the price is computed. A `flat` rate costs `price_cents`. Every other rate
   * costs the price of the tier that contains the weight, the volume, the order total or the number
   * of units.
   */
  calc_type: 'flat' | 'weight' | 'volumetric' | 'order_total' | 'item_count'
  /** The price of a flat rate, in minor units. */
  price_cents: number
  /** The price bands in ascending order. */
  tiers: ShippingTier[]
  /** The number of cubic centimetres that count as a kilogram; null means 5000. */
  volumetric_divisor: number | null
  /**
   * The subtotal after discounts from which shipping is free, in minor units; null if it is never
   * free.
   */
  free_over_cents: number | null
  /** The shortest delivery time in days. */
  min_days: number | null
  /** The longest delivery time in days. */
  max_days: number | null
  /** True if the rate is offered. */
  active: boolean
}

export interface ShippingRateInput {
  /** The name that the customer sees, 1 to 128 characters. */
  name: string
  /** Further information for the customer. */
  description?: string | null
  /** The code of the carrier. Default `"custom"`. */
  carrier_code?: string
  /**
   * The way in which the price is computed. A `flat` rate costs `price_cents`. Every other rate
   * costs the price of the tier that contains the weight, the volume, the order total or the number
   * of units.
   */
  calc_type: 'flat' | 'weight' | 'volumetric' | 'order_total' | 'item_count'
  /** The price of a flat rate, in minor units. Default `0`. */
  price_cents?: number
  /** The price bands in ascending order. Required unless the rate is flat. Default `[]`. */
  tiers?: SentShippingTier[]
  /** The number of cubic centimetres that count as a kilogram; null means 5000. */
  volumetric_divisor?: number | null
  /**
   * The subtotal after discounts from which shipping is free, in minor units; null if it is never
   * free.
   */
  free_over_cents?: number | null
  /** The shortest delivery time in days. */
  min_days?: number | null
  /** The longest delivery time in days. */
  max_days?: number | null
  /** True if the rate is offered. Default `true`. */
  active?: boolean
}

/**
 * A rate of a changed zone. If it has an `id`, fields that are left out keep their value; otherwise
 * the rate is new, and they have the defaults of a new rate.
 */
export interface ShippingRatePatch extends Partial<Pick<
  ShippingRate,
  'name' | 'description' | 'carrier_code' | 'calc_type' | 'price_cents' | 'volumetric_divisor' |
    'free_over_cents' | 'min_days' | 'max_days' | 'active'
>> {
  /** The id of a rate of this zone. Default: none; the rate is new. */
  id?: number
  /** The price bands in ascending order. Required unless the rate is flat. */
  tiers?: SentShippingTier[]
}

/** A price band of a rate that is not flat. */
export interface ShippingTier {
  /** The lower bound, which is included, in grams, minor units or units. */
  min: number
  /** The upper bound, which is included; null for no bound. */
  max: number | null
  /** The price of shipping within these bounds, in minor units. */
  price_cents: number
}

/** A destination of parcels: countries and regions, with their rates. */
export interface ShippingZone {
  /** The id of the zone. */
  id: number
  /** The name, 1 to 128 characters. */
  name: string
  /** The countries as ISO 3166-1 alpha-2 codes, or `*` for the rest of the world. */
  countries: string[]
  /** The regions by country. A country without an entry is included with all its regions. */
  regions: Record<string, string[]>
  /** True if the zone is used. */
  active: boolean
  /** The position among the zones, from 0. */
  position: number
  /** The rates of the zone, in their sort order. */
  rates: ShippingRate[]
}

export interface ShippingZoneInput {
  /** The name, 1 to 128 characters. */
  name: string
  /** The countries as ISO 3166-1 alpha-2 codes, or `*` for the rest of the world. */
  countries: string[]
  /**
   * The regions by country. A country of the zone without an entry is included with all its
   * regions. Default `{}`.
   */
  regions?: Record<string, string[]>
  /** True if the zone is used. Default `true`. */
  active?: boolean
  /** The rates of the zone. Default `[]`. */
  rates?: ShippingRateInput[]
}

export interface ShippingZoneOrder {
  /** All ids, each once, in the new order. */
  ids: number[]
}

export interface ShippingZonePatch extends Partial<Pick<
  ShippingZone,
  'name' | 'countries' | 'active'
>> {
  /**
   * The regions by country. A country of the zone without an entry is included with all its
   * regions.
   */
  regions?: Record<string, string[]>
  /**
   * The rates of the zone. They replace all existing ones: a rate with an `id` is changed, the
   * others are new.
   */
  rates?: ShippingRatePatch[]
}
