import type { App } from '../../app.ts'
import {
  type Command,
  CommandError,
  command,
  type Input,
  needed,
  SILENT,
  STORE_OPTIONS,
  text,
} from '../../command.ts'
import type { EventType } from '../../events/types.ts'
import { parseDuration } from '../../kernel/time.ts'
import type { StoreContext } from '../../store-context.ts'

/** More than a store may have. */
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
    print: (webhooks) =>
      webhooks
        .map(({ id, url, enabled }) => `${id}  ${enabled ? 'on' : 'off'}  ${url}`)
        .join('\n') || 'No webhook endpoints.',
  }),

  {
    name: 'webhooks listen',
    summary: 'Take events as a webhook endpoint does, and post them to an address on this machine.',
    examples: [
      'tradepost webhooks listen --test --forward http://localhost:3000/hook',
      'tradepost webhooks listen --test --forward http://localhost:3000/hook --events order.created,order.completed',
    ],
    options: [
      ...STORE_OPTIONS,
      {
        flags: '--forward <url>',
        description: 'such as http://localhost:3000/hook',
        required: true,
      },
      {
        flags: '--events <types>',
        description: 'comma separated; all where it is left out',
        values: eventTypes,
      },
    ],
    async run(app, input, output = SILENT) {
      const { answerListener } = await import('./listen/answer-listener.ts')
      return answerListener(await contextOfStore(app, input), input, output.signal)
    },
    attend: async (terminal) => (await import('./listen/listen.ts')).listen(terminal),
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
      const { EVENT_TYPES } = await import('../../events/types.ts')
      const { triggerEvent } = await import('./trigger-event.ts')
      const type = EVENT_TYPES.find((item) => item === input.type)
      if (!type) throw new CommandError(`<type>: write one of ${EVENT_TYPES.join(', ')}.`, 2)
      const triggered = await triggerEvent(await contextOfStore(app, input), type as EventType)
      app.ledger.wake()
      return triggered
    },
    print: ({ event, deliveries }) =>
      `${event} goes to ${deliveries} ${deliveries === 1 ? 'endpoint' : 'endpoints'}.`,
  }),

  command({
    name: 'webhooks resend',
    summary: 'Send again what failed its newest attempt in a time, given up or not.',
    examples: ['tradepost webhooks resend --failed-since 2h'],
    options: [
      ...STORE_OPTIONS,
      { flags: '--failed-since <duration>', description: 'such as 2h or 3d', required: true },
      { flags: '--samples', description: 'samples of `webhooks trigger` and of test sends too' },
    ],
    async run(app, input, output = SILENT) {
      const since_ms = parseDuration(needed(input, 'failedSince'))
      if (!since_ms) throw new CommandError('--failed-since: write 45m, 2h or 3d.', 2)
      const { storeContextOf } = await import('../../app.ts')
      const { resendFailed } = await import('./resend-failed.ts')
      const store = (await contextOfStore(app, input)).store
      const failed = { since_ms, samples: input.samples === true }
      return resendFailed(() => storeContextOf(app, store), failed, output)
    },
    print: ({ resent, failed }) => `${resent} arrived, ${failed} failed again.`,
  }),

  command({
    name: 'webhooks explain',
    summary: 'Show how a delivery is signed, and why a header you received does not match.',
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
      { flags: '--secret <whsec>', description: 'the secret that you verify with' },
      { flags: '--clock <seconds>', description: "what `date +%s` says on the receiver's machine" },
    ],
    async run(app, input) {
      const id = needed(input, 'delivery')
      if (!/^\d{1,16}$/.test(id)) throw new CommandError(`There is no delivery ${id}.`)
      const clock = text(input, 'clock')
      if (clock !== undefined && !/^\d{1,12}$/.test(clock)) {
        throw new CommandError('--clock: write Unix seconds, as `date +%s` prints them.', 2)
      }
      const context = await contextOfStore(app, input)
      const { explainDelivery } = await import('./explain-delivery.ts')
      return explainDelivery(context, Number(id), {
        header: text(input, 'header'),
        secret: text(input, 'secret'),
        clock_s: clock === undefined ? undefined : Number(clock),
      })
    },
    print: ({ steps, findings }) => [...steps, '', ...findings].join('\n'),
  }),

  command({
    name: 'webhooks standard-headers',
    summary: 'Send the headers of Standard Webhooks too (on), or no longer (off).',
    examples: ['tradepost webhooks standard-headers ENDPOINT on'],
    args: ['<endpoint>', '<state>'],
    options: STORE_OPTIONS,
    async run(app, input) {
      const state = needed(input, 'state')
      if (state !== 'on' && state !== 'off') throw new CommandError('<state>: write on or off.', 2)
      const context = await contextOfStore(app, input)
      const { setStandardHeaders } = await import('./set-standard-headers.ts')
      return setStandardHeaders(context, needed(input, 'endpoint'), state === 'on')
    },
    print: ({ id, standard_headers }) =>
      `${id} gets ${standard_headers ? 'the headers of Standard Webhooks too' : 'our headers only'}.`,
  }),
]

async function contextOfStore(app: App, input: Input): Promise<StoreContext> {
  const { storeContextOf } = await import('../../app.ts')
  const { asStore, storeNamed } = await import('../installation/index.ts')
  return storeContextOf(app, asStore(await storeNamed(app, input)))
}
