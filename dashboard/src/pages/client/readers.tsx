import type { RecordReader } from '../../api/dashboard.ts'
import { useRead } from '../../api/store.ts'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import type { Column } from '../../kit/list.tsx'
import { LoadedTable } from '../../kit/loaded-table.tsx'
import { Section, Time } from '../../kit/show.tsx'
import { clientSessions } from '../../text/client-sessions.ts'
import { licenseKeys } from '../../text/license-keys.ts'
import { protectedTexts } from '../../text/protected.ts'

const COLUMNS: readonly Column<RecordReader>[] = [
  { label: clientSessions.license, show: (reader) => <KeyLink reader={reader} /> },
  {
    label: licenseKeys.device,
    show: ({ device_id, device_name }) =>
      device_name ?? (device_id === null ? '–' : `#${device_id}`),
  },
  { label: protectedTexts.reads, isRightAligned: true, show: ({ reads }) => formatNumber(reads) },
  {
    label: protectedTexts.lastRead,
    show: ({ last_read_at }) => <Time at={last_read_at} ago />,
  },
]

function KeyLink({ reader: { key_id, key_preview } }: { reader: RecordReader }) {
  if (key_id === null) return <span className="secondary-text">{clientSessions.noLicense}</span>
  if (key_preview === null)
    return <span className="secondary-text">{protectedTexts.deletedKey}</span>
  return (
    <Link to={`/license-keys/${key_id}`}>
      <code>…{key_preview}</code>
    </Link>
  )
}

interface ReadersProps {
  kind: 'string' | 'file' | 'settings'
  /** The id of the string or the file; of the app for settings. */
  recordId: number
}

/** The license keys whose programs read a record, the latest first. */
export function Readers({ kind, recordId }: ReadersProps) {
  const read = useRead(['recordReaders', kind, recordId], async ({ readDashboard }) => {
    const query = { kind, record_id: recordId }
    return (await readDashboard<'record_readers.list'>('/record-readers', query)).readers
  })
  return (
    <Section title={protectedTexts.readers}>
      {kind === 'settings' && <p className="secondary-text">{protectedTexts.readersOfApp}</p>}
      <LoadedTable
        read={read}
        skeletonRows={2}
        empty={protectedTexts.noReaders}
        label={protectedTexts.readers}
        keyOf={({ key_id }) => key_id ?? 0}
        columns={COLUMNS}
      />
    </Section>
  )
}
