import type { Code } from '../kernel/errors.ts'

/** The remedy for each error code, in the words of the reference. */
export const CURES: Record<Code, string> = {
  INVALID_JSON:
    'Send the body as JSON in UTF-8. Print the exact bytes that your program sends: a trailing comma, single quotes and a repeated key are the usual causes.',
  CALLBACK_REJECTED:
    'Only a payment provider calls this address. If the calls are those of your provider, connect it again with the secret that it shows for this address, and check the clock of the server.',
  MISSING_API_KEY:
    'Send your API key in the header `x-api-key` with every call. See [Authentication](/docs/authentication).',
  MISSING_STORE_HASH:
    'Send the id of the store in the header `x-store-hash` with every call. See [Authentication](/docs/authentication).',
  INVALID_API_KEY:
    'Compare the whole key with the key that was shown when it was created. If the key was revoked, create another one with `npx tradepost keys create`.',
  API_KEY_EXPIRED:
    'Create another key with `npx tradepost keys create`, with a later expiry or without one, and replace the old key.',
  SIGN_IN_REQUIRED:
    'Sign in at `/dashboard`. A session ends after 12 hours without a call and after 30 days in any case.',
  SIGN_IN_FAILED:
    'Check the email address and the password. If the password is lost, an operator can create a reset link with `npx tradepost users reset --email E`.',
  CODE_REQUIRED:
    'Repeat the call with the field `code`: the six digits of the authenticator app, or a recovery code.',
  INSUFFICIENT_SCOPE:
    'Use a key that has the permission in `details.required`. Each operation in this reference names the permission that it needs.',
  IP_NOT_ALLOWED:
    'Call from an IP address that the key allows, or create a key that allows your IP address. If Tradepost runs behind a proxy, the operator must list the proxy in `TRADEPOST_TRUSTED_PROXIES`.',
  ORIGIN_NOT_ALLOWED:
    'Open the dashboard at the address in `TRADEPOST_PUBLIC_URL`. Programs use the Store API with an API key instead.',
  HTTPS_REQUIRED:
    'Put a reverse proxy with a certificate in front of Tradepost, and set `TRADEPOST_PUBLIC_URL` to its https address.',
  STEP_UP_REQUIRED: 'Send the password to `POST /dashboard/api/step-up`, then repeat the call.',
  STORE_NOT_ALLOWED:
    'Use a key of this store and side. `sk_live_` keys are for the live side, `sk_test_` keys for the test side, and each side has its own store id.',
  STORE_API_NOT_IN_PLAN: 'Move the store to a plan that includes the Store API.',
  FEATURE_NOT_ENABLED: 'Switch on the feature in `details.feature` for this store.',
  CUSTOMER_BLOCKED: 'Remove the customer from the blocklist to accept the order.',
  NOT_FOUND:
    'Check the id. The record must belong to the store and the side (live or test) of the call.',
  STORE_NOT_FOUND: 'Check the header `x-store-hash`: no store has this id.',
  METHOD_NOT_ALLOWED: 'Use one of the methods in the header `Allow`.',
  INVOICE_PAID: 'Refund the order instead: [orders.refund](/docs/store/orders#orders.refund).',
  INVALID_STATE:
    'Read the record again. `details.status` is its current state, which does not allow this call. Repeating the same call does not help.',
  OUT_OF_STOCK:
    'Order at most `details.available` units, or add stock first: at least `details.missing` units for a line of a paid order. Repeating the same call does not help.',
  ENDPOINT_DELETED:
    'The delivery can no longer be sent. Create a webhook endpoint to receive new events.',
  DELIVERY_IN_PROGRESS: 'Wait for the attempt to end, then read the delivery again.',
  IDEMPOTENCY_IN_PROGRESS:
    'Repeat the call with the same idempotency key after the seconds in `Retry-After`. The answer is then the answer to the first call. See [Idempotency](/docs/idempotency).',
  PAYLOAD_TOO_LARGE: 'Send a smaller body, or several calls. The message names the limit.',
  UNSUPPORTED_MEDIA_TYPE:
    'Send `content-type: application/json`, or `multipart/form-data` for an upload. Do not compress the body.',
  VALIDATION_FAILED:
    'Correct the field in `details.field`. `details.errors` lists all invalid fields, so that you can correct them together.',
  IDEMPOTENCY_KEY_REUSED:
    'Use a new idempotency key for a new request. To repeat a request, send the same method, path and body bytes. See [Idempotency](/docs/idempotency).',
  COUPON_INVALID:
    'Show the customer the reason, which is in `details.reason`, and order without the coupon.',
  REFUND_EXCEEDS_PAID: 'Refund at most the amount that was paid and not yet refunded.',
  PROVIDER_REFUSED:
    'Read the message: it is that of the provider. Look up `details.provider_code` in its documentation, change the order or the account at the provider, and start another payment.',
  RATE_LIMITED:
    'Wait for the seconds in `Retry-After`, then repeat the call. See [Rate limits](/docs/rate-limits).',
  STORE_API_MONTHLY_QUOTA_EXCEEDED:
    'Wait for the next calendar month (UTC), or move the store to a larger plan. Calls of a test side do not count.',
  HEADERS_TOO_LARGE:
    'Send fewer or shorter headers. The usual cause is cookies of other programs on the same host.',
  INTERNAL_ERROR:
    'Repeat the call, with the same `Idempotency-Key` if it is a POST. If the call fails again, send the `request_id` to the operator, who can find the cause in the log.',
  SERVICE_UNAVAILABLE:
    'Repeat the same call after the seconds in `Retry-After`, with the same `Idempotency-Key` if it is a POST.',
}
