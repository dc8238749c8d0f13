import type { ListedServersideString, ServersideStringsListQuery } from '../../api/security.ts'
import { formatBytes, formatNumber } from '../../kit/format.ts'
import type { Column } from '../../kit/list.tsx'
import { Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { ProtectedList } from './protected-list.tsx'
import { accessText, SwitchState, switchText } from './protected-parts.tsx'
import { AREA, createString, stringFields, switchString } from './strings-parts.tsx'

type Row = ListedServersideString

const COLUMNS: readonly Column<Row>[] = [
  { label: common.name, show: ({ name }) => <code>{name}</code>, text: ({ name }) => name },
  {
    label: common.status,
    show: (row) => <SwitchState record={row} />,
    text: switchText,
  },
  {
    label: protectedTexts.lastRead,
    show: ({ last_fetched_at: at }) => (at ? <Time at={at} ago /> : common.never),
    text: ({ last_fetched_at }) => last_fetched_at,
  },
  {
    label: protectedTexts.reads,
    isRightAligned: true,
    show: ({ fetch_count }) => formatNumber(fetch_count),
    text: ({ fetch_count }) => fetch_count,
  },
  { label: protectedTexts.access, show: accessText, text: accessText },
  {
    label: protectedTexts.size,
    isRightAligned: true,
    show: ({ value_bytes }) => formatBytes(value_bytes),
    text: ({ value_bytes }) => value_bytes,
  },
]

export const Page = () => (
  <ProtectedList<Row>
    area={AREA}
    path="/strings"
    title={protectedTexts.strings}
    lead={protectedTexts.stringsLead}
    empty={protectedTexts.stringsEmpty}
    code="await management.serversideStrings.create({ name: 'greeting', value: 'Hello' })"
    columns={COLUMNS}
    nameOf={({ name }) => name}
    read={async ({ security }, query) => {
      const page = await security.serversideStrings.list(
        query as unknown as ServersideStringsListQuery,
      )
      return { rows: page.serverside_strings, ...page.pagination }
    }}
    create={{ label: protectedTexts.newString, fields: stringFields(), request: createString }}
    switchTo={switchString}
  />
)
