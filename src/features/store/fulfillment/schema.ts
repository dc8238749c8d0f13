import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { DateTime, HttpUrl, Line, OneOrMoreOf, PageQuery, PathId } from '../../../kernel/shapes.ts'

export const STATUSES = ['open', 'shipped', 'delivered', 'cancelled', 'failed'] as const
export type Status = (typeof STATUSES)[number]

const SHIPMENT_STATUSES = [
  'label_printed',
  'in_transit',
  'out_for_delivery',
  'attempted_delivery',
  'delivered',
  'failure',
] as const
export type ShipmentStatus = (typeof SHIPMENT_STATUSES)[number]

/** An order has at most 50 lines. */
const ITEMS_MAX = 50

const shipmentStatus = z
  .enum(SHIPMENT_STATUSES)
  .nullable()
  .describe('The status that the carrier reports; null if unknown.')

export const Fulfillment = z
  .object({
    id: z.int().describe('The id of the fulfillment.'),
    object: z.literal('fulfillment').describe('Always `fulfillment`.'),
    order_id: z.string().describe('The order.'),
    status: z.enum(STATUSES).describe('The status. An `open` parcel waits for the carrier.'),
    shipment_status: shipmentStatus,
    location_id: z
      .int()
      .nullable()
      .describe('The id of the location that the parcel starts from; null if unknown.'),
    carrier_code: z.string().describe('The code of the carrier.'),
    tracking_number: z.string().nullable().describe("The carrier's number of it."),
    tracking_url: z.string().nullable().describe('The tracking page of the carrier.'),
    items: z
      .array(
        z.object({
          order_item_id: z.int().describe('The line of the order.'),
          quantity: z.int().describe('Units of it.'),
        }),
      )
      .describe('The items of the parcel.'),
    shipped_at: DateTime.nullable().describe('When it left.'),
    delivered_at: DateTime.nullable().describe('When it arrived.'),
    created_at: DateTime.describe('When it was created.'),
    updated_at: DateTime.describe('When it was last changed.'),
  })
  .meta({ id: 'Fulfillment', description: 'A parcel of an order.' })
export type Fulfillment = z.output<typeof Fulfillment>

const Tracking = {
  carrier_code: Line(64).describe('The code of the carrier.'),
  tracking_number: Line(128).nullable().describe("The carrier's number of it; null clears."),
  tracking_url: HttpUrl.nullable().describe('The tracking page of the carrier; null clears it.'),
  shipment_status: shipmentStatus,
}

export const NewFulfillment = z
  .strictObject({
    items: list(
      z.strictObject({
        order_item_id: z.int().positive().describe('A physical line of the order.'),
        quantity: z.int().min(1, 'Use 1 or more.').describe('Units of it that are left.'),
      }),
      { max: ITEMS_MAX, error: `Send at most ${ITEMS_MAX} items.` },
    )
      .min(1, 'Send at least one item.')
      .optional()
      .describe('The items of the parcel. If absent: all that is not shipped yet.'),
    location_id: z
      .int()
      .positive()
      .optional()
      .describe('An active one; absent: the default location, if it is active.'),
    carrier_code: Tracking.carrier_code
      .optional()
      .describe('If absent, the carrier of the rate of the order, else `custom`.'),
    tracking_number: Tracking.tracking_number.default(null),
    tracking_url: Tracking.tracking_url.default(null),
    shipment_status: Tracking.shipment_status
      .default(null)
      .describe('Absent: it has left. `label_printed` makes it `open`.'),
    notify_customer: z
      .boolean()
      .default(false)
      .describe('Mails the contents and the tracking to the customer.'),
  })
  .meta({ id: 'NewFulfillment' })
export type NewFulfillment = z.output<typeof NewFulfillment>

export const FulfillmentPatch = z.strictObject(Tracking).partial().meta({ id: 'FulfillmentPatch' })
export type FulfillmentPatch = z.output<typeof FulfillmentPatch>

export const FulfillmentQuery = z.object({
  ...PageQuery,
  status: OneOrMoreOf(STATUSES).describe('One or several statuses.'),
  order_id: z.string().max(64).optional().describe('The order.'),
})
export type FulfillmentQuery = z.output<typeof FulfillmentQuery>

export const FulfillmentPath = z.object({ id: PathId.describe('The fulfillment.') })
