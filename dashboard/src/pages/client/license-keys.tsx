import { useState } from 'react'
import { securityRequest } from '../../api/action.ts'
import type {
  ClientApp,
  LicenseKey,
  LicenseKeysListQuery,
  ListedLicenseKey,
} from '../../api/security.ts'
import { Action } from '../../kit/action.tsx'
import type { BulkWork } from '../../kit/bulk.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { Link } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Modal } from '../../kit/modal.tsx'
import { humanizedOptions } from '../../kit/options.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, State, Time } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { apps } from '../../text/client-apps.ts'
import { common } from '../../text/common.ts'
import { licenseImport } from '../../text/license-import.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { appFilter, appNameOf, useAppsRead } from './app-options.ts'
import { Expiry } from './license-key-expiry.tsx'
import { devicesText, newKeyFields, previewOf, termsOf } from './license-key-parts.ts'

const STATUSES = ['active', 'unused', 'expired', 'suspended', 'banned'] as const

const columnsOf = (appList: readonly ClientApp[]): readonly Column<ListedLicenseKey>[] => {
  const appOf = ({ app_id }: ListedLicenseKey) => appNameOf(appList, app_id)
  return [
    { label: licenseKeys.key, show: (key) => <code>{previewOf(key)}</code>, text: previewOf },
    {
      label: common.status,
      show: ({ status }) => <State state={status} />,
      text: ({ status }) => humanize(status),
    },
    { label: apps.app, isExtra: true, show: appOf, text: appOf },
    {
      label: common.email,
      show: ({ customer_email }) => customer_email ?? '–',
      text: ({ customer_email }) => customer_email,
    },
    {
      label: licenseKeys.devices,
      isExtra: true,
      isRightAligned: true,
      show: devicesText,
      text: ({ devices_count }) => devices_count,
    },
    {
      label: licenseKeys.expires,
      show: (key) => <Expiry licenseKey={key} />,
      text: ({ expires_at }) => expires_at,
    },
    {
      label: licenseKeys.lastSeen,
      isExtra: true,
      show: ({ last_validated_at }) =>
        last_validated_at === null ? common.never : <Time at={last_validated_at} ago />,
      text: ({ last_validated_at }) => last_validated_at,
    },
  ]
}

const BULK: BulkWork<ListedLicenseKey> = {
  area: 'client_security',
  labelOf: previewOf,
  readAgain: async ({ security }, { id }) => (await security.licenseKeys.get(id)).key,
  load: async () => (await import('./bulk-license-keys.ts')).LICENSE_KEY_ACTIONS,
}

const PANEL = {
  path: '/license-keys',
  Panel: lazyPart(async () => (await import('./license-key-panel.tsx')).LicenseKeyPanel, 'opened'),
}

export function Page() {
  const isAllowed = useMayWrite('client_security')
  const read = useAppsRead({ isOptional: true })
  const appList = read.data ?? []
  return (
    <Frame
      title={licenseKeys.title}
      actions={
        isAllowed ? (
          <>
            <Link to="/license-keys/import">{licenseImport.open}</Link>
            <IssueKeysWhenAppsAreRead appList={read.data} />
          </>
        ) : (
          <NotAllowed area="client_security" />
        )
      }
    >
      <List
        queryKey={['licenseKeys']}
        label={licenseKeys.title}
        columns={columnsOf(appList)}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/license-keys/${id}`}
        bulk={BULK}
        panel={PANEL}
        views={STATUSES.map((status) => ({ label: humanize(status), query: { status } }))}
        filters={[
          { name: 'key', label: licenseKeys.wholeKey },
          { name: 'customer_email', label: licenseKeys.holder },
          {
            name: 'status',
            label: common.status,
            options: humanizedOptions(STATUSES),
          },
          ...appFilter(appList),
        ]}
        empty={licenseKeys.empty}
        firstStep={{
          ...(isAllowed && { link: { to: '/license-keys#new', label: licenseKeys.issue } }),
          code: 'await management.licenseKeys.create({ count: 1, max_devices: 1 })',
        }}
        read={async ({ security }, query) => {
          const page = await security.licenseKeys.list(query as unknown as LicenseKeysListQuery)
          return { rows: page.keys, next_cursor: page.next_cursor }
        }}
      />
    </Frame>
  )
}

/** A plain button while the apps are read, so that nothing moves when they arrive. */
const IssueKeysWhenAppsAreRead = ({ appList }: { appList: readonly ClientApp[] | undefined }) =>
  appList === undefined ? (
    <button type="button" className="primary" disabled>
      {licenseKeys.issue}
    </button>
  ) : (
    appList.length > 0 && <IssueKeys appList={appList} />
  )

const keysOf = (answer: unknown): LicenseKey[] => (answer as { keys: LicenseKey[] }).keys

function IssueKeys({ appList }: { appList: readonly ClientApp[] }) {
  const [issuedKeys, setIssuedKeys] = useState<readonly LicenseKey[]>([])
  return (
    <>
      <Action
        label={licenseKeys.issue}
        isPrimary
        fields={newKeyFields(appList)}
        submit={({ count }) => `${licenseKeys.issue} (${count ?? 1})`}
        request={(values) => securityRequest('licenseKeys', 'create', termsOf(values))}
        pageOf={(answer) => {
          const [firstKey, ...others] = keysOf(answer)
          return firstKey && others.length === 0 ? `/license-keys/${firstKey.id}` : undefined
        }}
        onDone={(answer) => {
          if (keysOf(answer).length > 1) setIssuedKeys(keysOf(answer))
        }}
      />
      <Modal
        title={licenseKeys.issued}
        isOpen={issuedKeys.length > 0}
        onClose={() => setIssuedKeys([])}
      >
        <div className="form">
          <p>{fill(licenseKeys.issuedLead, { n: formatNumber(issuedKeys.length) })}</p>
          <Copy
            block
            text={issuedKeys.map(({ key }) => key).join('\n')}
            label={licenseKeys.issued}
          />
        </div>
      </Modal>
    </>
  )
}
