import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ownRequest } from '../../api/action.ts'
import type { ApiKey, ApiKeyUsage, OwnAnswer } from '../../api/own.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatAgo, formatDate, formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Section, Stamp, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { apiKeys } from '../../text/api-keys.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { editFields, endOf, linesOf, localDay, stateOf } from './api-key-parts.tsx'
import { Permissions } from './api-keys.tsx'

export function Page() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const read = useRead(['api_keys', 'of the record'], async ({ own }) => {
    const { api_keys } = await own<OwnAnswer<'api_keys.list'>>('GET', '/api-keys')
    return api_keys
  })
  return (
    <Loaded read={read}>
      {(keys) => {
        const key = keys.find((item) => String(item.id) === id)
        return key ? <Record key={key.id} of={key} /> : <Empty>{apiKeys.missing}</Empty>
      }}
    </Loaded>
  )
}

function Record({ of: key }: { of: ApiKey }) {
  const isAllowed = useMayWrite('account')
  const isActive = stateOf(key) === 'active'
  // A key that was replaced just now has ended, and its page still has to show the new one.
  const [wasActive] = useState(isActive)
  return (
    <Frame
      title={key.name}
      parent={{ to: '/api-keys', label: apiKeys.title }}
      lead={<code>{`${key.prefix}…${key.last4}`}</code>}
      actions={
        isAllowed ? (
          isActive && key.only_this_store && <KeyActions of={key} />
        ) : (
          <span className="quiet">{common.notAllowed}</span>
        )
      }
    >
      <div className="split">
        <div>
          <Usage of={key} isAllowed={isAllowed && isActive && key.only_this_store} />
          {isAllowed && wasActive && key.only_this_store && (
            <Roll of={key} isDisabled={!isActive} />
          )}
        </div>
        <KeyFacts of={key} />
      </div>
    </Frame>
  )
}

const KeyFacts = ({ of: key }: { of: ApiKey }) => (
  <Section title={common.details} actions={<Stamp state={stateOf(key)} />}>
    {!key.only_this_store && <p>{apiKeys.otherStores}</p>}
    <Facts
      of={[
        [apiKeys.kind, key.kind === 'store' ? 'Store API' : 'Client Security API'],
        [apiKeys.permissions, <Permissions key="all" of={key.permissions} all />],
        [apiKeys.addresses, key.allowed_ips.join(', ') || apiKeys.everywhere],
        [apiKeys.rate, key.rate_limit === 0 ? apiKeys.noLimit : formatNumber(key.rate_limit)],
        [common.created, <Time key="created" at={key.created_at} />],
        [apiKeys.lastUsed, <Time key="used" at={key.last_used_at} />],
        [apiKeys.expires, <Time key="expires" at={key.expires_at} />],
      ]}
    />
    <p>
      <Link to={`/request-log?api_key_id=${key.id}`}>{apiKeys.log}</Link>
    </p>
  </Section>
)

const KeyActions = ({ of: key }: { of: ApiKey }) => (
  <>
    <Action
      label={common.edit}
      lead={<p>{apiKeys.narrowEdit}</p>}
      fields={editFields(key)}
      submit={common.save}
      request={({ name, permissions, allowed_ips, expires_at }) =>
        ownRequest('api_keys', 'PATCH', `/api-keys/${key.id}`, {
          name,
          permissions,
          allowed_ips: linesOf(allowed_ips),
          // The same day keeps its moment.
          ...((expires_at ?? '') !== localDay(key.expires_at) && { expires_at: endOf(expires_at) }),
        })
      }
    />
    <Action
      label={apiKeys.revoke}
      isDanger
      confirmName={key.name}
      lead={
        <p>
          {fill(apiKeys.revokeLead, {
            used: key.last_used_at === null ? common.never : formatAgo(key.last_used_at),
          })}
        </p>
      }
      submit={apiKeys.revoke}
      request={() => ownRequest('api_keys', 'DELETE', `/api-keys/${key.id}`)}
    />
  </>
)

const rollRequest = (key: ApiKey, mode: 'now' | 'overlap') =>
  ownRequest('api_keys', 'POST', `/api-keys/${key.id}/roll`, { mode })
const newKeyOf = (answer: unknown) => (answer as OwnAnswer<'api_keys.roll'>).key

/** Neither choice is made for the seller, so that both look the same. */
const Roll = ({ of: key, isDisabled }: { of: ApiKey; isDisabled: boolean }) => (
  <Section title={apiKeys.roll}>
    <div className="actions">
      <Action
        label={apiKeys.rollNow}
        isDisabled={isDisabled}
        lead={<p>{apiKeys.rollNowLead}</p>}
        submit={apiKeys.rollNow}
        secretOf={newKeyOf}
        request={() => rollRequest(key, 'now')}
      />
      <Action
        label={apiKeys.rollOverlap}
        isDisabled={isDisabled}
        lead={<p>{apiKeys.rollOverlapLead}</p>}
        submit={apiKeys.rollOverlap}
        secretOf={newKeyOf}
        request={() => rollRequest(key, 'overlap')}
      />
    </div>
  </Section>
)

function Usage({ of: key, isAllowed }: { of: ApiKey; isAllowed: boolean }) {
  const read = useRead(['api_keys', key.id, 'usage'], async ({ own }) => {
    const { usage } = await own<OwnAnswer<'api_keys.usage'>>('GET', `/api-keys/${key.id}/usage`)
    return usage
  })
  return (
    <Section title={apiKeys.usage}>
      <Loaded read={read}>
        {(usage) => (
          <>
            {!usage.complete && (
              <p className="quiet">{fill(apiKeys.counting, { since: formatDate(usage.since) })}</p>
            )}
            {usage.operations.length === 0 ? (
              <Empty>{apiKeys.noUsage}</Empty>
            ) : (
              <Operations usage={usage} />
            )}
            {usage.complete && isAllowed && <Narrow of={key} usage={usage} />}
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
      { label: apiKeys.permissions, show: ({ permission }) => <code>{permission}</code> },
      { label: apiKeys.calls, isNumber: true, show: ({ calls }) => formatNumber(calls) },
      { label: apiKeys.refused, isNumber: true, show: ({ refused }) => formatNumber(refused) },
      {
        label: apiKeys.lastUsed,
        show: ({ last_used_at }) => <Time at={last_used_at} ago="machine" />,
      },
    ]}
  />
)

/** A key that was never used is to be revoked, not narrowed to nothing. */
function Narrow({ of: key, usage }: { of: ApiKey; usage: ApiKeyUsage }) {
  const { unused_permissions: unused, used_permissions: kept } = usage
  if (unused.length === 0 || kept.length === 0) return null
  const label = fill(apiKeys.narrow, { n: unused.length })
  return (
    <>
      <p>
        {apiKeys.neverUsed}: <Permissions of={unused} all />
      </p>
      <Action
        label={label}
        lead={<p>{fill(apiKeys.narrowLead, { kept: kept.join(', ') })}</p>}
        submit={label}
        request={() =>
          ownRequest('api_keys', 'PATCH', `/api-keys/${key.id}`, { permissions: kept })
        }
      />
    </>
  )
}
