import {
  CommandError,
  command,
  type Input,
  requiredArgument,
  requiredText,
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
    summary: 'Create an API key. It is shown once.',
    examples: [
      'tradepost keys create --permissions all --test',
      'tradepost keys create --permissions products:read,orders:read --allowed-ips 10.0.0.0/8 --name Till',
      'tradepost keys create --kind security --permissions client_security:read',
    ],
    options: [
      {
        flags: '--store <hash>',
        description:
          'a store for which the key is valid; may be repeated; required if there are several stores',
        repeatable: true,
      },
      { flags: '--test', description: 'the test side, if --store is left out' },
      {
        flags: '--permissions <list>',
        description: 'all, or permissions separated by commas',
        required: true,
        values: () => ['all', ...permissionsOf('store'), ...permissionsOf('security')],
      },
      { flags: '--expires-at <time>', description: 'ISO 8601, such as 2099-01-31T00:00:00Z' },
      {
        flags: '--allowed-ips <list>',
        description: 'IP addresses or CIDR ranges that may use the key',
      },
      {
        flags: '--kind <kind>',
        description: 'store (the default) or security',
        values: () => ['store', 'security'],
      },
      {
        flags: '--rate-limit <n>',
        description: 'calls a minute; the default is 300, and 0 means no limit',
      },
      { flags: '--name <name>', description: 'the purpose of the key' },
    ],
    async run(app, input) {
      const { findNamedStore } = await import('../stores/index.ts')
      const { createKey } = await import('./create-key.ts')
      const hashes = texts(input, 'store')
      const refs = hashes.length > 0 ? hashes : [undefined]
      const stores = await Promise.all(
        refs.map((store) => findNamedStore(app, { store, test: input.test })),
      )
      const [firstStore] = stores
      if (!firstStore) throw new CommandError('--store is missing.', 2)
      if (
        stores.some(
          (item) =>
            item.account_id !== firstStore.account_id || item.livemode !== firstStore.livemode,
        )
      ) {
        throw new CommandError('--store: name stores of one account, all live or all test.')
      }
      const kind = parseKind(text(input, 'kind') ?? 'store')
      return createKey(app, {
        account_id: firstStore.account_id,
        livemode: firstStore.livemode,
        kind,
        store_ids: stores.map((item) => item.id),
        permissions: parsePermissions(kind, requiredText(input, 'permissions')),
        name: text(input, 'name'),
        ...parseLimits(input),
      })
    },
    print: ({ id, key, permissions }) =>
      `${key}\n\nKey ${id} with ${permissions.length} ${permissions.length === 1 ? 'permission' : 'permissions'}. It will not be shown again.`,
  }),

  command({
    name: 'keys revoke',
    summary: 'Revoke an API key.',
    examples: ['tradepost keys revoke 12'],
    args: ['<id>'],
    async run(app, input) {
      const { revokeKey } = await import('./revoke-key.ts')
      const id = requiredArgument(input, 'id')
      const isId = /^\d{1,15}$/.test(id)
      const revoked_at = isId && (await revokeKey(app, Number(id)))
      if (!revoked_at)
        throw new CommandError(`There is no key ${id}. List the keys with: tradepost keys list`)
      return { id: Number(id), revoked_at }
    },
    print: ({ id, revoked_at }) => `Key ${id} is revoked since ${revoked_at}.`,
  }),

  command({
    name: 'keys list',
    summary: 'Show the API keys of a store.',
    examples: ['tradepost keys list', 'tradepost keys list --test --json'],
    options: STORE_OPTIONS,
    async run(app, input) {
      const { findNamedStore } = await import('../stores/index.ts')
      const { selectKeysOfStore } = await import('./queries.ts')
      const store = await findNamedStore(app, input)
      const keys = await selectKeysOfStore(app.db, store)
      return keys.map(({ account_id, store_ids, ...key }) => ({
        ...key,
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

function parseKind(option: string): KeyKind {
  if (option === 'store' || option === 'security') return option
  throw new CommandError(`--kind: write store or security, not "${option}".`, 2)
}

function parsePermissions(kind: KeyKind, option: string): string[] | undefined {
  if (option === 'all') return undefined
  const allowedPermissions: readonly string[] = permissionsOf(kind)
  const permissions = option.split(',').map((item) => item.trim())
  const unknownPermission = permissions.find((item) => !allowedPermissions.includes(item))
  if (unknownPermission === undefined) return [...new Set(permissions)]
  throw new CommandError(
    `--permissions: "${unknownPermission}" does not exist. Write all, or some of ${allowedPermissions.join(', ')}.`,
    2,
  )
}

function parseLimits(input: Input) {
  const allowedIps = (text(input, 'allowedIps') ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
  const invalidIp = allowedIps.find((item) => !isRange(item))
  if (invalidIp) {
    throw new CommandError(`--allowed-ips: "${invalidIp}" is not an IP address or CIDR range.`, 2)
  }

  const expiresAt = text(input, 'expiresAt')
  if (expiresAt && !(ISO_TIME.test(expiresAt) && Date.parse(expiresAt) > Date.now())) {
    throw new CommandError(
      '--expires-at: write a future time in ISO 8601, such as 2099-01-31T00:00:00Z.',
      2,
    )
  }
  const rateLimit = text(input, 'rateLimit')
  if (rateLimit && !(/^\d+$/.test(rateLimit) && Number(rateLimit) <= RATE_LIMIT_MAX)) {
    throw new CommandError(`--rate-limit: write a whole number from 0 to ${RATE_LIMIT_MAX}.`, 2)
  }
  return {
    allowed_ips: allowedIps,
    ...(expiresAt && { expires_at: iso(Date.parse(expiresAt)) }),
    ...(rateLimit && { rate_limit: Number(rateLimit) }),
  }
}
