import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import {
  callEndpoints,
  clockEndpoints,
  mailTemplateEndpoints,
  outboxEndpoints,
  trailEndpoints,
} from '../features/installation/index.ts'
import {
  accountEndpoints,
  affiliateEndpoints,
  analyticsEndpoints,
  billingEndpoints,
  blocklistEndpoints,
  bundleEndpoints,
  categoryAndGroupEndpoints,
  contentEndpoints,
  couponEndpoints,
  customerEndpoints,
  dynamicEndpoints,
  fulfillmentEndpoints,
  orderEndpoints,
  paymentEndpoints,
  paymentMethodEndpoints,
  paymentProviderEndpoints,
  personalDataEndpoints,
  productEndpoints,
  questionEndpoints,
  quoteEndpoints,
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
import { type Code, type Refusal, wordsOf } from '../kernel/errors.ts'

/** All endpoints of the Store API, in the sequence of the reference. */
export const storeEndpoints: readonly Endpoint[] = [
  ...accountEndpoints,
  ...trailEndpoints,
  ...callEndpoints,
  ...outboxEndpoints,
  ...mailTemplateEndpoints,
  ...walletEndpoints,
  ...clockEndpoints,
  ...orderEndpoints,
  ...paymentEndpoints,
  ...paymentMethodEndpoints,
  ...paymentProviderEndpoints,
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
  ...billingEndpoints,
  ...renewalEndpoints,
  ...shippingEndpoints,
  ...quoteEndpoints,
  ...fulfillmentEndpoints,
  ...returnEndpoints,
  ...reviewEndpoints,
  ...questionEndpoints,
  ...ticketEndpoints,
  ...affiliateEndpoints,
  ...analyticsEndpoints,
  ...webhookEndpoints,
]

/** The permissions of areas whose records are public: no keys, no signed links, no personal data. */
const PUBLIC_PERMISSIONS = ['categories:read', 'groups:read', 'products:read']
/** Operations with one of these permissions that return signed links or personal data. */
const NOT_PUBLIC_IDS = ['files.list', 'stock_alerts.list']

/**
 * Only answers without secrets are compressed, because the size of a compressed answer can reveal
 * them (decision 241).
 */
const isCompressed = ({ id, permission, method }: Endpoint): boolean =>
  method === 'GET' && PUBLIC_PERMISSIONS.includes(permission) && !NOT_PUBLIC_IDS.includes(id)

/**
 * Mounts the Store API. `authenticate` checks the API key in `x-api-key`, or the session of the dashboard.
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

/** The code of a refusal that has only a status, such as for an outdated version of a record. */
const DEFAULT_CODE: Code = 'INVALID_STATE'

/** Renders a refusal with a code and the request id (specification, "Errors"). */
export function renderStoreRefusal(refusal: Refusal, requestId: string): Answer {
  const { status, code = DEFAULT_CODE, headers } = refusal
  const body = { success: false, code, ...wordsOf(refusal), request_id: requestId }
  return { status, body: JSON.stringify(body), headers }
}
