import { dashboardRequest } from '../../api/action.ts'
import { API } from '../../api/call.ts'
import type { FileVersion } from '../../api/dashboard.ts'
import type { ServersideFile } from '../../api/security.ts'
import { useRead, useStore } from '../../api/store.ts'
import { formatBytes } from '../../kit/format.ts'
import type { Column } from '../../kit/list.tsx'
import { Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { protectedTexts } from '../../text/protected.ts'
import { FileDifference } from './file-difference.tsx'
import { AREA } from './files-parts.tsx'
import { authorOf, VersionList } from './version-list.tsx'

interface VersionsProps {
  file: ServersideFile
  isAllowed: boolean
}

/** The former contents of a file, the difference between two of them, and the action that rolls back to one. */
export function FileVersions({ file, isAllowed }: VersionsProps) {
  const read = useRead([AREA, String(file.id), 'versions'], ({ readDashboard }) =>
    readDashboard<'file_versions.list'>(`/files/${file.id}/versions`),
  )
  return (
    <Loaded read={read} rows={3}>
      {({ versions, former_max, former_bytes }) => (
        <VersionList
          current={file}
          versions={versions}
          compare={(from, to) => <FileDifference fileId={file.id} from={from} to={to} />}
          columns={[downloadColumn(file.id), ...COLUMNS]}
          note={fill(protectedTexts.formerContents, {
            n: former_max,
            size: formatBytes(former_bytes),
          })}
          rollBack={
            isAllowed
              ? ({ version }) =>
                  dashboardRequest(AREA, 'POST', `/files/${file.id}/rollback`, { version })
              : undefined
          }
          rollBackLead={protectedTexts.rollBackFileLead}
        />
      )}
    </Loaded>
  )
}

/** The author of the next version; a dash for the current version. */
const replacedBy = (version: FileVersion): string =>
  version.replaced_at === null ? '–' : authorOf(version)

const SHOWN_HASH_LENGTH = 12

const COLUMNS: readonly Column<FileVersion>[] = [
  {
    label: protectedTexts.size,
    isRightAligned: true,
    show: ({ size_bytes }) => formatBytes(size_bytes),
  },
  {
    label: 'SHA-256',
    show: ({ sha256 }) => <code title={sha256}>{sha256.slice(0, SHOWN_HASH_LENGTH)}…</code>,
  },
  { label: protectedTexts.replacedAt, show: ({ replaced_at }) => <Time at={replaced_at} /> },
  { label: protectedTexts.replacedBy, show: replacedBy },
]

const downloadColumn = (fileId: number): Column<FileVersion> => ({
  label: protectedTexts.download,
  show: (version) => <DownloadLink fileId={fileId} version={version} />,
})

function DownloadLink({ fileId, version }: { fileId: number; version: FileVersion }) {
  const { id: storeId } = useStore()
  const path = `${API}/stores/${storeId}/files/${fileId}/versions/${version.version}/content`
  return (
    <a href={path} download={version.filename}>
      {version.filename}
    </a>
  )
}
