import type { App } from '../../app.ts'
import {
  type Command,
  CommandError,
  command,
  type Input,
  requiredArgument,
  SILENT,
  STORE_OPTIONS,
  text,
} from '../../command.ts'
import type { EventType } from '../../events/types.ts'
import { parseDuration } from '../../kernel/time.ts'
import type { StoreContext } from '../../store-context.ts'
import type { DeliveryExplanation } from './explain-delivery.ts'
import type { ListedWebhook, SendResult } from './schema.ts'

/** More endpoints than a store may have. */
const LIST_MAX = 100

const eventTypes = async () => (await import('../../events/types.ts')).EVENT_TYPES

export const webhookCommands = [
  command({
    name: 'webhooks list',
    summary: 'Show the webhook endpoints of a store, with the statistics of their past 7 days.',
    examples: ['tradepost webhooks list', 'tradepost webhooks list --test --json'],
    options: STORE_OPTIONS,
    async run(app, input) {
      const { listWebhooks } = await import('./show-webhooks.ts')
      const page = { limit: LIST_MAX, offset: 0 }
      return (await listWebhooks(await contextOfStore(app, input), page)).webhooks
    },
    async runRemotely(store) {
      const path = `/webhooks?limit=${LIST_MAX}`
      return (await store.call<{ webhooks: ListedWebhook[] }>('GET', path)).webhooks
    },
    print: (webhooks) =>
      webhooks
        .map(({ id, url, enabled }) => `${id}  ${enabled ? 'on' : 'off'}  ${url}`)
        .join('\n') || 'No webhook endpoints.',
  }),

  {
    name: 'webhooks listen',
    summary: 'Receive events like a webhook endpoint, and post them to an address on this machine.',
    examples: [
      'tradepost webhooks listen --test --forward http://localhost:3000/hook',
      'tradepost webhooks listen --test --forward http://localhost:3000/hook --events order.created,order.completed',
    ],
    options: [
      ...STORE_OPTIONS,
      {
        flags: '--forward <url>',
        description: 'the local address, such as http://localhost:3000/hook',
        required: true,
      },
      {
        flags: '--events <types>',
        description: 'event types, separated by commas; all types if omitted',
        values: eventTypes,
      },
    ],
    internalInputs: ['step', 'endpoint', 'relayed', 'delivery_id', 'from'],
    async run(app, input, output = SILENT) {
      const { answerListener } = await import('./listen/answer-listener.ts')
      return answerListener(await contextOfStore(app, input), input, output.signal)
    },
    runRemotely: async (store, input, { signal }) =>
      (await import('./remote-commands.ts')).listenRemotely(store, input, signal),
    runAtTerminal: async (terminal) => (await import('./listen/listen.ts')).listen(terminal),
  } satisfies Command,

  command({
    name: 'webhooks trigger',
    summary:
      'Send a sample event, such as order.completed, to every endpoint that is subscribed to its type.',
    examples: ['tradepost webhooks trigger order.completed --test'],
    args: ['<type>'],
    argValues: eventTypes,
    options: STORE_OPTIONS,
    needsWorkers: true,
    async run(app, input) {
      const { triggerEvent } = await import('./trigger-event.ts')
      const type = await eventTypeOf('<type>', requiredArgument(input, 'type'))
      const result = await triggerEvent(await contextOfStore(app, input), type)
      app.ledger.wake()
      return result
    },
    async runRemotely(store, input) {
      const type = await eventTypeOf('<type>', requiredArgument(input, 'type'))
      return store.call('POST', '/events/trigger', { body: { type } })
    },
    print: ({ event, deliveries }) =>
      `${event} goes to ${deliveries} ${deliveries === 1 ? 'endpoint' : 'endpoints'}.`,
  }),

  command({
    name: 'webhooks test',
    summary: 'Send a sample event to one endpoint, which may be off, and wait for the response.',
    examples: ['tradepost webhooks test ENDPOINT --type order.completed'],
    args: ['<endpoint>'],
    options: [
      ...STORE_OPTIONS,
      {
        flags: '--type <type>',
        description: 'the event type; the first one of the endpoint if omitted',
        values: eventTypes,
      },
    ],
    async run(app, input) {
      const type = text(input, 'type')
      const eventType = type === undefined ? undefined : await eventTypeOf('--type', type)
      const context = await contextOfStore(app, input)
      const { testWebhook } = await import('./manual-attempts.ts')
      return testWebhook(context, requiredArgument(input, 'endpoint'), eventType)
    },
    async runRemotely(store, input) {
      const type = text(input, 'type')
      const body = type === undefined ? {} : { type: await eventTypeOf('--type', type) }
      const path = `/webhooks/${encodeURIComponent(requiredArgument(input, 'endpoint'))}/test`
      const answer = await store.call<{ result: SendResult; delivery: { id: number } }>(
        'POST',
        path,
        { body },
      )
      return { delivery_id: answer.delivery.id, result: answer.result }
    },
    print: ({ delivery_id, result: { ok, status_code, error, duration_ms } }) =>
      ok
        ? `Delivery ${delivery_id} arrived: ${status_code} in ${duration_ms} ms.`
        : `Delivery ${delivery_id} failed: ${error}`,
  }),

  command({
    name: 'webhooks resend',
    summary:
      'Resend one delivery, or all whose newest attempt failed within a period, including those given up.',
    examples: [
      'tradepost webhooks resend --failed-since 2h',
      'tradepost webhooks resend --failed-since 2h --endpoint ENDPOINT',
      'tradepost webhooks resend --delivery 4711',
    ],
    options: [
      ...STORE_OPTIONS,
      {
        flags: '--failed-since <duration>',
        description: 'the length of the period, such as 2h or 3d',
      },
      {
        flags: '--endpoint <id>',
        description: 'only the failed deliveries of this endpoint',
        isIgnoredByEarlierServers: true,
      },
      { flags: '--samples', description: 'also resend samples of `webhooks trigger` and of tests' },
      { flags: '--delivery <id>', description: 'this delivery, also if it arrived' },
    ],
    async run(app, input, output = SILENT) {
      const { delivery, ...options } = resendOptions(input)
      const { storeContextOf } = await import('../../app.ts')
      const { resendFailed, resendOne } = await import('./resend-failed.ts')
      const { store } = await contextOfStore(app, input)
      const contextNow = () => storeContextOf(app, store)
      return delivery === undefined
        ? resendFailed(contextNow, options, output)
        : resendOne(contextNow(), delivery)
    },
    runRemotely: async (store, input, output) =>
      (await import('./remote-commands.ts')).resendRemotely(store, resendOptions(input), output),
    print: ({ resent, failed }) => `${resent} arrived, ${failed} failed again.`,
  }),

  command({
    name: 'webhooks explain',
    summary: 'Show how a delivery is signed, and why a received header does not match.',
    examples: [
      'tradepost webhooks explain 4711 --header "t=1700000000,v1=5257a869" --secret whsec_SECRET',
    ],
    args: ['<delivery>'],
    options: [
      ...STORE_OPTIONS,
      {
        flags: '--header <value>',
        description: 'the Service-Signature that you received, or computed',
      },
      { flags: '--secret <whsec>', description: 'the secret with which you verify' },
      {
        flags: '--clock <seconds>',
        description: "the output of `date +%s` on the receiver's machine",
      },
    ],
    async run(app, input) {
      const { id, header, secret, clock_s } = explainOptions(input)
      const context = await contextOfStore(app, input)
      const { explainDelivery } = await import('./explain-delivery.ts')
      return explainDelivery(context, id, { header, secret, clock_s })
    },
    async runRemotely(store, input) {
      const { id, header, secret, clock_s } = explainOptions(input)
      const body = { header, secret, clock: clock_s }
      return store.call<DeliveryExplanation>('POST', `/events/deliveries/${id}/explain`, { body })
    },
    print: ({ steps, findings }) => [...steps, '', ...findings].join('\n'),
  }),

  command({
    name: 'webhooks standard-headers',
    summary: 'Turn the additional headers of Standard Webhooks on or off for an endpoint.',
    examples: ['tradepost webhooks standard-headers ENDPOINT on'],
    args: ['<endpoint>', '<state>'],
    options: STORE_OPTIONS,
    async run(app, input) {
      const state = requiredArgument(input, 'state')
      if (state !== 'on' && state !== 'off') throw new CommandError('<state>: write on or off.', 2)
      const context = await contextOfStore(app, input)
      const { setStandardHeaders } = await import('./set-standard-headers.ts')
      return setStandardHeaders(context, requiredArgument(input, 'endpoint'), state === 'on')
    },
    print: ({ id, standard_headers }) =>
      `${id} gets ${standard_headers ? 'the headers of Standard Webhooks too' : 'only the Service headers'}.`,
  }),
]

/** Returns the checked options of `webhooks resend`. `delivery` is undefined for all failed deliveries. */
function resendOptions(input: Input) {
  const delivery = text(input, 'delivery')
  const failedSince = text(input, 'failedSince')
  if ((delivery === undefined) === (failedSince === undefined))
    throw new CommandError('Write either --failed-since or --delivery.', 2)
  const webhookId = text(input, 'endpoint')
  if (delivery !== undefined && (webhookId !== undefined || input.samples))
    throw new CommandError('--endpoint and --samples belong to --failed-since.', 2)
  const since_ms = failedSince === undefined ? 0 : parseDuration(failedSince)
  if (delivery === undefined && !since_ms)
    throw new CommandError('--failed-since: write 45m, 2h or 3d.', 2)
  return {
    delivery: delivery === undefined ? undefined : deliveryIdIn(delivery),
    since_ms: since_ms ?? 0,
    samples: input.samples === true,
    webhookId,
  }
}

/** Returns the checked options of `webhooks explain`. */
function explainOptions(input: Input) {
  const clock = text(input, 'clock')
  const id = deliveryIdIn(requiredArgument(input, 'delivery'))
  if (clock !== undefined && !/^\d{1,12}$/.test(clock))
    throw new CommandError('--clock: write Unix seconds, as `date +%s` prints them.', 2)
  const clock_s = clock === undefined ? undefined : Number(clock)
  return { id, header: text(input, 'header'), secret: text(input, 'secret'), clock_s }
}

async function eventTypeOf(name: string, written: string): Promise<EventType> {
  const { EVENT_TYPES } = await import('../../events/types.ts')
  const type = EVENT_TYPES.find((item) => item === written)
  if (!type) throw new CommandError(`${name}: write one of ${EVENT_TYPES.join(', ')}.`, 2)
  return type
}

function deliveryIdIn(written: string): number {
  if (/^\d{1,16}$/.test(written)) return Number(written)
  throw new CommandError(
    `There is no delivery ${written}. The page of the endpoint in the dashboard lists them.`,
  )
}

async function contextOfStore(app: App, input: Input): Promise<StoreContext> {
  const { storeContextOf } = await import('../../app.ts')
  const { findNamedStore } = await import('../installation/index.ts')
  return storeContextOf(app, await findNamedStore(app, input))
}
