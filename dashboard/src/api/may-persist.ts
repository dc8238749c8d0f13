const BODY_MAX = 20_000

/** Calls that need a password (decision 137), that answer with a secret, or that send one to be checked. */
const GUARDED_PATH =
  /\/(?:api-keys|team|invitations|payment-providers|withdrawals|payouts|roll-secret|webhook-listeners|explain|dynamic)(?:\/|$)|\/webhooks$/
/** The fields whose values the request log masks (decision 295), and those with similar names. */
const SECRET_FIELD =
  /"[\w-]*(?:keys?|values?|text|hash|secret|password|passphrase|token|hmac|enc|message|fingerprint|signature|base64|authorization|cookie|credentials|settings|components)":/i

/** Returns true if a change may be stored in the browser: it is short, and neither it nor its answer has a secret. */
export const mayPersist = (path: string, body: string | undefined): boolean =>
  !GUARDED_PATH.test(path) &&
  (body === undefined || (body.length <= BODY_MAX && !SECRET_FIELD.test(body)))
