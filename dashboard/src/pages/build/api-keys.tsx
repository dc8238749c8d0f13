import { ownRequest } from '../../api/action.ts'
import type { ApiKey, OwnAnswer } from '../../api/own.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { apiKeys } from '../../text/api-keys.ts'
import { common } from '../../text/common.ts'
import { endOf, kindOf, linesOf, NEW_KEY_FIELDS, permissionsOf, stateOf } from './api-key-parts.tsx'

/** More permissions than these are counted. */
const CHIPS = 4

export const Permissions = ({ of, all = false }: { of: readonly string[]; all?: boolean }) => (
  <>
    {of.slice(0, all ? of.length : CHIPS).map((permission) => (
      <span key={permission}>
        <code>{permission}</code>{' '}
      </span>
    ))}
    {!all && of.length > CHIPS && <span className="quiet">+{of.length - CHIPS}</span>}
    {of.length === 0 && <span className="quiet">{apiKeys.noPermissions}</span>}
  </>
)

const COLUMNS: readonly Column<ApiKey>[] = [
  { label: common.name, show: ({ name }) => name, text: ({ name }) => name },
  {
    label: apiKeys.key,
    show: ({ prefix, last4 }) => <code>{`${prefix}…${last4}`}</code>,
    text: ({ prefix, last4 }) => `${prefix}…${last4}`,
  },
  { label: common.status, show: (key) => <State state={stateOf(key)} />, text: stateOf },
  {
    label: apiKeys.permissions,
    show: ({ permissions }) => <Permissions of={permissions} />,
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

function NewKey() {
  if (!useMayWrite('account')) return <span className="quiet">{common.notAllowed}</span>
  return (
    <Action
      label={apiKeys.create}
      isPrimary
      fields={NEW_KEY_FIELDS}
      submit={apiKeys.create}
      secretOf={(answer) => (answer as OwnAnswer<'api_keys.create'>).key}
      request={(values) =>
        ownRequest('api_keys', 'POST', '/api-keys', {
          name: values.name,
          kind: kindOf(values),
          permissions: permissionsOf(values),
          allowed_ips: linesOf(values.allowed_ips),
          expires_at: endOf(values.expires_at),
        })
      }
    >
      {(values) =>
        values.preset !== 'own' && (
          <p className="quiet">
            <Permissions of={permissionsOf(values)} all />
          </p>
        )
      }
    </Action>
  )
}

export const Page = () => (
  <Frame title={apiKeys.title} actions={<NewKey />}>
    <List
      name={['api_keys']}
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
      read={async ({ own }, { state }) => {
        const { api_keys } = await own<OwnAnswer<'api_keys.list'>>('GET', '/api-keys')
        const isWanted = (key: ApiKey) =>
          state === undefined || (stateOf(key) === 'active') === (state === 'active')
        return { rows: api_keys.filter(isWanted) }
      }}
    />
  </Frame>
)
