import type { RemoteSetting, RemoteSettingsListQuery } from '../../api/security.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
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
import { AREA, createSetting, settingFields, switchSetting, textOf } from './settings-parts.tsx'

type Row = RemoteSetting

const SHOWN_MAX = 40

/** The value on one line, cut if it is long. */
function shortOf({ type, value }: Row): string {
  const text = textOf(type, value).replace(/\s+/g, ' ')
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}

const COLUMNS: readonly Column<Row>[] = [
  { label: protectedTexts.key, show: ({ key }) => <code>{key}</code>, text: ({ key }) => key },
  {
    label: common.status,
    show: (row) => <SwitchState of={row} />,
    text: ({ status }) => status,
  },
  {
    label: protectedTexts.value,
    show: (row) => <code>{shortOf(row)}</code>,
    text: ({ type, value }) => textOf(type, value),
  },
  {
    label: protectedTexts.type,
    show: ({ type }) => protectedTexts[type],
    text: ({ type }) => type,
  },
  {
    label: protectedTexts.version,
    isNumber: true,
    show: ({ version }) => version,
    text: ({ version }) => version,
  },
  { label: protectedTexts.access, show: accessText, text: accessText },
  {
    label: common.updated,
    show: ({ updated_at }) => <Time at={updated_at} ago />,
    text: ({ updated_at }) => updated_at,
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
      title={protectedTexts.settings}
      lead={protectedTexts.settingsLead}
      actions={
        isAllowed ? (
          <Action
            label={protectedTexts.newSetting}
            isPrimary
            fields={[...appFields(apps), ...settingFields()]}
            submit={protectedTexts.newSetting}
            request={createSetting}
          />
        ) : (
          <span className="quiet">{common.notAllowed}</span>
        )
      }
    >
      <List
        name={[AREA]}
        label={protectedTexts.settings}
        columns={apps.length > 1 ? [...COLUMNS, appColumn] : COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/remote-settings/${id}`}
        filters={appFilter(apps)}
        empty={protectedTexts.settingsEmpty}
        read={async ({ security }, query) => {
          const page = await security.remoteSettings.list(
            query as unknown as RemoteSettingsListQuery,
          )
          return { rows: page.remote_settings, ...page.pagination }
        }}
        {...(isAllowed && {
          rowActions: (row: Row) => (
            <SwitchAction
              of={row}
              name={row.key}
              request={(status) => switchSetting(row.id, status)}
            />
          ),
        })}
      />
    </Frame>
  )
}
