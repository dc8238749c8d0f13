import {
  CommandError,
  command,
  type Input,
  needed,
  STORE_OPTIONS,
  text,
  texts,
} from '../../../command.ts'
import { type KeyKind, prefixOf } from '../../../kernel/api-key.ts'
import { isRange } from '../../../kernel/net.ts'
import { permissionsOf } from '../../../kernel/permissions.ts'
import { iso } from '../../../kernel/time.ts'

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/
const RATE_LIMIT_MAX = 1_000_000

export const keyCommands = [
  command({
    name: 'keys create',
    summary: 'Make an API key. It is shown once.',
    examples: [
      'tradepost keys create --permissions all --test',
      'tradepost keys create --permissions products:read,orders:read --allowed-ips 10.0.0.0/8 --name Till',
      'tradepost keys create --kind security --permissions client_security:read',
    ],
    options: [
      {
        flags: '--store <hash>',
        description: 'a store it opens; again for another one; needed where there are several',
        repeatable: true,
      },
      { flags: '--test', description: 'the test side, where --store is left out' },
      {
        flags: '--permissions <list>',
        description: 'all, or names with commas in between',
        required: true,
        values: () => ['all', ...permissionsOf('store'), ...permissionsOf('security')],
      },
      { flags: '--expires-at <time>', description: 'ISO 8601, such as 2099-01-31T00:00:00Z' },
      { flags: '--allowed-ips <list>', description: 'addresses or CIDRs it may be used from' },
      {
        flags: '--kind <kind>',
        description: 'store (the default) or security',
        values: () => ['store', 'security'],
      },
      { flags: '--rate-limit <n>', description: 'calls a minute; default 300, 0 = none' },
      { flags: '--name <name>', description: 'what it is for' },
    ],
    async run(app, input) {
      const { storeNamed } = await import('../stores/index.ts')
      const { createKey } = await import('./create-key.ts')
      const named = texts(input, 'store')
      const refs = named.length > 0 ? named : [undefined]
      const stores = await Promise.all(
        refs.map((store) => storeNamed(app, { store, test: input.test })),
      )
      const [first] = stores
      if (!first) throw new CommandError('--store is missing.', 2)
      if (
        stores.some(
          (item) => item.account_id !== first.account_id || item.livemode !== first.livemode,
        )
      ) {
        throw new CommandError('--store: name stores of one account and one side, live or test.')
      }
      const kind = parseKind(text(input, 'kind') ?? 'store')
      return createKey(app, {
        account_id: first.account_id,
        livemode: first.livemode,
        kind,
        store_ids: stores.map((item) => item.id),
        permissions: parsePermissions(kind, needed(input, 'permissions')),
        name: text(input, 'name'),
        ...limits(input),
      })
    },
    print: ({ id, key, permissions }) =>
      `${key}\n\nKey ${id} with ${permissions.length} ${permissions.length === 1 ? 'permission' : 'permissions'}. It will not be shown again.`,
  }),

  command({
    name: 'keys revoke',
    summary: 'End an API key.',
    examples: ['tradepost keys revoke 12'],
    args: ['<id>'],
    async run(app, input) {
      const { revokeKey } = await import('./revoke-key.ts')
      const id = needed(input, 'id')
      const known = /^\d{1,15}$/.test(id)
      const revoked_at = known && (await revokeKey(app, Number(id)))
      if (!revoked_at) throw new CommandError(`There is no key ${id}.`)
      return { id: Number(id), revoked_at }
    },
    print: ({ id, revoked_at }) => `Key ${id} is revoked since ${revoked_at}.`,
  }),

  command({
    name: 'keys list',
    summary: 'Show the API keys that open a store.',
    examples: ['tradepost keys list', 'tradepost keys list --test --json'],
    options: STORE_OPTIONS,
    async run(app, input) {
      const { storeNamed } = await import('../stores/index.ts')
      const { selectKeysOfStore } = await import('./queries.ts')
      const store = await storeNamed(app, input)
      const keys = await selectKeysOfStore(app.db, store)
      return keys.map(({ account_id: _, store_ids, ...key }) => ({
        ...key,
        permissions: key.permissions,
        all_stores: store_ids === null,
      }))
    },
    print: (keys) =>
      keys
        .map(
          (key) =>
            `${key.id}  ${prefixOf(key.kind, key.livemode)}…${key.last4}  ${key.name}  ${key.revoked_at ? 'revoked' : 'active'}`,
        )
        .join('\n') || 'No keys.',
  }),
]

function parseKind(given: string): KeyKind {
  if (given === 'store' || given === 'security') return given
  throw new CommandError(`--kind: write store or security, not "${given}".`, 2)
}

function parsePermissions(kind: KeyKind, given: string): string[] | undefined {
  if (given === 'all') return undefined
  const known: readonly string[] = permissionsOf(kind)
  const permissions = given.split(',').map((item) => item.trim())
  const stranger = permissions.find((item) => !known.includes(item))
  if (stranger === undefined) return [...new Set(permissions)]
  throw new CommandError(`--permissions: "${stranger}" is none of all, ${known.join(', ')}.`, 2)
}

function limits(input: Input) {
  const ips = (text(input, 'allowedIps') ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
  const stranger = ips.find((item) => !isRange(item))
  if (stranger) throw new CommandError(`--allowed-ips: "${stranger}" is no address or CIDR.`, 2)

  const expires = text(input, 'expiresAt')
  if (expires && !(ISO_TIME.test(expires) && Date.parse(expires) > Date.now())) {
    throw new CommandError(
      '--expires-at: write a time to come in ISO 8601, such as 2099-01-31T00:00:00Z.',
      2,
    )
  }
  const rate = text(input, 'rateLimit')
  if (rate && !(/^\d+$/.test(rate) && Number(rate) <= RATE_LIMIT_MAX)) {
    throw new CommandError(`--rate-limit: write a whole number from 0 to ${RATE_LIMIT_MAX}.`, 2)
  }
  return {
    allowed_ips: ips,
    ...(expires && { expires_at: iso(Date.parse(expires)) }),
    ...(rate && { rate_limit: Number(rate) }),
  }
}
