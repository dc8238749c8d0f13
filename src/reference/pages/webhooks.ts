import type { ReferencePage } from '../blocks.ts'
import type { ReferenceModel } from '../model.ts'

const VERIFY_TS = `import { verify } from '@tradepost/client/webhooks'

// body: the raw bytes, before any JSON parser. verify() throws if the signature is wrong or too old.
const event = await verify(body, request.headers, process.env.WEBHOOK_SECRET)
if (event.type === 'order.completed') console.log(event.data.object.id, 'is paid')`

const VERIFY_SH = `# t and v1 from the header Service-Signature, body.json with the raw bytes
printf '%s.' "$t" | cat - body.json | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET"`

const REQUEST = `POST /hook HTTP/1.1
Content-Type: application/json
Service-Signature: t=1795286971,v1=5c0f…
Service-Event-Id: evt_000000000027s63YJWp5Mg
Service-Event-Type: order.completed
Service-Delivery-Attempt: 1

{"id":"evt_000000000027s63YJWp5Mg","object":"event","type":"order.completed",…}`

/** The guide to webhooks: signatures, answers, attempts and the list of event types. */
export const receiveWebhooks = ({ headers, events }: ReferenceModel): ReferencePage => ({
  href: '/docs/webhooks',
  title: 'Receive webhooks',
  description: 'Receive events on your server, and verify their signatures.',
  blocks: [
    {
      kind: 'text',
      text: 'A webhook endpoint is a URL on your server to which each event is sent as a signed POST. Create an endpoint with [webhooks.create](/docs/store/webhooks#webhooks.create). Its secret is shown only once.',
    },
    {
      kind: 'samples',
      samples: [{ label: 'Request to your URL', language: 'http', text: REQUEST }],
    },
    { kind: 'fields', title: 'Headers', fields: headers },
    { kind: 'heading', text: 'Verify the signature', id: 'verify-the-signature' },
    {
      kind: 'text',
      text: 'The header `Service-Signature` is `t=<Unix seconds>,v1=<hex>`. `v1` is the HMAC-SHA256 of `<t>.<raw body>` in hexadecimal. The key is the whole secret of the endpoint, including `whsec_`.',
    },
    {
      kind: 'list',
      items: [
        'Compute the HMAC from the raw bytes, before any JSON parser, because parsing and serializing JSON changes its bytes.',
        'Compare the two values in constant time.',
        'Refuse a `t` that is more than 300 seconds away from now.',
        'While a secret is being replaced, the header has two `v1=` values. The signature is valid if one of them matches.',
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
        'Answer with any 2xx within 10 seconds, and do slow work afterwards. Any other answer is a failure, including a redirect.',
        'The same event can be sent more than once. Store the `Service-Event-Id` of the events that you have handled, and ignore repeated ones.',
        'Events can arrive in any sequence. If the sequence matters, read the current state of the record.',
      ],
    },
    { kind: 'heading', text: 'Attempts', id: 'attempts' },
    {
      kind: 'table',
      caption: 'Seven attempts over about 21 hours',
      head: ['Attempt', 'Delay after the previous failure'],
      rows: [
        ['1', 'none'],
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
      text: 'Each attempt has a new signature and the same body. An endpoint is switched off after 40 failures in a row without a success in 3 days. [events.deliveries](/docs/store/webhooks#events.deliveries) lists the deliveries of an event.',
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
      rows: events.map(({ type, summary }) => ({
        title: type,
        href: `/docs/events/${type}`,
        about: summary,
      })),
    },
  ],
})
