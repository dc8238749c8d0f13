import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted, Pagination, PathId } from '../../../kernel/shapes.ts'
import { createLocation } from './create-location.ts'
import { createZone } from './create-zone.ts'
import { deleteLocation } from './delete-location.ts'
import { deleteZone } from './delete-zone.ts'
import { Location, LocationPatch, LocationQuery, NewLocation } from './location-schema.ts'
import { reorderZones } from './reorder-zones.ts'
import { NewZone, Zone, ZoneOrder, ZonePatch, ZoneQuery } from './schema.ts'
import { getLocation, listLocations } from './show-location.ts'
import { getZone, listZones } from './show-zone.ts'
import { updateLocation } from './update-location.ts'
import { updateZone } from './update-zone.ts'

const ZonePath = z.object({ id: PathId.describe('The id of the zone.') })
const LocationPath = z.object({ id: PathId.describe('The id of the location.') })
const OneZone = z.object({ zone: Zone })
const OneLocation = z.object({ location: Location })

const EXAMPLE_ZONE = {
  name: 'Germany and Austria',
  countries: ['DE', 'AT'],
  rates: [
    { name: 'Parcel', calc_type: 'flat', price_cents: 490, free_over_cents: 5000 },
    {
      name: 'Heavy parcel',
      calc_type: 'weight',
      tiers: [
        { min: 0, max: 5000, price_cents: 690 },
        { min: 5000, max: 31_500, price_cents: 1690 },
      ],
    },
  ],
}

const zoneEndpoints = [
  endpoint({
    id: 'shipping.list_zones',
    method: 'GET',
    path: '/shipping/zones',
    permission: 'fulfillment:read',
    feature: 'shipping',
    summary: 'List shipping zones with their rates, by position.',
    query: ZoneQuery,
    response: z.object({
      zones: z.array(Zone).describe('A page of zones.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listZones(context, query),
  }),
  endpoint({
    id: 'shipping.create_zone',
    method: 'POST',
    path: '/shipping/zones',
    permission: 'fulfillment:write',
    feature: 'shipping',
    summary: 'Create a shipping zone with its rates, at the last position.',
    body: NewZone,
    example: EXAMPLE_ZONE,
    status: 201,
    response: OneZone,
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'shipping.create_zone', object: 'zone' },
    handle: async ({ context, body }) => ({ zone: await createZone(context, body) }),
  }),
  endpoint({
    id: 'shipping.reorder_zones',
    method: 'PUT',
    path: '/shipping/zones/order',
    permission: 'fulfillment:write',
    feature: 'shipping',
    summary: 'Sort all shipping zones.',
    description: 'If several zones match an address equally well, the first of them is used.',
    body: ZoneOrder,
    example: { ids: [3, 1, 2] },
    response: z.object({ zones: z.array(Zone).describe('All zones, in the new order.') }),
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'shipping.reorder_zones', object: 'zone' },
    handle: async ({ context, body }) => ({ zones: await reorderZones(context, body) }),
  }),
  endpoint({
    id: 'shipping.get_zone',
    method: 'GET',
    path: '/shipping/zones/:id',
    permission: 'fulfillment:read',
    feature: 'shipping',
    summary: 'Get a shipping zone with its rates.',
    params: ZonePath,
    response: OneZone,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ zone: await getZone(context, params.id) }),
  }),
  endpoint({
    id: 'shipping.update_zone',
    method: 'PATCH',
    path: '/shipping/zones/:id',
    permission: 'fulfillment:write',
    feature: 'shipping',
    summary: 'Update a shipping zone. Absent fields keep their values.',
    description:
      'If `rates` is sent, it replaces all rates of the zone. A rate with an `id` is changed and keeps the values of absent fields. A rate without an `id` is created. Rates that are not in the list are deleted.',
    params: ZonePath,
    body: ZonePatch,
    example: {
      rates: [
        { id: 7, price_cents: 590 },
        { name: 'Express', calc_type: 'flat' },
      ],
    },
    response: OneZone,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'shipping.update_zone', object: 'zone' },
    handle: async ({ context, params, body }) => ({
      zone: await updateZone(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'shipping.delete_zone',
    method: 'DELETE',
    path: '/shipping/zones/:id',
    permission: 'fulfillment:write',
    feature: 'shipping',
    summary: 'Delete a shipping zone with its rates.',
    description: 'Existing orders keep their shipping rate and price.',
    params: ZonePath,
    response: z.object({ ...Deleted, id: z.int().describe('The id of the deleted zone.') }),
    errors: ['NOT_FOUND'],
    audit: { action: 'shipping.delete_zone', object: 'zone' },
    handle: ({ context, params }) => deleteZone(context, params.id),
  }),
]

const locationEndpoints = [
  endpoint({
    id: 'shipping.list_locations',
    method: 'GET',
    path: '/shipping/locations',
    permission: 'fulfillment:read',
    feature: 'shipping',
    summary: 'List the locations from which parcels are sent, the newest first.',
    query: LocationQuery,
    response: z.object({
      locations: z.array(Location).describe('A page of locations.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listLocations(context, query),
  }),
  endpoint({
    id: 'shipping.create_location',
    method: 'POST',
    path: '/shipping/locations',
    permission: 'fulfillment:write',
    feature: 'shipping',
    summary: 'Create a location. The first location of a store is its default.',
    body: NewLocation,
    example: { name: 'Warehouse', line1: 'Hafenstraße 1', city: 'Hamburg', country: 'DE' },
    status: 201,
    response: OneLocation,
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'shipping.create_location', object: 'location' },
    handle: async ({ context, body }) => ({ location: await createLocation(context, body) }),
  }),
  endpoint({
    id: 'shipping.get_location',
    method: 'GET',
    path: '/shipping/locations/:id',
    permission: 'fulfillment:read',
    feature: 'shipping',
    summary: 'Get a location.',
    params: LocationPath,
    response: OneLocation,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ location: await getLocation(context, params.id) }),
  }),
  endpoint({
    id: 'shipping.update_location',
    method: 'PATCH',
    path: '/shipping/locations/:id',
    permission: 'fulfillment:write',
    feature: 'shipping',
    summary: 'Update a location. Absent fields keep their values; null clears a field.',
    description:
      'Exactly one location is the default. If you set `is_default` on a location, the former default loses it.',
    params: LocationPath,
    body: LocationPatch,
    example: { phone: '+49 40 123456', is_default: true },
    response: OneLocation,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'shipping.update_location', object: 'location' },
    handle: async ({ context, params, body }) => ({
      location: await updateLocation(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'shipping.delete_location',
    method: 'DELETE',
    path: '/shipping/locations/:id',
    permission: 'fulfillment:write',
    feature: 'shipping',
    summary: 'Delete a location.',
    description: 'If it was the default, the oldest of the other locations becomes the default.',
    params: LocationPath,
    response: z.object({ ...Deleted, id: z.int().describe('The id of the deleted location.') }),
    errors: ['NOT_FOUND'],
    audit: { action: 'shipping.delete_location', object: 'location' },
    handle: ({ context, params }) => deleteLocation(context, params.id),
  }),
]

export const shippingEndpoints = [...zoneEndpoints, ...locationEndpoints]
