import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { dashboardRequest } from '../../api/action.ts'
import type { ApiKey, ApiKeyUsage, DashboardAnswer } from '../../api/dashboard.ts'
import { type StoreContext, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatAgo, formatDate, formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { permissionText, permissionTexts } from '../../kit/permission.ts'
import { Facts, Section, Stamp, Time } from '../../kit/show.tsx'
import { Empty, Loaded, NotAllowed } from '../../kit/states.tsx'
import { countText, listAnd } from '../../kit/words.ts'
import { apiKeys } from '../../text/api-keys.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { addressesOf, ENV_NAMES, editFields, expiryOf, stateOf } from './api-key-parts.tsx'
import { Permissions } from './api-keys.tsx'

async function readKeys({ readDashboard }: StoreContext): Promise<readonly ApiKey[]> {
  const { api_keys } = await readDashboard<'api_keys.list'>('/api-keys')
  return api_keys
}

export function Page() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const read = useRead(['api_keys', 'of the record'], readKeys)
  return (
    <Loaded read={read}>
      {(keys) => {
        const key = keys.find((item) => String(item.id) === id)
        return key ? <ApiKeyPage key={key.id} apiKey={key} /> : <Empty>{apiKeys.missing}</Empty>
      }}
    </Loaded>
  )
}

function ApiKeyPage({ apiKey }: { apiKey: ApiKey }) {
  const isAllowed = useMayWrite('account')
  const isActive = stateOf(apiKey) === 'active'
  // After a replacement the old key has ended, but its page must still show the new key.
  const [wasActive] = useState(isActive)
  return (
    <Frame
      title={apiKey.name}
      parent={{ to: '/api-keys', label: apiKeys.title }}
      lead={<code>{`${apiKey.prefix}…${apiKey.last4}`}</code>}
      actions={
        isAllowed ? (
          isActive && apiKey.only_this_store && <KeyActions apiKey={apiKey} />
        ) : (
          <NotAllowed area="account" />
        )
      }
    >
      <div className="split">
        <div>
          <Usage apiKey={apiKey} isAllowed={isAllowed && isActive && apiKey.only_this_store} />
          {isAllowed && wasActive && apiKey.only_this_store && (
            <ReplaceKey apiKey={apiKey} isDisabled={!isActive} />
          )}
        </div>
        <KeyFacts apiKey={apiKey} />
      </div>
    </Frame>
  )
}

/** The time of the last use. The key has it to the minute, and the usage of the last 30 days to the second. */
function lastUseOf({ last_used_at }: ApiKey, usage: ApiKeyUsage | undefined): string | null {
  const uses = usage?.operations.map((operation) => operation.last_used_at) ?? []
  return [...uses, ...(last_used_at === null ? [] : [last_used_at])].sort().at(-1) ?? null
}

/** The last use of a key, in words. */
function LastUse({ apiKey }: { apiKey: ApiKey }) {
  const at = lastUseOf(apiKey, useUsage(apiKey).data)
  return at === null ? common.never : <Time at={at} />
}

const KeyFacts = ({ apiKey }: { apiKey: ApiKey }) => (
  <Section title={common.details} actions={<Stamp state={stateOf(apiKey)} />}>
    {!apiKey.only_this_store && <p>{apiKeys.otherStores}</p>}
    <Facts
      rows={[
        [apiKeys.kind, apiKey.kind === 'store' ? 'Store API' : 'Client Security API'],
        [
          apiKeys.permissions,
          <Permissions key="all" permissions={apiKey.permissions} areAllShown />,
        ],
        [apiKeys.addresses, apiKey.allowed_ips.join(', ') || apiKeys.everywhere],
        [apiKeys.rate, apiKey.rate_limit === 0 ? apiKeys.noLimit : formatNumber(apiKey.rate_limit)],
        [common.created, <Time key="created" at={apiKey.created_at} />],
        [apiKeys.lastUsed, <LastUse key="used" apiKey={apiKey} />],
        [
          apiKeys.expires,
          apiKey.expires_at === null ? common.never : <Time key="expires" at={apiKey.expires_at} />,
        ],
      ]}
    />
    <p>
      <Link to={`/request-log?api_key_id=${apiKey.id}`}>{apiKeys.log}</Link>
    </p>
  </Section>
)

const KeyActions = ({ apiKey }: { apiKey: ApiKey }) => (
  <>
    <EditAction
      label={common.edit}
      lead={<p>{apiKeys.narrowEdit}</p>}
      record={apiKey}
      read={async (store) => (await readKeys(store)).find(({ id }) => id === apiKey.id) ?? apiKey}
      fields={editFields}
      request={(changed) =>
        dashboardRequest('api_keys', 'PATCH', `/api-keys/${apiKey.id}`, {
          ...changed,
          ...('allowed_ips' in changed && { allowed_ips: addressesOf(changed.allowed_ips) }),
          ...('expires_at' in changed && { expires_at: expiryOf(changed.expires_at) }),
        })
      }
    />
    <Action
      label={apiKeys.revoke}
      isDanger
      confirmName={apiKey.name}
      lead={<RevokeLead apiKey={apiKey} />}
      submit={apiKeys.revoke}
      request={() => ({
        ...dashboardRequest('api_keys', 'DELETE', `/api-keys/${apiKey.id}`),
        command: `keys revoke ${apiKey.id}`,
        hasStorelessCommand: true,
      })}
    />
  </>
)

/** The consequence of a revocation, with the calls that it would have refused. */
function RevokeLead({ apiKey }: { apiKey: ApiKey }) {
  return (
    <Loaded read={useUsage(apiKey)} rows={1}>
      {(usage) => {
        const calls = usage.operations.reduce((sum, operation) => sum + operation.calls, 0)
        const newestUse = lastUseOf(apiKey, usage)
        const used = newestUse === null ? common.never : formatAgo(newestUse)
        return <p>{fill(apiKeys.revokeLead, { used, calls: formatNumber(calls) })}</p>
      }}
    </Loaded>
  )
}

const rollRequest = (key: ApiKey, mode: 'now' | 'overlap') =>
  dashboardRequest('api_keys', 'POST', `/api-keys/${key.id}/roll`, { mode })
const newKeyOf = (answer: unknown) => (answer as DashboardAnswer<'api_keys.roll'>).key

/** Both buttons look the same, because neither choice is recommended. */
const ReplaceKey = ({ apiKey, isDisabled }: { apiKey: ApiKey; isDisabled: boolean }) => (
  <Section title={apiKeys.roll}>
    <div className="actions">
      <Action
        label={apiKeys.rollNow}
        isDisabled={isDisabled}
        lead={<p>{apiKeys.rollNowLead}</p>}
        submit={apiKeys.rollNow}
        secretOf={newKeyOf}
        envName={ENV_NAMES[apiKey.kind]}
        request={() => rollRequest(apiKey, 'now')}
      />
      <Action
        label={apiKeys.rollOverlap}
        isDisabled={isDisabled}
        lead={<p>{apiKeys.rollOverlapLead}</p>}
        submit={apiKeys.rollOverlap}
        secretOf={newKeyOf}
        envName={ENV_NAMES[apiKey.kind]}
        request={() => rollRequest(apiKey, 'overlap')}
      />
    </div>
  </Section>
)

const useUsage = ({ id }: ApiKey) =>
  useRead(['api_keys', id, 'usage'], async ({ readDashboard }) => {
    const { usage } = await readDashboard<'api_keys.usage'>(`/api-keys/${id}/usage`)
    return usage
  })

function Usage({ apiKey, isAllowed }: { apiKey: ApiKey; isAllowed: boolean }) {
  return (
    <Section title={apiKeys.usage}>
      <Loaded read={useUsage(apiKey)}>
        {(usage) => (
          <>
            {!usage.complete && (
              <p className="secondary-text">
                {fill(apiKeys.counting, { since: formatDate(usage.since) })}
              </p>
            )}
            {usage.operations.length === 0 ? (
              <Empty>{apiKeys.noUsage}</Empty>
            ) : (
              <Operations usage={usage} />
            )}
            {usage.complete && isAllowed && <ReducePermissions apiKey={apiKey} usage={usage} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

const Operations = ({ usage }: { usage: ApiKeyUsage }) => (
  <Table
    label={apiKeys.usage}
    rows={usage.operations}
    keyOf={({ operation }) => operation}
    columns={[
      { label: apiKeys.operation, show: ({ operation }) => <code>{operation}</code> },
      { label: apiKeys.permissions, show: ({ permission }) => permissionText(permission) },
      { label: apiKeys.calls, isRightAligned: true, show: ({ calls }) => formatNumber(calls) },
      {
        label: apiKeys.refused,
        isRightAligned: true,
        show: ({ refused }) => formatNumber(refused),
      },
      {
        label: apiKeys.lastUsed,
        show: ({ last_used_at }) => <Time at={last_used_at} ago="machine" />,
      },
    ]}
  />
)

/**
 * A key that was never used should be revoked. Without used permissions there is nothing to narrow
 * it to.
 */
function ReducePermissions({ apiKey, usage }: { apiKey: ApiKey; usage: ApiKeyUsage }) {
  const { unused_permissions: unused, used_permissions: used } = usage
  if (unused.length === 0 || used.length === 0) return null
  const label = countText(unused.length, apiKeys.narrowOne, apiKeys.narrow)
  return (
    <>
      <p>
        {apiKeys.neverUsed}: <Permissions permissions={unused} areAllShown />
      </p>
      <Action
        label={label}
        lead={<p>{fill(apiKeys.narrowLead, { kept: listAnd(permissionTexts(used)) })}</p>}
        submit={label}
        request={() =>
          dashboardRequest('api_keys', 'PATCH', `/api-keys/${apiKey.id}`, { permissions: used })
        }
      />
    </>
  )
}
