import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { accountEndpoints } from '../features/account/endpoints.ts'
import { trailEndpoints } from '../features/audit/trail-endpoints.ts'
import { contentEndpoints } from '../features/content/endpoints.ts'
import { couponEndpoints } from '../features/coupons/endpoints.ts'
import { customerEndpoints } from '../features/customers/endpoints.ts'
import { fulfillmentEndpoints } from '../features/fulfillments/endpoints.ts'
import { orderEndpoints } from '../features/orders/endpoints.ts'
import { productEndpoints } from '../features/products/endpoints.ts'
import { shelfEndpoints } from '../features/shelves/endpoints.ts'
import { shippingEndpoints } from '../features/shipping/endpoints.ts'
import { stockEndpoints } from '../features/stock/endpoints.ts'
import { stockAlertEndpoints } from '../features/stock-alerts/endpoints.ts'
import { webhookEndpoints } from '../features/webhooks/endpoints.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { type Answer, createIdempotency } from '../http/idempotency.ts'
import { mount } from '../http/mount.ts'
import type { StoreError } from '../kernel/errors.ts'
import type { Gate } from './gate.ts'

/** Everything the Store API answers, in the order of its reference. */
export const storeEndpoints: readonly Endpoint[] = [
  ...accountEndpoints,
  ...trailEndpoints,
  ...orderEndpoints,
  ...productEndpoints,
  ...contentEndpoints,
  ...stockAlertEndpoints,
  ...stockEndpoints,
  ...shelfEndpoints,
  ...couponEndpoints,
  ...customerEndpoints,
  ...shippingEndpoints,
  ...fulfillmentEndpoints,
  ...webhookEndpoints,
]

/** The Store API: `x-api-key` and `x-store-hash`, coded errors, a `request_id` on each of them. */
export function mountStoreApi(server: FastifyInstance, app: App, gate: Gate) {
  mount(
    server,
    {
      db: app.db,
      idempotency: createIdempotency(app.vault),
      authenticate: gate.authenticate,
      render: renderStoreError,
    },
    storeEndpoints,
  )
}

/** The error body of the specification ("Errors"). */
export function renderStoreError(error: StoreError, requestId: string): Answer {
  const { status, code, message, details, headers } = error
  const body = {
    success: false,
    code,
    error: message,
    ...(details && { details }),
    request_id: requestId,
  }
  return { status, body: JSON.stringify(body), headers }
}
