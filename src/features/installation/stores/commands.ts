import {
  CommandError,
  command,
  requiredArgument,
  requiredText,
  STORE_OPTIONS,
} from '../../../command.ts'
import { FEATURES, type Feature } from '../../../store-context.ts'
import { isPlan, PLAN_NAMES } from './plans.rules.ts'

export const storeCommands = [
  command({
    name: 'stores list',
    summary: 'List all stores with their live and test sides.',
    examples: ['tradepost stores list', 'tradepost stores list --json'],
    async run({ db }) {
      const { selectStores } = await import('./queries.ts')
      const stores = await selectStores(db)
      return stores.map(({ hash, slug, name, livemode, currency, plan }) => ({
        id: hash,
        slug,
        name,
        livemode,
        currency,
        plan,
      }))
    },
    print: (stores) =>
      stores
        .map(({ id, slug, livemode, plan }) => `${id}  ${slug}  ${sideName(livemode)}  ${plan}`)
        .join('\n') || 'No stores.',
  }),

  command({
    name: 'stores set-plan',
    summary: 'Set the plan of both sides of a store.',
    examples: ['tradepost stores set-plan --plan scale'],
    options: [
      ...STORE_OPTIONS,
      {
        flags: '--plan <plan>',
        description: PLAN_NAMES.join(', '),
        required: true,
        values: () => PLAN_NAMES,
      },
    ],
    async run(app, input) {
      const { findNamedStore } = await import('./find-named-store.ts')
      const { setPlan } = await import('./set-store.ts')
      const store = await findNamedStore(app, input)
      const plan = requiredText(input, 'plan')
      if (!isPlan(plan)) throw new CommandError(`--plan: write one of ${PLAN_NAMES.join(', ')}.`, 2)
      await setPlan(app, store, plan)
      return { id: store.hash, plan }
    },
    print: ({ id, plan }) => `${id} is on the plan ${plan}.`,
  }),

  command({
    name: 'features set',
    summary: 'Turn features of a store on or off.',
    examples: ['tradepost features set affiliates=on,shipping=off'],
    args: ['<switches>'],
    argValues: () => Object.keys(FEATURES).flatMap((name) => [`${name}=on`, `${name}=off`]),
    options: STORE_OPTIONS,
    async run(app, input) {
      const { findNamedStore } = await import('./find-named-store.ts')
      const { setFeatures } = await import('./set-store.ts')
      const store = await findNamedStore(app, input)
      const features = parseSwitches(requiredArgument(input, 'switches'))
      await setFeatures(app, store, features)
      return { id: store.hash, features: { ...FEATURES, ...store.features, ...features } }
    },
    print: ({ id, features }) =>
      [id, ...Object.entries(features).map(([name, on]) => `  ${name}: ${on ? 'on' : 'off'}`)].join(
        '\n',
      ),
  }),
]

const sideName = (livemode: boolean) => (livemode ? 'live' : 'test')

/** Parses a list such as `affiliates=on,shipping=off`. */
function parseSwitches(list: string): Partial<Record<Feature, boolean>> {
  const names = Object.keys(FEATURES)
  const switches = list.split(',').map((item) => {
    const [name = '', state = ''] = item.trim().split('=')
    if (!names.includes(name) || !['on', 'off'].includes(state)) {
      throw new CommandError(
        `"${item}": write name=on or name=off. The names are ${names.join(', ')}.`,
        2,
      )
    }
    return [name, state === 'on'] as const
  })
  const [duplicate] = switches.filter(([name], index) =>
    switches.slice(0, index).some(([other]) => other === name),
  )
  if (duplicate) throw new CommandError(`"${duplicate[0]}" is named twice. Name it once.`, 2)
  return Object.fromEntries(switches)
}
