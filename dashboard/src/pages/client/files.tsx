import type { ServersideFile, ServersideFilesListQuery } from '../../api/security.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatBytes, formatNumber } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { AREA, createFile, newFileFields, switchFile } from './files-parts.tsx'
import {
  accessText,
  appFields,
  appFilter,
  appNameOf,
  SwitchAction,
  SwitchState,
  useApps,
} from './protected-parts.tsx'

type Row = ServersideFile

const COLUMNS: readonly Column<Row>[] = [
  { label: common.name, show: ({ name }) => <code>{name}</code>, text: ({ name }) => name },
  {
    label: common.status,
    show: (row) =>
      row.upload_state === 'ready' ? <SwitchState of={row} /> : <State state={row.upload_state} />,
    text: ({ status, upload_state }) => (upload_state === 'ready' ? status : upload_state),
  },
  {
    label: protectedTexts.lastDownload,
    show: ({ last_downloaded_at: at }) => (at ? <Time at={at} ago /> : common.never),
    text: ({ last_downloaded_at }) => last_downloaded_at,
  },
  {
    label: protectedTexts.downloads,
    isNumber: true,
    show: ({ download_count }) => formatNumber(download_count),
    text: ({ download_count }) => download_count,
  },
  { label: protectedTexts.access, show: accessText, text: accessText },
  {
    label: protectedTexts.version,
    isNumber: true,
    show: ({ version }) => version,
    text: ({ version }) => version,
  },
  {
    label: protectedTexts.size,
    isNumber: true,
    show: ({ size_bytes }) => formatBytes(size_bytes),
    text: ({ size_bytes }) => size_bytes,
  },
]

export function Page() {
  const isAllowed = useMayWrite('client_security')
  const apps = useApps()
  const appColumn: Column<Row> = {
    label: protectedTexts.app,
    show: ({ app_id }) => appNameOf(apps, app_id),
    text: ({ app_id }) => appNameOf(apps, app_id),
  }
  return (
    <Frame
      title={protectedTexts.files}
      lead={protectedTexts.filesLead}
      actions={
        isAllowed ? (
          <Action
            label={protectedTexts.uploadFile}
            isPrimary
            fields={[...appFields(apps), ...newFileFields]}
            submit={protectedTexts.uploadFile}
            request={createFile}
          />
        ) : (
          <span className="quiet">{common.notAllowed}</span>
        )
      }
    >
      <List
        name={[AREA]}
        label={protectedTexts.files}
        columns={apps.length > 1 ? [...COLUMNS, appColumn] : COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/files/${id}`}
        filters={appFilter(apps)}
        empty={protectedTexts.filesEmpty}
        read={async ({ security }, query) => {
          const page = await security.serversideFiles.list(
            query as unknown as ServersideFilesListQuery,
          )
          return { rows: page.serverside_files, ...page.pagination }
        }}
        {...(isAllowed && {
          rowActions: (row: Row) => (
            <SwitchAction
              of={row}
              name={row.name}
              request={(status) => switchFile(row.id, status)}
            />
          ),
        })}
      />
    </Frame>
  )
}
