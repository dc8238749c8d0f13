import type { Page } from '../blocks.ts'
import type { ReferenceModel } from '../model.ts'

const VERIFY_TS = `import { verify } from '@tradepost/client/webhooks'

// body: the raw bytes, before any JSON parser. It throws if the signature is wrong or too old.
const event = await verify(body, request.headers, process.env.WEBHOOK_SECRET)
if (event.type === 'order.completed') console.log(event.data.object.id, 'is paid')`

const VERIFY_SH = `# t and v1 from the header Service-Signature, body.json with the raw bytes
printf '%s.' "$t" | cat - body.json | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET"`

const ARRIVES = `POST /hook HTTP/1.1
Content-Type: application/json
Service-Signature: t=1795286971,v1=5c0f…
Service-Event-Id: evt_000000000027s63YJWp5Mg
Service-Event-Type: order.completed
Service-Delivery-Attempt: 1

{"id":"evt_000000000027s63YJWp5Mg","object":"event","type":"order.completed",…}`

/** The delivery of events, the verification of signatures, and the list of all event types. */
export const receiveWebhooks = ({ headers, events }: ReferenceModel): Page => ({
  href: '/docs/webhooks',
  title: 'Receive webhooks',
  description: 'How events reach your server, and how to verify their signature.',
  blocks: [
    {
      kind: 'text',
      text: 'A webhook endpoint is an address of yours that is sent a signed POST when something happens. Create one with [webhooks.create](/docs/store/webhooks#webhooks.create); its secret is shown once.',
    },
    {
      kind: 'samples',
      samples: [{ label: 'Request to your address', language: 'http', text: ARRIVES }],
    },
    { kind: 'fields', title: 'Headers', fields: headers },
    { kind: 'heading', text: 'Verify the signature', id: 'verify-the-signature' },
    {
      kind: 'text',
      text: 'The header `Service-Signature` is `t=<Unix seconds>,v1=<hex>`. The hex is HMAC-SHA256 over `<t>.<raw body>`, with the whole secret of the endpoint, `whsec_` included, as the key.',
    },
    {
      kind: 'list',
      items: [
        'Compute it over the raw bytes, before any JSON parser. JSON that was parsed and written again has other bytes.',
        'Compare in constant time.',
        'Refuse a `t` that is more than 300 seconds away from now.',
        'While a secret is being replaced there are two `v1=` values. One that matches is enough.',
      ],
    },
    {
      kind: 'samples',
      samples: [
        { label: 'TypeScript', language: 'ts', text: VERIFY_TS },
        { label: 'Terminal', language: 'sh', text: VERIFY_SH },
      ],
    },
    { kind: 'heading', text: 'Answer', id: 'answer' },
    {
      kind: 'list',
      items: [
        'Answer with any 2xx within 10 seconds, and do slow work afterwards. Anything else is a failure, redirects included.',
        'Expect the same event more than once, and remember the ids that you have handled: `Service-Event-Id` stays the same.',
        'Events may arrive in another sequence than they happened. Where that matters, read the record again.',
      ],
    },
    { kind: 'heading', text: 'Attempts', id: 'attempts' },
    {
      kind: 'table',
      caption: 'Seven attempts over about 21 hours',
      head: ['Attempt', 'Time after the failure before'],
      rows: [
        ['1', 'at once'],
        ['2', '1 minute'],
        ['3', '5 minutes'],
        ['4', '30 minutes'],
        ['5', '2 hours'],
        ['6', '6 hours'],
        ['7', '12 hours'],
      ],
    },
    {
      kind: 'text',
      text: 'Each attempt is signed anew; the body stays the same. After 40 failures in a row with no success in 3 days the endpoint is turned off. [events.deliveries](/docs/store/webhooks#events.deliveries) is the log.',
    },
    { kind: 'heading', text: 'Try it on your machine', id: 'try-it' },
    {
      kind: 'samples',
      samples: [
        {
          label: 'Terminal',
          language: 'sh',
          text: 'npx tradepost webhooks listen --store "$TRADEPOST_STORE" --forward http://localhost:3000/hook\nnpx tradepost webhooks trigger order.completed --store "$TRADEPOST_STORE"',
        },
      ],
    },
    {
      kind: 'links',
      title: 'Event types',
      id: 'event-types',
      rows: events.map(({ type, when }) => ({
        title: type,
        href: `/docs/events/${type}`,
        about: when,
      })),
    },
  ],
})
