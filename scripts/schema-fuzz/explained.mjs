/**
 * Findings of Schemathesis that are right as they are. A schema describes one call; each reason here is
 * one that no schema can state. An answer of 500 or above is never explained.
 *
 * @type {readonly import('./findings.mjs').Explanation[]}
 */
export const EXPLAINED = [
  {
    why: 'An id in a body can name a record that the store does not have.',
    messages: [
      /^There is no (product|partner|order|variant|customer) with this id\.$/,
      /^The store has no (product|order|customer) with this id\.$/,
      /^This (product|zone|order) has no (variant|rate|item) with this id\.$/,
      /^The customer \d+ was not found\.$/,
      /^No record has this id; remove it\.$/,
    ],
  },
  {
    why: 'A list that sets an order names each record of the store once.',
    messages: [/^List all ids; [\d, ]+ missing\.$/],
  },
  {
    why: 'Another record has this name already. The examples are sent more than once.',
    messages: [
      /^Another (category|group|coupon|link|partner|variant) has this (slug|code|email|SKU)\.$/,
      /^A customer of this store has this address already\./,
      / is on the blocklist already\. Change that entry instead\.$/,
    ],
  },
  {
    why: 'A store has at most 20 endpoints, and the calls create more.',
    messages: [/^A store has at most 20 endpoints; delete one first\.$/],
  },
  {
    why: 'The rule compares two fields of the body.',
    messages: [
      /^Use (min|min_qty|min_days) or more, or null\.$/,
      /^Name each variant once, with its quantity\.$/,
      /^Use a moment after starts_at\.$/,
      /^Use less than amount_cents\.$/,
      /^Begin at 0 or above, past the last\.$/,
      /^A rate by \w+ needs at least one tier\.$/,
      /^Remove it: a \w+ coupon has only \w+\.$/,
      /^Send it: a \w+ coupon needs \w+\.$/,
      /^Send stock_mode manual with it: \w+ takes no quantity\.$/,
      /^Only a serial variant counts keys; use manual or unlimited\.$/,
      /^variants\[0\] is the default one and costs \d+; /,
      /^Send either quantity or delta\.$/,
      /^(device_id: )?Send either device_id or fingerprint\.$/,
      /^(\w+: )?Send one of fingerprint, device_id and ip_cidr\.$/,
      /^Use an e-mail address, or \*@example\.com for all addresses of a domain\.$/,
      /^Use an IPv4 or IPv6 address, or a range such as /,
    ],
  },
  {
    why: 'The rule compares the body with the path.',
    messages: [/^Name another customer than the one that is merged\.$/],
  },
  {
    why: 'A product needs a price of its own or variants with theirs.',
    operation: /^POST \/products$/,
    messages: [/^This field is required\.$/],
  },
  {
    why: 'The rule depends on what the record is now.',
    messages: [
      /^Set stock_mode to manual first: calculated takes no quantity\.$/,
      /^Make another variant the default one instead\.$/,
      /^This product is of the kind \w+; set product_kind to (subscription|bundle) first\.$/,
      / is of the kind \w+; a bundle contains products of the kind single\.$/,
      /^A bundle has no sell_limit of its own; /,
      /^Only \d+ can be taken away\.$/,
      /^The wallet has nothing available\./,
      /^The record has changed: its version is now \d+\./,
      /^A clock can be at most ten years ahead\.$/,
      /^Use USD: a store has one currency\.$/,
    ],
  },
  {
    why: 'A list by a standard that changes: countries of ISO 3166-1, time zones of IANA.',
    messages: [
      /^No country has this code; use one of ISO 3166-1, such as DE\.$/,
      /^Use an IANA time zone in its exact spelling, such as Europe\/Berlin\.$/,
    ],
  },
  {
    why: 'The syntax of URLs is no pattern, and addresses are checked against those that are private.',
    messages: [
      /^Write a whole address, such as https:\/\/example\.com\//,
      /^Use a public address: this one is private or reserved\.$/,
      /^The host name (is not valid|has no address)\.$/,
    ],
  },
  {
    why: 'A demo sends to http only on this machine, so the schema of an endpoint allows http.',
    operation: /^(POST|PATCH) \/webhooks/,
    messages: [/^Use an address that begins with https:\/\/\.$/],
  },
  {
    why: 'Each method, and `*` beside other event types, may stand once: a rule about parts of elements.',
    messages: [/^Name each method once\.$/, /^Name "\*" alone: it means all\.$/],
  },
  {
    why: 'PostgreSQL stores no NUL character; a pattern at each text would hide what the field is.',
    messages: [/^Remove the NUL character \(U\+0000\)\.$/],
  },
  {
    why: 'A cursor is one that a page of the same list gave.',
    messages: [/^Use next_cursor of the previous page\.$/],
  },
  {
    why: 'A period has at most 366 days, and its bounds may be any days.',
    messages: [/^The period has \d+ days\. Ask for at most 366 at once\.$/],
  },
  {
    why: 'A dry run takes lines that cannot be a key, and says which; any other call refuses them.',
    operation: /\/variants\/\{variant_id\}\/keys/,
    messages: [/^Write at least one character\.$/, /^Write a key without control characters\.$/],
  },
].flatMap(({ messages, ...explanation }) =>
  messages.map((message) => ({ ...explanation, check: 'positive_data_acceptance', message })),
)
