import { dashboardRequest, shellWord } from '../../api/action.ts'
import type { ApiKey, DashboardAnswer } from '../../api/dashboard.ts'
import { useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { permissionTexts } from '../../kit/permission.ts'
import { State, Time } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { apiKeys } from '../../text/api-keys.ts'
import { common } from '../../text/common.ts'
import {
  addressesOf,
  ENV_NAMES,
  expiryOf,
  kindOf,
  NEW_KEY_FIELDS,
  permissionsOf,
  stateOf,
} from './api-key-parts.tsx'

/** The maximum number of areas that a row names. More are shown as a count. */
const CHIPS_MAX = 4

export function Permissions({
  permissions,
  areAllShown = false,
}: {
  permissions: readonly string[]
  areAllShown?: boolean
}) {
  const chips = permissionTexts(permissions)
  return (
    <span className="chips">
      {chips.slice(0, areAllShown ? chips.length : CHIPS_MAX).map((chip) => (
        <span key={chip} className="chip">
          {chip}
        </span>
      ))}
      {!areAllShown && chips.length > CHIPS_MAX && (
        <span className="secondary-text">+{chips.length - CHIPS_MAX}</span>
      )}
      {areAllShown && permissions.length > 0 && (
        <code className="beside">{permissions.join(' ')}</code>
      )}
      {chips.length === 0 && <span className="secondary-text">{apiKeys.noPermissions}</span>}
    </span>
  )
}

const COLUMNS: readonly Column<ApiKey>[] = [
  { label: common.name, show: ({ name }) => name, text: ({ name }) => name },
  {
    label: apiKeys.key,
    show: ({ prefix, last4 }) => <code>{`${prefix}…${last4}`}</code>,
    text: ({ prefix, last4 }) => `${prefix}…${last4}`,
  },
  {
    label: common.status,
    show: (key) => <State state={stateOf(key)} />,
    text: (key) => humanize(stateOf(key)),
  },
  {
    label: apiKeys.permissions,
    show: ({ permissions }) => <Permissions permissions={permissions} />,
    text: ({ permissions }) => permissions.join(' '),
  },
  {
    label: apiKeys.lastUsed,
    show: ({ last_used_at }) =>
      last_used_at === null ? common.never : <Time at={last_used_at} ago="machine" />,
    text: ({ last_used_at }) => last_used_at,
  },
  {
    label: apiKeys.expires,
    show: ({ expires_at }) => (expires_at === null ? common.never : <Time at={expires_at} />),
    text: ({ expires_at }) => expires_at,
  },
]

interface NewKeyFields {
  name: string
  kind: 'store' | 'security'
  permissions: readonly string[]
  allowed_ips: readonly string[]
  expires_at: string | null
}

const createCommand = ({ name, kind, permissions, allowed_ips, expires_at }: NewKeyFields) =>
  [
    'keys create',
    ...(kind === 'security' ? ['--kind security'] : []),
    `--permissions ${permissions.join(',')}`,
    ...(name === '' ? [] : [`--name ${shellWord(name)}`]),
    ...(allowed_ips.length === 0 ? [] : [`--allowed-ips ${shellWord(allowed_ips.join(','))}`]),
    ...(expires_at === null ? [] : [`--expires-at ${expires_at}`]),
  ].join(' ')

function NewKey() {
  if (!useMayWrite('account')) return <NotAllowed area="account" />
  return (
    <Action
      label={apiKeys.create}
      isPrimary
      fields={NEW_KEY_FIELDS}
      submit={apiKeys.create}
      secretOf={(answer) => (answer as DashboardAnswer<'api_keys.create'>).key}
      envName={(values) => ENV_NAMES[kindOf(values)]}
      request={(values) => {
        const key = {
          name: values.name,
          kind: kindOf(values),
          permissions: permissionsOf(values),
          allowed_ips: addressesOf(values.allowed_ips),
          expires_at: expiryOf(values.expires_at),
        }
        return {
          ...dashboardRequest('api_keys', 'POST', '/api-keys', key),
          command: createCommand({ ...key, name: String(values.name ?? '') }),
        }
      }}
    >
      {(values) =>
        values.preset !== 'own' && (
          <p className="secondary-text">
            <Permissions permissions={permissionsOf(values)} areAllShown />
          </p>
        )
      }
    </Action>
  )
}

export function Page() {
  const { id: storeId } = useStore()
  const isAllowed = useMayWrite('account')
  return (
    <Frame title={apiKeys.title} actions={<NewKey />}>
      <List
        queryKey={['api_keys']}
        label={apiKeys.title}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/api-keys/${id}`}
        filters={[
          {
            name: 'state',
            label: common.status,
            options: [
              { value: 'active', label: apiKeys.active },
              { value: 'ended', label: apiKeys.ended },
            ],
          },
        ]}
        empty={apiKeys.empty}
        firstStep={{
          ...(isAllowed && { link: { to: '/api-keys#new', label: apiKeys.create } }),
          code: `npx tradepost keys create --store ${storeId} --permissions orders:read`,
        }}
        read={async ({ readDashboard }, { state }) => {
          const { api_keys } = await readDashboard<'api_keys.list'>('/api-keys')
          const isActive = (key: ApiKey) => stateOf(key) === 'active'
          if (state === undefined) return { rows: api_keys }
          return { rows: api_keys.filter((key) => isActive(key) === (state === 'active')) }
        }}
      />
    </Frame>
  )
}
