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
    summary: 'Ship physical lines of a paid order, a part or all that is left.',
    description:
      'The parcel counts as `shipped` unless its label was only printed. When every physical unit is shipped, and nothing else is waited for, the order is completed.',
    params: OrderPath,
    body: NewFulfillment,
    example: {
      items: [{ order_item_id: 7, quantity: 1 }],
      tracking_number: '00340434161094042557',
    },
    status: 201,
    response: OneFulfillment,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE', 'OUT_OF_STOCK'],
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
      '`shipment_status` moves `status`: a printed label leaves it `open`, then it is `shipped`, `delivered` or `failed`.',
    params: FulfillmentPath,
    body: FulfillmentPatch,
    example: { shipment_status: 'delivered' },
    response: OneFulfillment,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    handle: async ({ context, params, body }) => ({
      fulfillment: await updateFulfillment(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'fulfillments.cancel',
    method: 'POST',
    path: '/fulfillments/:id/cancel',
    permission: 'fulfillment:write',
    summary: 'Cancel a fulfillment; its units can be shipped again.',
    params: FulfillmentPath,
    response: OneFulfillment,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    handle: async ({ context, params }) => ({
      fulfillment: await cancelFulfillment(context, params.id),
    }),
  }),
]
