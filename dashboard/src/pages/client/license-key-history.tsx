import type { AuditEvent, AuditEventsListQuery } from '../../api/security.ts'
import { auditActionText } from '../../kit/audit-words.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { records } from '../../text/records.ts'
import { LicenseKeyTab } from './license-key-frame.tsx'

const actorText = ({ actor_key_id }: AuditEvent): string =>
  actor_key_id === null
    ? licenseKeys.dashboardOrRule
    : fill(licenseKeys.apiKey, { id: actor_key_id })

const COLUMNS: readonly Column<AuditEvent>[] = [
  {
    label: records.action,
    show: ({ action }) => (
      <>
        {auditActionText(action)} <code className="beside">{action}</code>
      </>
    ),
    text: ({ action }) => auditActionText(action),
  },
  { label: licenseKeys.actor, show: actorText, text: actorText },
  { label: licenseKeys.address, show: ({ ip }) => ip ?? '–', text: ({ ip }) => ip },
  {
    label: records.when,
    show: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
]

export const Page = () => (
  <LicenseKeyTab>
    {({ licenseKey }) => (
      <List
        queryKey={['licenseKeys', String(licenseKey.id), 'history']}
        label={licenseKeys.history}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={licenseKeys.noHistory}
        read={async ({ security }, query) => {
          const page = await security.auditEvents.list({
            ...query,
            record_type: 'license_key',
            record_id: licenseKey.id,
          } as AuditEventsListQuery)
          return { rows: page.audit_events, next_cursor: page.next_cursor }
        }}
      />
    )}
  </LicenseKeyTab>
)
