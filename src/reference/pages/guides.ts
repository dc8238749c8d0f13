import type { Block, Page, Sample } from '../blocks.ts'
import type { ReferenceModel } from '../model.ts'
import { clientSecurity } from './client-security.ts'
import { receiveWebhooks } from './webhooks.ts'

const text = (line: string): Block => ({ kind: 'text', text: line })
const heading = (line: string, id: string): Block => ({ kind: 'heading', text: line, id })
const list = (...items: string[]): Block => ({ kind: 'list', items })
const samples = (...all: Sample[]): Block => ({ kind: 'samples', samples: all })

/** The guides that apply to every call. */
export const guidesOf = (model: ReferenceModel): Page[] => [
  authentication(model),
  conventions(),
  idempotency(model),
  pagination(model),
  rateLimits(),
  receiveWebhooks(model),
  clientSecurity(model),
]

const authentication = ({ publicUrl }: ReferenceModel): Page => ({
  href: '/docs/authentication',
  title: 'Authentication',
  description: 'API keys, store ids, permissions, and the live and the test side.',
  blocks: [
    text(
      'Every call of the Store API carries two headers: your API key in `x-api-key`, and the id of the store in `x-store-hash`.',
    ),
    samples(
      {
        label: 'curl',
        language: 'sh',
        text: `curl ${publicUrl}/v1/account \\\n  -H "x-api-key: $TRADEPOST_API_KEY" \\\n  -H "x-store-hash: $TRADEPOST_STORE"`,
      },
      {
        label: 'TypeScript',
        language: 'ts',
        text: `import { createClient } from '@tradepost/client'\n\nconst tradepost = createClient({\n  url: '${publicUrl}/v1',\n  apiKey: process.env.TRADEPOST_API_KEY,\n  storeHash: process.env.TRADEPOST_STORE,\n})\n\nconst { account } = await tradepost.account.get()`,
      },
    ),
    text(
      'An API key may do whatever its permissions say, for whoever holds it. Keep it on your servers: never in a web page, an app or a repository.',
    ),
    heading('Live and test', 'live-and-test'),
    text(
      'Every store has a live side and a test side, with a store id each. A key that begins with `sk_live_` opens the live side, one with `sk_test_` the test side. They share no records. On the test side the clock can be moved, and mail is kept instead of sent.',
    ),
    heading('Permissions', 'permissions'),
    text(
      'A permission is an area and `read` or `write`, such as `orders:write`. `write` does not include `read`. Each operation in this reference names the permission that it needs. Without it, the answer is [INSUFFICIENT_SCOPE](/docs/errors/INSUFFICIENT_SCOPE).',
    ),
    heading('Create a key', 'create-a-key'),
    text(
      'Keys are created on the machine that runs the store. A key is shown once; only a keyed hash of it is stored. `--allowed-ips` limits it to addresses, `--expires-at` ends it.',
    ),
    samples({
      label: 'Terminal',
      language: 'sh',
      text: 'npx tradepost keys create --store "$TRADEPOST_STORE" --permissions orders:read,products:read',
    }),
    text(
      'The Client Security API has keys of its own, which begin with `sec_`. See [Client Security](/docs/security).',
    ),
  ],
})

const conventions = (): Page => ({
  href: '/docs/conventions',
  title: 'Conventions',
  description: 'Bodies, answers, money, time, null and ids: what holds for every call.',
  blocks: [
    heading('Bodies', 'bodies'),
    list(
      'A body is JSON in UTF-8, at most 1 MiB, with `content-type: application/json`. Uploads take `multipart/form-data`.',
      'An unknown field of a body is refused and named. An unknown query parameter is ignored.',
      'Several values of a query parameter are joined by commas: `?status=completed,refunded`.',
    ),
    heading('Answers', 'answers'),
    list(
      'Every answer has `success`. What you asked for stands beside it under its own name, such as `order`.',
      'Creating answers 201; everything else that works answers 200, with a body.',
      'Every answer has the header `x-request-id`. Quote it when you ask for support.',
      'A refusal has a `code`: see [Errors](/docs/errors).',
      'The public documents and the catalogue are compressed with Brotli or gzip, if you send `Accept-Encoding`. Answers that may hold keys or personal data are not.',
    ),
    heading('Money', 'money'),
    text(
      'Money is an integer in the minor unit of the currency, in a field that ends with `_cents`: `1999` is €19.99, and ¥1999 for a currency without decimals. Webhook payloads have decimals in major units instead: `19.99`.',
    ),
    heading('Time', 'time'),
    text(
      'A moment is ISO 8601 in UTC with milliseconds: `2026-01-31T09:30:00.000Z`. `created` of an event is in Unix seconds.',
    ),
    heading('Null', 'null'),
    text(
      'A value that does not exist is `null`; the field is there all the same. In a `PATCH`, a field that you leave out keeps its value, and `null` clears it.',
    ),
    heading('Ids', 'ids'),
    text(
      'Orders have ids with a prefix (`ord_…`), products and stores a short hash, other records an integer. An id that cannot be one is answered like an id that nobody has: [NOT_FOUND](/docs/errors/NOT_FOUND).',
    ),
    heading('Changes', 'changes'),
    text(
      'New fields may appear in answers and payloads at any time, so ignore those that you do not know. Branch on `code`, never on the words of `error`.',
    ),
  ],
})

const idempotency = ({ publicUrl }: ReferenceModel): Page => ({
  href: '/docs/idempotency',
  title: 'Idempotency',
  description: 'How to repeat a POST so that it takes effect once.',
  blocks: [
    text(
      'A connection can break after the server did what you asked. Send an `Idempotency-Key` with a POST, and you can repeat the call without doing it twice: the first answer is kept for 24 hours, and a repeat gets the same bytes and changes nothing.',
    ),
    samples({
      label: 'curl',
      language: 'sh',
      text: `curl ${publicUrl}/v1/orders \\\n  -H "x-api-key: $TRADEPOST_API_KEY" \\\n  -H "x-store-hash: $TRADEPOST_STORE" \\\n  -H "Idempotency-Key: invoice-2026-0007" \\\n  -H "content-type: application/json" \\\n  -d '{"items":[{"product_id":"a1B2c3D4e5F6","quantity":1}],"customer":{"email":"ada@example.com"}}'`,
    }),
    list(
      'Every POST of the Store API takes the header. The key is a text of your own with 1 to 255 characters, such as a UUID.',
      'A repeat must be the same request: method, path and the bytes of the body. Another request with the key is [IDEMPOTENCY_KEY_REUSED](/docs/errors/IDEMPOTENCY_KEY_REUSED).',
      'While the first call runs, a repeat is [IDEMPOTENCY_IN_PROGRESS](/docs/errors/IDEMPOTENCY_IN_PROGRESS) with `Retry-After`.',
      'A stored answer carries the header `Idempotency-Replayed: true`.',
      'Kept is what the operation answered, refusals such as `OUT_OF_STOCK` included. Not kept is what was refused before it (401, 403, 429, an invalid body), nor any 5xx: repeat these with the same key.',
      'A key counts for one store and one API key.',
    ),
    text(
      'The TypeScript client makes a key for each POST by itself, and repeats where that is safe.',
    ),
  ],
})

const pagination = ({ publicUrl }: ReferenceModel): Page => ({
  href: '/docs/pagination',
  title: 'Pagination',
  description: 'How lists are read page by page.',
  blocks: [
    text(
      'Lists take `limit` (1 to 100, 25 if you leave it out) and `offset`, the number of records to skip. The answer says where the page lies:',
    ),
    samples({
      label: 'Answer',
      language: 'json',
      text: JSON.stringify(
        { pagination: { total: 312, limit: 25, offset: 50, has_more: true } },
        null,
        2,
      ),
    }),
    text('Read on while `has_more` is true, and raise `offset` by `limit` each time.'),
    samples(
      {
        label: 'curl',
        language: 'sh',
        text: `curl '${publicUrl}/v1/orders?status=completed&sort=created_at&limit=100&offset=100' \\\n  -H "x-api-key: $TRADEPOST_API_KEY" \\\n  -H "x-store-hash: $TRADEPOST_STORE"`,
      },
      {
        label: 'TypeScript',
        language: 'ts',
        text: "for await (const order of tradepost.orders.list({ status: ['completed'], sort: 'created_at' })) {\n  console.log(order.id)\n}",
      },
    ),
    text(
      'Records that appear or disappear while you read move those behind them. So sort by what does not change, with the newest at the end, as above. The lists of audit events take a `cursor` instead: send the `next_cursor` of the last answer.',
    ),
  ],
})

const rateLimits = (): Page => ({
  href: '/docs/rate-limits',
  title: 'Rate limits',
  description: 'How many calls a key may make, and what to do when there are none left.',
  blocks: [
    text(
      'An API key may make 300 calls in any 60 seconds, unless the operator raised its limit. The window slides: each call counts for exactly 60 seconds. A call that is answered with [RATE_LIMITED](/docs/errors/RATE_LIMITED) does not count.',
    ),
    {
      kind: 'table',
      caption: 'Headers of every answer to a known key',
      head: ['Header', 'Meaning'],
      rows: [
        ['`RateLimit-Policy`', 'The limit: `"minute";q=300;w=60` is 300 calls in 60 seconds.'],
        ['`RateLimit`', '`r` calls remain; more come in `t` seconds.'],
        ['`x-ratelimit-limit`', 'Calls in 60 seconds.'],
        ['`x-ratelimit-remaining`', 'Calls that remain.'],
        ['`x-ratelimit-reset`', 'When the oldest counted call leaves the window, Unix seconds.'],
        ['`Retry-After`', 'On 429 and 503: seconds to wait before the next call.'],
      ],
    },
    text('On 429 or 503, wait for `Retry-After` and repeat the call. Do not repeat sooner.'),
    heading('Monthly quota', 'monthly-quota'),
    text(
      'The plan of a store may limit its calls in a calendar month (UTC). Beyond it the answer is [STORE_API_MONTHLY_QUOTA_EXCEEDED](/docs/errors/STORE_API_MONTHLY_QUOTA_EXCEEDED). Calls of a test side do not count. The plan `self_hosted` has no quota.',
    ),
    text(
      'Limits are counted by each process. If the operator runs several, a key may make more calls than its limit.',
    ),
  ],
})
