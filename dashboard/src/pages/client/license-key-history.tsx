import type { AuditEvent, AuditEventsListQuery } from '../../api/security.ts'
import type { AccountAuditEvent } from '../../api/store.ts'
import { actorText } from '../../kit/actor.ts'
import { auditActionText } from '../../kit/audit-words.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { records } from '../../text/records.ts'
import { LicenseKeyTab } from './license-key-frame.tsx'

/** An event with its author, whom only the audit trail of the store names. */
interface Row extends AuditEvent {
  author: AccountAuditEvent['actor'] | undefined
}

const authorText = ({ actor_key_id, author }: Row): string => {
  if (author) return actorText(author)
  return actor_key_id === null
    ? licenseKeys.dashboardOrRule
    : fill(licenseKeys.apiKey, { id: actor_key_id })
}

/** The events of each action among which those of the page are found. Older ones keep the id of their author. */
const TRAIL_MAX = 100

function withAuthors(
  events: readonly AuditEvent[],
  trail: readonly { audit_events: readonly AccountAuditEvent[] }[],
): Row[] {
  const recorded = trail.flatMap(({ audit_events }) => audit_events)
  return events.map((event) => ({
    ...event,
    author: recorded.find(
      ({ action, created_at }) => action === event.action && created_at === event.created_at,
    )?.actor,
  }))
}

const COLUMNS: readonly Column<Row>[] = [
  {
    label: records.action,
    show: ({ action }) => (
      <>
        {auditActionText(action)} <code className="beside">{action}</code>
      </>
    ),
    text: ({ action }) => auditActionText(action),
  },
  { label: licenseKeys.actor, show: authorText, text: authorText },
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
        read={async ({ security, api }, query) => {
          const page = await security.auditEvents.list({
            ...query,
            record_type: 'license_key',
            record_id: licenseKey.id,
          } as AuditEventsListQuery)
          const actions = [...new Set(page.audit_events.map(({ action }) => action))]
          const object_id = String(licenseKey.id)
          const trail = await Promise.all(
            actions.map((action) =>
              api.account.listAuditEvents({ object_id, action, limit: TRAIL_MAX }),
            ),
          )
          return { rows: withAuthors(page.audit_events, trail), next_cursor: page.next_cursor }
        }}
      />
    )}
  </LicenseKeyTab>
)
