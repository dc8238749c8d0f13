import type { App } from '../../../app.ts'
import {
  CommandError,
  command,
  type Input,
  plain,
  requiredArgument,
  SILENT,
  STORE_OPTIONS,
  text,
} from '../../../command.ts'
import type { CheckedConnection } from './check-connections.ts'
import type { PaymentCallback } from './schema.ts'
import type { SweptPayment } from './sweep-payments.ts'

const CALLBACKS = 20
const CALLBACK_STATUSES = ['received', 'applied', 'ignored', 'failed'] as const

async function storeOf(app: App, input: Input) {
  const { findNamedStore } = await import('../../installation/index.ts')
  return findNamedStore(app, input)
}

async function contextOf(app: App, input: Input) {
  const { storeContextOf } = await import('../../../app.ts')
  return storeContextOf(app, await storeOf(app, input))
}

export const paymentCommands = [
  command({
    name: 'payments connect',
    summary:
      'Connect a payment provider to a store, or replace its keys, which are read from standard input.',
    examples: [
      'tradepost payments connect stripe --store HASH',
      'tradepost payments connect stripe --test',
      'tradepost payments connect test --test',
    ],
    args: ['<provider>'],
    argValues: () => ['stripe', 'test'],
    options: STORE_OPTIONS,
    internalInputs: ['credentials'],
    async before(_, input) {
      const { readCredentials } = await import('./read-credentials.ts')
      const provider = requiredArgument(input, 'provider')
      input.credentials = await readCredentials(process.stdin, provider)
    },
    async run(app, input) {
      const { connectByCommand } = await import('./connect-by-command.ts')
      const provider = requiredArgument(input, 'provider')
      const credentials = (input.credentials ?? {}) as Record<string, string>
      return connectByCommand(await contextOf(app, input), provider, credentials)
    },
    print: ({ provider, account, callback_url }) =>
      [
        `${provider} is connected${account === null ? '' : ` to ${account}`}.`,
        ...(provider === 'test' ? [] : [`Its callbacks go to ${callback_url}`]),
      ].join('\n'),
  }),

  command({
    name: 'payments list',
    summary: 'List the payment providers of a store, and their states.',
    examples: ['tradepost payments list', 'tradepost payments list --test --json'],
    options: STORE_OPTIONS,
    async run(app, input) {
      const { listProviders } = await import('../payment-providers/index.ts')
      return listProviders(await contextOf(app, input))
    },
    print: (providers, paint = plain) =>
      providers
        .flatMap(({ provider, status, account, callback_url, last_callback_at, last_error }) => [
          `${provider}  ${status ?? 'not connected'}${account === null ? '' : `  ${account}`}`,
          `  callbacks  ${callback_url}`,
          ...(status === null ? [] : [`  last one   ${last_callback_at ?? 'never'}`]),
          ...(status === 'failing' && last_error ? [paint('red', `  ${last_error}`)] : []),
        ])
        .join('\n'),
  }),

  command({
    name: 'payments sweep',
    summary:
      'Ask the providers about the payments of a store that are due to be checked, and apply what they say.',
    examples: ['tradepost payments sweep --store HASH', 'tradepost payments sweep --test --all'],
    options: [
      ...STORE_OPTIONS,
      { flags: '--all', description: 'every open payment, also one that is not due yet' },
    ],
    async run(app, input, { signal } = SILENT) {
      const { sweepPayments } = await import('./sweep-payments.ts')
      const store = await storeOf(app, input)
      const payments = await sweepPayments(app, store, { all: input.all === true }, signal)
      return { id: store.hash, payments }
    },
    print: ({ payments }) =>
      payments.length === 0
        ? 'No payment is due to be checked.'
        : [sweepSummary(payments), ...payments.map(lineOfSwept)].join('\n'),
  }),

  command({
    name: 'payments callbacks',
    summary: `List the latest ${CALLBACKS} callbacks of payment providers to a store.`,
    examples: [
      'tradepost payments callbacks --store HASH',
      'tradepost payments callbacks --test --status failed',
    ],
    options: [
      ...STORE_OPTIONS,
      {
        flags: '--status <status>',
        description: CALLBACK_STATUSES.join(', '),
        values: () => CALLBACK_STATUSES,
      },
    ],
    async run(app, input) {
      const { listCallbacks } = await import('./show-callbacks.ts')
      const status = callbackStatus(text(input, 'status'))
      const query = { limit: CALLBACKS, ...(status && { status }) }
      return (await listCallbacks(await contextOf(app, input), query)).payment_callbacks
    },
    print: (callbacks) => callbacks.map(lineOfCallback).join('\n') || 'No callbacks.',
  }),

  command({
    name: 'payments check',
    summary: 'Ask each connected provider of a store whether it accepts the keys.',
    examples: ['tradepost payments check --store HASH', 'tradepost payments check --test --json'],
    options: STORE_OPTIONS,
    isCheck: true,
    async run(app, input) {
      const { checkConnections } = await import('./check-connections.ts')
      const store = await storeOf(app, input)
      const providers = await checkConnections(app, store)
      const ok = providers.every(({ state }) => state === 'works')
      return { id: store.hash, ok, providers }
    },
    print: ({ providers }, paint = plain) =>
      providers
        .map(({ provider, state }) => `${provider}  ${paint(COLORS[state], STATES[state])}`)
        .join('\n') || 'No payment provider is connected.',
  }),
]

const STATES: Record<CheckedConnection['state'], string> = {
  works: 'It accepts the keys.',
  refused: 'It refuses the keys. Connect it again with: tradepost payments connect',
  unreachable:
    'It does not answer. Check the network of this machine, or repeat the command later.',
}
const COLORS = { works: 'green', refused: 'red', unreachable: 'yellow' } as const

function callbackStatus(status: string | undefined): PaymentCallback['status'] | undefined {
  const known = CALLBACK_STATUSES.find((item) => item === status)
  if (status === undefined || known) return known
  throw new CommandError(`--status: write one of ${CALLBACK_STATUSES.join(', ')}.`, 2)
}

function sweepSummary(payments: readonly SweptPayment[]): string {
  const changed = payments.filter(({ before, after }) => before !== after).length
  const unanswered = payments.filter(({ error }) => error !== null).length
  return `Asked about: ${payments.length}. Changed: ${changed}. Without an answer: ${unanswered}.`
}

function lineOfSwept({ payment_id, order_id, provider, before, after, error }: SweptPayment) {
  const result = error ?? (before === after ? `still ${after}` : `${before} to ${after}`)
  return `  ${payment_id} of ${order_id}  ${provider}  ${result}`
}

const lineOfCallback = (callback: PaymentCallback): string => {
  const { id, received_at, provider, type, status, order_id, error } = callback
  return [id, received_at, provider, type, status, order_id, error].filter(Boolean).join('  ')
}
