import { CommandError, command, requiredText, text } from '../../../command.ts'
import { CURRENCIES } from '../../../kernel/money.ts'
import { PLAN_NAMES } from '../../installation/stores/plans.rules.ts'
import type { StoreSide } from './create-with-keys.ts'

const PLANS: readonly string[] = PLAN_NAMES
const NAME_MAX = 120

export const accountCommands = [
  command({
    name: 'stores create',
    summary:
      'Create a store with a live and a test side, each with API keys that have all permissions.',
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
      const name = requiredText(input, 'name').trim()
      const currency = text(input, 'currency') ?? 'USD'
      const plan = text(input, 'plan') ?? 'self_hosted'
      if (name.length === 0 || name.length > NAME_MAX) {
        throw new CommandError(`--name: write 1 to ${NAME_MAX} characters.`, 2)
      }
      if (!CURRENCIES.has(currency)) {
        throw new CommandError(
          `--currency: "${currency}" is not a current ISO 4217 currency. Write a code such as EUR.`,
          2,
        )
      }
      if (!PLANS.includes(plan))
        throw new CommandError(`--plan: write one of ${PLANS.join(', ')}.`, 2)
      const { createStoreWithKeys } = await import('./create-with-keys.ts')
      return createStoreWithKeys(app, { name, currency, plan })
    },
    print: ({ live, test }) =>
      [
        ...keyLines('Live', live),
        ...keyLines('Test', test),
        'The keys will not be shown again.',
      ].join('\n'),
  }),
]

const keyLines = (side: string, { id, api_key, security_key, app_public_id }: StoreSide) => [
  `${side} side`,
  `  store id  ${id}`,
  `  API key   ${api_key}`,
  `  security  ${security_key}`,
  `  app       ${app_public_id}`,
  '',
]
