import { useState } from 'react'
import { securityRequest } from '../../api/action.ts'
import type {
  ClientApp,
  LicenseKey,
  LicenseKeysListQuery,
  ListedLicenseKey,
} from '../../api/security.ts'
import { Action, Modal } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { useGo } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, State, Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { apps } from '../../text/client-apps.ts'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { appFilter, appNameOf, useApps } from './app-options.ts'
import { devicesOf, newKeyFields, previewOf, termsOf } from './license-key-parts.ts'

const STATUSES = ['active', 'unused', 'expired', 'suspended', 'banned'] as const

const columnsOf = (all: readonly ClientApp[]): readonly Column<ListedLicenseKey>[] => {
  const appOf = ({ app_id }: ListedLicenseKey) => appNameOf(all, app_id)
  return [
    { label: licenseKeys.key, show: (key) => <code>{previewOf(key)}</code>, text: previewOf },
    {
      label: common.status,
      show: ({ status }) => <State state={status} />,
      text: ({ status }) => status,
    },
    { label: apps.app, show: appOf, text: appOf },
    {
      label: common.email,
      show: ({ customer_email }) => customer_email ?? '–',
      text: ({ customer_email }) => customer_email,
    },
    { label: licenseKeys.devices, isNumber: true, show: devicesOf, text: devicesOf },
    {
      label: licenseKeys.expires,
      show: (key) => <Expiry of={key} />,
      text: ({ expires_at }) => expires_at,
    },
    {
      label: licenseKeys.lastSeen,
      show: ({ last_validated_at }) =>
        last_validated_at === null ? common.never : <Time at={last_validated_at} ago />,
      text: ({ last_validated_at }) => last_validated_at,
    },
  ]
}

/** When a license ends, or that it has not begun or never ends. */
export const Expiry = ({ of: { expires_at, duration_seconds } }: { of: ListedLicenseKey }) => {
  if (expires_at !== null) return <Time at={expires_at} />
  return duration_seconds === null ? licenseKeys.never : licenseKeys.notStarted
}

export function Page() {
  const isAllowed = useMayWrite('client_security')
  const all = useApps()
  return (
    <Frame
      title={licenseKeys.title}
      actions={
        isAllowed ? (
          all.length > 0 && <Issue all={all} />
        ) : (
          <span className="quiet">{common.notAllowed}</span>
        )
      }
    >
      <List
        name={['licenseKeys']}
        label={licenseKeys.title}
        columns={columnsOf(all)}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/license-keys/${id}`}
        views={STATUSES.map((status) => ({ label: humanize(status), query: { status } }))}
        filters={[
          { name: 'key', label: licenseKeys.wholeKey },
          { name: 'customer_email', label: licenseKeys.holder },
          ...appFilter(all),
          {
            name: 'status',
            label: common.status,
            options: STATUSES.map((value) => ({ value, label: humanize(value) })),
          },
        ]}
        empty={licenseKeys.empty}
        read={async ({ security }, query) => {
          const page = await security.licenseKeys.list(query as unknown as LicenseKeysListQuery)
          return { rows: page.keys, next_cursor: page.next_cursor }
        }}
      />
    </Frame>
  )
}

function Issue({ all }: { all: readonly ClientApp[] }) {
  const go = useGo()
  const [issued, setIssued] = useState<readonly LicenseKey[]>([])
  return (
    <>
      <Action
        label={licenseKeys.issue}
        isPrimary
        fields={newKeyFields(all)}
        submit={({ count }) => `${licenseKeys.issue} (${count ?? 1})`}
        request={(values) => securityRequest('licenseKeys', 'create', termsOf(values))}
        onDone={(answer) => {
          const { keys } = answer as { keys: LicenseKey[] }
          const [only] = keys
          if (only && keys.length === 1) go(`/license-keys/${only.id}`)
          else setIssued(keys)
        }}
      />
      <Modal title={licenseKeys.issued} isOpen={issued.length > 0} onClose={() => setIssued([])}>
        <div className="form">
          <p>{fill(licenseKeys.issuedLead, { n: formatNumber(issued.length) })}</p>
          <Copy block text={issued.map(({ key }) => key).join('\n')} label={licenseKeys.issued} />
        </div>
      </Modal>
    </>
  )
}
