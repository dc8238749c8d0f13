import type { Block, ReferencePage, Sample } from '../blocks.ts'
import type { ReferenceModel } from '../model.ts'
import { clientSecurity } from './client-security.ts'
import { receiveWebhooks } from './webhooks.ts'

const text = (line: string): Block => ({ kind: 'text', text: line })
const heading = (line: string, id: string): Block => ({ kind: 'heading', text: line, id })
const list = (...items: string[]): Block => ({ kind: 'list', items })
const samples = (...all: Sample[]): Block => ({ kind: 'samples', samples: all })

/** Returns the guides. */
export const guidesOf = (model: ReferenceModel): ReferencePage[] => [
  authentication(model),
  conventions(),
  idempotency(model),
  pagination(model),
  rateLimits(),
  receiveWebhooks(model),
  clientSecurity(model),
]

const authentication = ({ publicUrl }: ReferenceModel): ReferencePage => ({
  href: '/docs/authentication',
  title: 'Authentication',
  description: 'API keys, store ids, permissions, and the live and test sides of a store.',
  blocks: [
    text(
      'Every call of the Store API needs two headers: your API key in `x-api-key`, and the id of the store in `x-store-hash`.',
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
      'The package `@tradepost/client` is in the folder `sdk/` of the repository of Tradepost. `npm ci && npm pack -w @tradepost/client` there makes a file, which `npm install` adds to your project. Other languages call the API directly, or generate a client from [openapi.json](/openapi.json).',
    ),
    text(
      'Anyone who has an API key can use its permissions. Keep the key on your servers, and never put it in a web page, an app or a repository.',
    ),
    heading('Live and test', 'live-and-test'),
    text(
      'Every store has a live side and a test side, each with its own store id. API keys for the live side begin with `sk_live_`, and API keys for the test side with `sk_test_`. The two sides share no records. On the test side the clock can be moved ahead, and emails are stored but not sent.',
    ),
    heading('Permissions', 'permissions'),
    text(
      'A permission consists of an area and `read` or `write`, such as `orders:write`. `write` does not include `read`. Each operation in this reference names the permission that it needs. A call without the permission is answered with [INSUFFICIENT_SCOPE](/docs/errors/INSUFFICIENT_SCOPE).',
    ),
    heading('Create a key', 'create-a-key'),
    text(
      'Keys are created on the machine that runs Tradepost. A key is shown only once, because only a keyed hash of it is stored. `--allowed-ips` limits a key to IP addresses, and `--expires-at` sets the time at which it expires.',
    ),
    samples({
      label: 'Terminal',
      language: 'sh',
      text: 'npx tradepost keys create --store "$TRADEPOST_STORE" --permissions orders:read,products:read',
    }),
    text(
      'The Client Security API has its own keys, which begin with `sec_`. See [Client Security](/docs/security).',
    ),
  ],
})

const conventions = (): ReferencePage => ({
  href: '/docs/conventions',
  title: 'Conventions',
  description: 'Rules for all calls: bodies, answers, money, time, null and ids.',
  blocks: [
    heading('Bodies', 'bodies'),
    list(
      'A body is JSON in UTF-8, at most 1 MiB, with `content-type: application/json`. Uploads are `multipart/form-data`.',
      'A body with an unknown field is refused, and the answer names the field. Unknown query parameters are ignored.',
      'Join several values of a query parameter by commas: `?status=completed,refunded`.',
    ),
    heading('Answers', 'answers'),
    list(
      'Every answer has the field `success`. The record or list is in a field with its name, such as `order`.',
      'A call that creates a record is answered with 201, and any other successful call with 200. Both have a body.',
      'Every answer has the header `x-request-id`. Send this id when you ask for support.',
      'A refusal has a `code`: see [Errors](/docs/errors).',
      'The public documents and the catalogue are compressed with Brotli or gzip if you send `Accept-Encoding`. Answers that may contain keys or personal data are not compressed.',
    ),
    heading('Money', 'money'),
    text(
      'Money is an integer in the minor unit of the currency, in a field whose name ends with `_cents`: `1999` is €19.99, or ¥1999 because the yen has no decimals. Webhook payloads have decimals in major units instead, such as `19.99`.',
    ),
    heading('Time', 'time'),
    text(
      'A time is ISO 8601 in UTC with milliseconds: `2026-01-31T09:30:00.000Z`. The field `created` of an event is in Unix seconds.',
    ),
    heading('Null', 'null'),
    text(
      'If a value does not exist, its field is `null` and not omitted. In a `PATCH`, a field that you leave out keeps its value, and `null` clears it.',
    ),
    heading('Ids', 'ids'),
    text(
      'Orders have ids with a prefix (`ord_…`), products and stores have a short hash, and most other records have an integer. A malformed id is answered like an unknown id: [NOT_FOUND](/docs/errors/NOT_FOUND).',
    ),
    heading('Changes', 'changes'),
    text(
      'New fields may be added to answers and payloads at any time, so ignore unknown fields. Branch on `code`, never on the text of `error`.',
    ),
  ],
})

const idempotency = ({ publicUrl }: ReferenceModel): ReferencePage => ({
  href: '/docs/idempotency',
  title: 'Idempotency',
  description: 'Repeat a POST safely, so that it takes effect only once.',
  blocks: [
    text(
      'A connection can break after the server has processed your call. If you send an `Idempotency-Key` with a POST, you can repeat the call without a second effect: the first answer is stored for 24 hours, and a repeated call changes nothing and returns the same bytes.',
    ),
    samples({
      label: 'curl',
      language: 'sh',
      text: `curl ${publicUrl}/v1/orders \\\n  -H "x-api-key: $TRADEPOST_API_KEY" \\\n  -H "x-store-hash: $TRADEPOST_STORE" \\\n  -H "Idempotency-Key: invoice-2026-0007" \\\n  -H "content-type: application/json" \\\n  -d '{"items":[{"product_id":"a1B2c3D4e5F6","quantity":1}],"customer":{"email":"ada@example.com"}}'`,
    }),
    list(
      'Every POST of the Store API accepts the header. The key is a text of your own with 1 to 255 characters, such as a UUID.',
      'A repeated request must have the same method, path and body bytes. A different request with the same key is answered with [IDEMPOTENCY_KEY_REUSED](/docs/errors/IDEMPOTENCY_KEY_REUSED).',
      'While the first call runs, a repeated call is answered with [IDEMPOTENCY_IN_PROGRESS](/docs/errors/IDEMPOTENCY_IN_PROGRESS) with `Retry-After`.',
      'A stored answer has the header `Idempotency-Replayed: true`.',
      'The answer of the operation is stored, including a refusal such as `OUT_OF_STOCK`. Refusals before the operation runs (401, 403, 429 or an invalid body) and all 5xx are not stored. You can repeat such a call with the same key.',
      'An idempotency key belongs to one store and one API key. Another API key can use the same text.',
    ),
    text(
      'The TypeScript client creates an idempotency key for each POST, and repeats failed calls where this is safe.',
    ),
  ],
})

const pagination = ({ publicUrl }: ReferenceModel): ReferencePage => ({
  href: '/docs/pagination',
  title: 'Pagination',
  description: 'Read lists page by page.',
  blocks: [
    text(
      'Lists have the parameters `limit` (1 to 100, default 25) and `offset`, the number of records to skip. The answer describes the page:',
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
    text('Continue while `has_more` is true, and increase `offset` by `limit` each time.'),
    text(
      'The lists of orders and customers also take a `cursor`: send the `pagination.next_cursor` of the previous answer with the same filters and the same sort, and without `offset`, until it is null. No record is then repeated or missed while others are created, and a late page costs no more than the first. A cursor that was changed, or is sent with other filters, is 422.',
    ),
    samples(
      {
        label: 'curl',
        language: 'sh',
        text: `curl '${publicUrl}/v1/orders?status=completed&limit=100&cursor=WyIyMDI2LTEx…' \\\n  -H "x-api-key: $TRADEPOST_API_KEY" \\\n  -H "x-store-hash: $TRADEPOST_STORE"`,
      },
      {
        label: 'TypeScript',
        language: 'ts',
        text: "for await (const order of tradepost.orders.list({ status: ['completed'], sort: 'created_at' })) {\n  console.log(order.id)\n}",
      },
    ),
    text(
      'If a record is created or deleted while you read with an offset, the following records move to other pages. To miss none, sort by a field that never changes, with the newest last. The lists of audit events have a `cursor` instead: send the `next_cursor` of the previous answer.',
    ),
  ],
})

const rateLimits = (): ReferencePage => ({
  href: '/docs/rate-limits',
  title: 'Rate limits',
  description: 'The number of calls that a key may make, and what to do beyond this limit.',
  blocks: [
    text(
      'An API key may make 300 calls in any 60 seconds, unless the operator raised its limit. Each call counts for exactly 60 seconds (a sliding window). A call that is answered with [RATE_LIMITED](/docs/errors/RATE_LIMITED) does not count.',
    ),
    {
      kind: 'table',
      caption: 'Headers of every answer to a call with a valid key',
      head: ['Header', 'Meaning'],
      rows: [
        ['`RateLimit-Policy`', 'The limit: `"minute";q=300;w=60` is 300 calls in 60 seconds.'],
        [
          '`RateLimit`',
          '`r` is the number of remaining calls, and `t` the number of seconds until more calls are available.',
        ],
        ['`x-ratelimit-limit`', 'The number of calls allowed in 60 seconds.'],
        ['`x-ratelimit-remaining`', 'The number of remaining calls.'],
        [
          '`x-ratelimit-reset`',
          'The time at which the oldest counted call leaves the window, in Unix seconds.',
        ],
        ['`Retry-After`', 'On 429 and 503: the number of seconds to wait before the next call.'],
      ],
    },
    text('On 429 or 503, wait for the seconds in `Retry-After` and then repeat the call.'),
    heading('Monthly quota', 'monthly-quota'),
    text(
      'The plan of a store may limit its calls in a calendar month (UTC). Calls beyond the quota are answered with [STORE_API_MONTHLY_QUOTA_EXCEEDED](/docs/errors/STORE_API_MONTHLY_QUOTA_EXCEEDED). Calls of a test side do not count. The plan `self_hosted` has no quota.',
    ),
    text(
      'Each server process counts calls on its own. If several processes run without Redis, a key can make more calls than its limit.',
    ),
  ],
})
