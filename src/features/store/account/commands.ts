import { CommandError, command, needed, text } from '../../../command.ts'
import { CURRENCIES } from '../../../kernel/money.ts'
import { PLAN_NAMES } from '../../installation/stores/plans.rules.ts'
import type { OpenedSide } from './open-store.ts'

const PLANS: readonly string[] = PLAN_NAMES
const NAME_MAX = 120

export const accountCommands = [
  command({
    name: 'stores create',
    summary: 'Open a store: a live and a test side, each with a key that may do everything.',
    examples: ['tradepost stores create --name "Corner Shop" --currency EUR'],
    makesDatabase: true,
    options: [
      { flags: '--name <name>', description: 'the name customers see', required: true },
      {
        flags: '--currency <code>',
        description: 'ISO 4217; default USD',
        values: () => [...CURRENCIES],
      },
      {
        flags: '--plan <plan>',
        description: `${PLANS.join(', ')}; default self_hosted`,
        values: () => PLANS,
      },
    ],
    async run(app, input) {
      const name = needed(input, 'name').trim()
      const currency = text(input, 'currency') ?? 'USD'
      const plan = text(input, 'plan') ?? 'self_hosted'
      if (name.length === 0 || name.length > NAME_MAX) {
        throw new CommandError(`--name: write 1 to ${NAME_MAX} characters.`, 2)
      }
      if (!CURRENCIES.has(currency)) {
        const why = `"${currency}" is not a current ISO 4217 currency.`
        throw new CommandError(`--currency: ${why} Write a code such as EUR.`, 2)
      }
      if (!PLANS.includes(plan))
        throw new CommandError(`--plan: write one of ${PLANS.join(', ')}.`, 2)
      const { openStore } = await import('./open-store.ts')
      return openStore(app, { name, currency, plan })
    },
    print: ({ live, test }) =>
      [...lines('Live', live), ...lines('Test', test), 'The keys will not be shown again.'].join(
        '\n',
      ),
  }),
]

const lines = (side: string, { id, api_key, security_key, app_public_id }: OpenedSide) => [
  `${side} side`,
  `  store id  ${id}`,
  `  API key   ${api_key}`,
  `  security  ${security_key}`,
  `  app       ${app_public_id}`,
  '',
]
