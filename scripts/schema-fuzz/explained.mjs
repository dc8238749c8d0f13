/**
 * Explanations of findings of Schemathesis that are not faults: a valid call was refused by a rule that no schema
 * can express. An answer of 500 or above is always a fault.
 *
 * @type {readonly import('./findings.mjs').Explanation[]}
 */
export const EXPLAINED = [
  {
    reason: 'An id or a code in a body can name a record that the store does not have.',
    messages: [
      /^This store has no (product|partner|order|variant|customer|category|active location) \S+\. Send/,
      /^This (product|zone|order) has no (variant|rate|line) \S+\. (Send|Leave)/,
      /^The customer \d+ was not found\. Send the id of an existing customer\.$/,
      /^There is no record \d+\. Remove it\.$/,
      /^This store has no coupon with this code\. Check the code\.$/,
    ],
  },
  {
    reason: 'A call that sorts records must list the id of every record once.',
    messages: [/^List all ids\. Missing: [\d, ]+\.$/],
  },
  {
    reason:
      'Another record already has the same unique value, because the examples are sent more than once.',
    messages: [
      /^Another (category|group|coupon|link|partner|variant) has this (slug|code|email|SKU)\./,
      /^A customer of this store has this email already\./,
      / is on the blocklist already\. Change that entry instead\.$/,
    ],
  },
  {
    reason: 'A store has at most 20 endpoints, and the calls create more.',
    messages: [/^A store has at most 20 endpoints\. Delete one first\.$/],
  },
  {
    reason: 'The rule compares two fields of the body.',
    messages: [
      /^Use (min|min_qty|min_days) or more, or null\.$/,
      /^Name each variant once, with its quantity\.$/,
      /^Use a time after starts_at\.$/,
      /^Use less than amount_cents\.$/,
      /^Use \d+ or more: the tier before ends there\.$/,
      /^Use more than \d+: the tier before begins there\.$/,
      /^A rate by \w+ needs at least one tier\.$/,
      /^A \w+ coupon has only \w+\. Set \w+ to null\.$/,
      /^A \w+ coupon needs \w+\. Send it\.$/,
      /^Send stock_mode manual with it: \w+ takes no quantity\.$/,
      /^Only a serial variant counts keys\. Use manual or unlimited\.$/,
      /^variants\[0\] is the default one and costs \d+; /,
      /^Send either quantity or delta\.$/,
      /^(device_id: )?Send either device_id or fingerprint\.$/,
      /^(\w+: )?Send one of fingerprint, device_id and ip_cidr\.$/,
      /^Use an email address, or \*@example\.com for all addresses of a domain\.$/,
      /^Use an IPv4 or IPv6 address, or a range such as /,
    ],
  },
  {
    reason: 'The rule compares the body with the path.',
    messages: [/^A customer cannot be merged into itself\. Send the id of another customer\.$/],
  },
  {
    reason: 'A product needs a price, or variants with prices.',
    operation: /^POST \/products$/,
    messages: [/^This field is required\.$/],
  },
  {
    reason: 'The rule depends on the current state of the record.',
    messages: [
      /^Set stock_mode to manual first: calculated takes no quantity\.$/,
      /^Make another variant the default one instead\.$/,
      /^(The kind of this product is|This product has the kind) \w+\. Set product_kind to (subscription|bundle) first\.$/,
      / has the kind \w+\. A bundle can only contain products of the kind single\.$/,
      /^A bundle has no sell_limit of its own; /,
      /^The stock without reserved units is \d+\./,
      /^The wallet has nothing available\./,
      /^The record has changed: its version is now \d+\./,
      /^A clock can be at most ten years ahead\.$/,
      /^Use USD: a store has one currency\.$/,
    ],
  },
  {
    reason:
      'The list of values changes with its standard: countries of ISO 3166-1, time zones of IANA.',
    messages: [
      /^No country has this code\. Use one of ISO 3166-1, such as DE\.$/,
      /^Use an IANA time zone in its exact spelling, such as Europe\/Berlin\.$/,
    ],
  },
  {
    reason: 'A pattern cannot describe all valid URLs, and private addresses are refused.',
    messages: [
      /^Write a (whole address|complete URL), such as https:\/\/example\.com\//,
      /^Use a public address\. This address is private or reserved\.$/,
      /^The host name (is not valid: .+|has no address\.)$/,
      /^Use a URL that begins with https:\/\/, or with http:\/\/localhost\.$/,
      /^Remove the user name and the password\.$/,
    ],
  },
  {
    reason:
      'The schema of a webhook endpoint allows http, because a demo store may send to this machine with it.',
    operation: /^(POST|PATCH) \/webhooks/,
    messages: [/^Use an address that begins with https:\/\/\.$/],
  },
  {
    reason:
      'Each method may be listed once, and `*` only alone. A schema cannot compare parts of elements.',
    messages: [/^Name each method once\.$/, /^Name "\*" alone: it means all\.$/],
  },
  {
    reason:
      'PostgreSQL cannot store NUL characters. A pattern for each text would make the document unreadable.',
    messages: [/^Remove the NUL character \(U\+0000\)\.$/],
  },
  {
    reason: 'A cursor must be the next_cursor of a page of the same list.',
    messages: [/^Use next_cursor of the previous page\.$/],
  },
  {
    reason: 'A period has at most 366 days, which depends on two fields.',
    messages: [/^The period has \d+ days\. Request at most 366 days\.$/],
  },
  {
    reason:
      'A dry run accepts lines that cannot be keys and reports them. Other calls refuse them.',
    operation: /\/variants\/\{variant_id\}\/keys/,
    messages: [/^Write at least one character\.$/, /^Write a key without control characters\.$/],
  },
].flatMap(({ messages, ...explanation }) =>
  messages.map((message) => ({ ...explanation, check: 'positive_data_acceptance', message })),
)
