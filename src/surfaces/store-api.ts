import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { clockEndpoints, outboxEndpoints, trailEndpoints } from '../features/installation/index.ts'
import {
  accountEndpoints,
  affiliateEndpoints,
  analyticsEndpoints,
  blocklistEndpoints,
  bundleEndpoints,
  categoryAndGroupEndpoints,
  contentEndpoints,
  couponEndpoints,
  customerEndpoints,
  dynamicEndpoints,
  fulfillmentEndpoints,
  orderEndpoints,
  personalDataEndpoints,
  productEndpoints,
  questionEndpoints,
  renewalEndpoints,
  returnEndpoints,
  reviewEndpoints,
  shippingEndpoints,
  stockAlertEndpoints,
  stockEndpoints,
  subscriptionEndpoints,
  ticketEndpoints,
  walletEndpoints,
} from '../features/store/index.ts'
import { webhookEndpoints } from '../features/webhooks/index.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { type Answer, createIdempotency } from '../http/idempotency.ts'
import { mount, type Surface } from '../http/mount.ts'
import type { Code, Refusal } from '../kernel/errors.ts'

/** All endpoints of the Store API, in the order of its reference. */
export const storeEndpoints: readonly Endpoint[] = [
  ...accountEndpoints,
  ...trailEndpoints,
  ...outboxEndpoints,
  ...walletEndpoints,
  ...clockEndpoints,
  ...orderEndpoints,
  ...productEndpoints,
  ...bundleEndpoints,
  ...dynamicEndpoints,
  ...contentEndpoints,
  ...stockAlertEndpoints,
  ...stockEndpoints,
  ...categoryAndGroupEndpoints,
  ...couponEndpoints,
  ...customerEndpoints,
  ...personalDataEndpoints,
  ...blocklistEndpoints,
  ...subscriptionEndpoints,
  ...renewalEndpoints,
  ...shippingEndpoints,
  ...fulfillmentEndpoints,
  ...returnEndpoints,
  ...reviewEndpoints,
  ...questionEndpoints,
  ...ticketEndpoints,
  ...affiliateEndpoints,
  ...analyticsEndpoints,
  ...webhookEndpoints,
]

/** Areas with public records: no keys, no signed links, no personal data. */
const PUBLIC_RECORDS = ['categories:read', 'groups:read', 'products:read']
const WITH_LINKS_OR_PEOPLE = ['files.list', 'stock_alerts.list']

/**
 * Only answers without secrets are compressed, because the size of a compressed answer can reveal
 * them (decision 241).
 */
const isCompressed = ({ id, permission, method }: Endpoint): boolean =>
  method === 'GET' && PUBLIC_RECORDS.includes(permission) && !WITH_LINKS_OR_PEOPLE.includes(id)

/**
 * The Store API, with coded errors and a `request_id` in each error. `authenticate` is the key in
 * `x-api-key`, or the session of the dashboard.
 */
export function mountStoreApi(
  server: FastifyInstance,
  app: App,
  authenticate: Surface['authenticate'],
) {
  mount(
    server,
    {
      app,
      idempotency: createIdempotency(app.vault),
      authenticate,
      isCompressed,
      render: renderStoreRefusal,
    },
    storeEndpoints,
  )
}

/** The code of a refusal that has only a status, as of a version that is no longer current. */
const CODE_BY_DEFAULT: Code = 'INVALID_STATE'

/** The error body of the specification ("Errors"). */
export function renderStoreRefusal(refusal: Refusal, requestId: string): Answer {
  const { status, code = CODE_BY_DEFAULT, message, details, headers } = refusal
  const body = {
    success: false,
    code,
    error: message,
    ...(details && { details }),
    request_id: requestId,
  }
  return { status, body: JSON.stringify(body), headers }
}
