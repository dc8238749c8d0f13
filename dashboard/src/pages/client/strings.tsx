import type { ListedServersideString, ServersideStringsListQuery } from '../../api/security.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatBytes, formatNumber } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import {
  accessText,
  appFields,
  appFilter,
  appNameOf,
  SwitchAction,
  SwitchState,
  useApps,
} from './protected-parts.tsx'
import { AREA, createString, stringFields, switchString } from './strings-parts.tsx'

type Row = ListedServersideString

const COLUMNS: readonly Column<Row>[] = [
  { label: common.name, show: ({ name }) => <code>{name}</code>, text: ({ name }) => name },
  {
    label: common.status,
    show: (row) => <SwitchState of={row} />,
    text: ({ status }) => status,
  },
  {
    label: protectedTexts.lastRead,
    show: ({ last_fetched_at: at }) => (at ? <Time at={at} ago /> : common.never),
    text: ({ last_fetched_at }) => last_fetched_at,
  },
  {
    label: protectedTexts.reads,
    isNumber: true,
    show: ({ fetch_count }) => formatNumber(fetch_count),
    text: ({ fetch_count }) => fetch_count,
  },
  { label: protectedTexts.access, show: accessText, text: accessText },
  {
    label: protectedTexts.size,
    isNumber: true,
    show: ({ value_bytes }) => formatBytes(value_bytes),
    text: ({ value_bytes }) => value_bytes,
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
      title={protectedTexts.strings}
      lead={protectedTexts.stringsLead}
      actions={
        isAllowed ? (
          <Action
            label={protectedTexts.newString}
            isPrimary
            fields={[...appFields(apps), ...stringFields()]}
            submit={protectedTexts.newString}
            request={createString}
          />
        ) : (
          <span className="quiet">{common.notAllowed}</span>
        )
      }
    >
      <List
        name={[AREA]}
        label={protectedTexts.strings}
        columns={apps.length > 1 ? [...COLUMNS, appColumn] : COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/strings/${id}`}
        filters={appFilter(apps)}
        empty={protectedTexts.stringsEmpty}
        read={async ({ security }, query) => {
          const page = await security.serversideStrings.list(
            query as unknown as ServersideStringsListQuery,
          )
          return { rows: page.serverside_strings, ...page.pagination }
        }}
        {...(isAllowed && {
          rowActions: (row: Row) => (
            <SwitchAction
              of={row}
              name={row.name}
              request={(status) => switchString(row.id, status)}
            />
          ),
        })}
      />
    </Frame>
  )
}
