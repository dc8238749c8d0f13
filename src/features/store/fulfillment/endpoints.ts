import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Pagination } from '../../../kernel/shapes.ts'
import { OrderPath } from '../orders/index.ts'
import { createFulfillment } from './create-fulfillment.ts'
import {
  Fulfillment,
  FulfillmentPatch,
  FulfillmentPath,
  FulfillmentQuery,
  NewFulfillment,
} from './schema.ts'
import { getFulfillment, listFulfillments } from './show-fulfillments.ts'
import { cancelFulfillment, updateFulfillment } from './update-fulfillment.ts'

const OneFulfillment = z.object({ fulfillment: Fulfillment })

export const fulfillmentEndpoints = [
  endpoint({
    id: 'fulfillments.list',
    method: 'GET',
    path: '/fulfillments',
    permission: 'fulfillment:read',
    summary: 'List fulfillments, the newest first.',
    query: FulfillmentQuery,
    response: z.object({
      fulfillments: z.array(Fulfillment).describe('A page of fulfillments.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listFulfillments(context, query),
  }),
  endpoint({
    id: 'fulfillments.get',
    method: 'GET',
    path: '/fulfillments/:id',
    permission: 'fulfillment:read',
    summary: 'Get a fulfillment.',
    params: FulfillmentPath,
    response: OneFulfillment,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({
      fulfillment: await getFulfillment(context, params.id),
    }),
  }),
  endpoint({
    id: 'fulfillments.create',
    method: 'POST',
    path: '/orders/:id/fulfillments',
    permission: 'fulfillment:write',
    summary: 'Ship some or all of the remaining physical units of a paid order.',
    description:
      'The parcel has the status `shipped`, unless `shipment_status` says otherwise. The order is completed when all physical units are shipped and no other delivery is pending.',
    params: OrderPath,
    body: NewFulfillment,
    example: {
      items: [{ order_item_id: 7, quantity: 1 }],
      tracking_number: '00340434161094042557',
    },
    status: 201,
    response: OneFulfillment,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE', 'OUT_OF_STOCK'],
    audit: { action: 'fulfillment.create', object: 'order' },
    handle: async ({ context, params, body }) => ({
      fulfillment: await createFulfillment(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'fulfillments.update',
    method: 'PATCH',
    path: '/fulfillments/:id',
    permission: 'fulfillment:write',
    summary: 'Change the tracking or the status of a fulfillment.',
    description:
      '`shipment_status` also sets `status`: `label_printed` makes it `open`, `delivered` makes it `delivered`, `failure` makes it `failed`, and the others make it `shipped`.',
    params: FulfillmentPath,
    body: FulfillmentPatch,
    example: { shipment_status: 'delivered' },
    response: OneFulfillment,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'fulfillment.update', object: 'fulfillment' },
    handle: async ({ context, params, body }) => ({
      fulfillment: await updateFulfillment(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'fulfillments.cancel',
    method: 'POST',
    path: '/fulfillments/:id/cancel',
    permission: 'fulfillment:write',
    summary: 'Cancel a fulfillment. Its units can then be shipped again.',
    params: FulfillmentPath,
    response: OneFulfillment,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'fulfillment.cancel', object: 'fulfillment' },
    handle: async ({ context, params }) => ({
      fulfillment: await cancelFulfillment(context, params.id),
    }),
  }),
]
