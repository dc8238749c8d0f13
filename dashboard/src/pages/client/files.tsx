import type { ServersideFile, ServersideFilesListQuery } from '../../api/security.ts'
import { formatBytes, formatNumber, humanize } from '../../kit/format.ts'
import type { Column } from '../../kit/list.tsx'
import { State, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { AREA, createFile, newFileFields, switchFile } from './files-parts.tsx'
import { ProtectedList } from './protected-list.tsx'
import { accessText, SwitchState, switchText } from './protected-parts.tsx'

type Row = ServersideFile

const COLUMNS: readonly Column<Row>[] = [
  { label: common.name, show: ({ name }) => <code>{name}</code>, text: ({ name }) => name },
  {
    label: common.status,
    show: (row) =>
      row.upload_state === 'ready' ? (
        <SwitchState record={row} />
      ) : (
        <State state={row.upload_state} />
      ),
    text: (row) => (row.upload_state === 'ready' ? switchText(row) : humanize(row.upload_state)),
  },
  {
    label: protectedTexts.lastDownload,
    show: ({ last_downloaded_at: at }) => (at ? <Time at={at} ago /> : common.never),
    text: ({ last_downloaded_at }) => last_downloaded_at,
  },
  {
    label: protectedTexts.downloads,
    isRightAligned: true,
    show: ({ download_count }) => formatNumber(download_count),
    text: ({ download_count }) => download_count,
  },
  { label: protectedTexts.access, show: accessText, text: accessText },
  {
    label: protectedTexts.version,
    isRightAligned: true,
    show: ({ version }) => version,
    text: ({ version }) => version,
  },
  {
    label: protectedTexts.size,
    isRightAligned: true,
    show: ({ size_bytes }) => formatBytes(size_bytes),
    text: ({ size_bytes }) => size_bytes,
  },
]

export const Page = () => (
  <ProtectedList<Row>
    area={AREA}
    path="/files"
    title={protectedTexts.files}
    lead={protectedTexts.filesLead}
    empty={protectedTexts.filesEmpty}
    code="await management.serversideFiles.create({ name: 'update', file })"
    columns={COLUMNS}
    nameOf={({ name }) => name}
    read={async ({ security }, query) => {
      const page = await security.serversideFiles.list(query as unknown as ServersideFilesListQuery)
      return { rows: page.serverside_files, ...page.pagination }
    }}
    create={{ label: protectedTexts.uploadFile, fields: newFileFields, request: createFile }}
    switchTo={switchFile}
  />
)
