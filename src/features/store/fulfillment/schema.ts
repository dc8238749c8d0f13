import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { DateTime, HttpUrl, Line, ListQuery, OneOrMoreOf, PathId } from '../../../kernel/shapes.ts'

const STATUSES = ['open', 'shipped', 'delivered', 'cancelled', 'failed'] as const
export type ParcelStatus = (typeof STATUSES)[number]

const SHIPMENT_STATUSES = [
  'label_printed',
  'in_transit',
  'out_for_delivery',
  'attempted_delivery',
  'delivered',
  'failure',
] as const
export type ShipmentStatus = (typeof SHIPMENT_STATUSES)[number]

/** As many as the items of an order. With bundles an order can have more lines, for several parcels. */
const ITEMS_MAX = 50

const shipmentStatus = z
  .enum(SHIPMENT_STATUSES)
  .nullable()
  .describe('The status that the carrier reports; null if unknown.')

export const Fulfillment = z
  .object({
    id: z.int().describe('The id of the fulfillment.'),
    object: z.literal('fulfillment').describe('Always `fulfillment`.'),
    order_id: z.string().describe('The id of the order.'),
    status: z.enum(STATUSES).describe('The status. An `open` parcel waits for the carrier.'),
    shipment_status: shipmentStatus,
    location_id: z
      .int()
      .nullable()
      .describe('The id of the location that the parcel starts from; null if unknown.'),
    carrier_code: z.string().describe('The code of the carrier.'),
    tracking_number: z.string().nullable().describe('The tracking number of the carrier.'),
    tracking_url: z.string().nullable().describe('The URL of the tracking page.'),
    items: z
      .array(
        z.object({
          order_item_id: z.int().describe('The id of the order line.'),
          quantity: z.int().describe('The number of units.'),
        }),
      )
      .describe('The items of the parcel.'),
    shipped_at: DateTime.nullable().describe('The time at which the parcel was shipped.'),
    delivered_at: DateTime.nullable().describe('The time at which the parcel was delivered.'),
    created_at: DateTime.describe('The time of creation.'),
    updated_at: DateTime.describe('The time of the last change.'),
  })
  .meta({ id: 'Fulfillment', description: 'A parcel of an order.' })
export type Fulfillment = z.output<typeof Fulfillment>

const Tracking = {
  carrier_code: Line(64).describe('The code of the carrier.'),
  tracking_number: Line(128)
    .nullable()
    .describe('The tracking number of the carrier; null removes it.'),
  tracking_url: HttpUrl.nullable().describe('The URL of the tracking page; null removes it.'),
  shipment_status: shipmentStatus,
}

export const NewFulfillment = z
  .strictObject({
    items: list(
      z.strictObject({
        order_item_id: z.int().positive().describe('The id of a physical line of the order.'),
        quantity: z
          .int()
          .min(1, 'Use 1 or more.')
          .describe('The number of units, at most those that are not shipped yet.'),
      }),
      { max: ITEMS_MAX, error: `Send at most ${ITEMS_MAX} items.` },
    )
      .min(1, 'Send at least one item.')
      .optional()
      .describe('The items of the parcel. Default: all units that are not shipped yet.'),
    location_id: z
      .int()
      .positive()
      .optional()
      .describe(
        'The id of an active location. Default: the default location if it is active, otherwise none.',
      ),
    carrier_code: Tracking.carrier_code
      .optional()
      .describe(
        "The code of the carrier. Default: the carrier of the order's shipping rate, or else `custom`.",
      ),
    tracking_number: Tracking.tracking_number.default(null),
    tracking_url: Tracking.tracking_url.default(null),
    shipment_status: Tracking.shipment_status
      .default(null)
      .describe(
        'The status that the carrier reports. If absent, the parcel counts as `shipped`; `label_printed` makes it `open`.',
      ),
    notify_customer: z
      .boolean()
      .default(false)
      .describe('If true, the customer gets a mail with the contents and the tracking.'),
  })
  .meta({ id: 'FulfillmentInput' })
export type NewFulfillment = z.output<typeof NewFulfillment>

export const FulfillmentPatch = z.strictObject(Tracking).partial().meta({ id: 'FulfillmentPatch' })
export type FulfillmentPatch = z.output<typeof FulfillmentPatch>

export const FulfillmentQuery = z.object({
  ...ListQuery,
  status: OneOrMoreOf(STATUSES).describe('Only fulfillments with one of these statuses.'),
  order_id: z.string().max(64).optional().describe('The id of the order.'),
})
export type FulfillmentQuery = z.output<typeof FulfillmentQuery>

export const FulfillmentPath = z.object({ id: PathId.describe('The id of the fulfillment.') })
