import type { RemoteSetting, RemoteSettingsListQuery } from '../../api/security.ts'
import type { Column } from '../../kit/list.tsx'
import { Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { ProtectedList } from './protected-list.tsx'
import { accessText, SwitchState, switchText } from './protected-parts.tsx'
import {
  AREA,
  createSetting,
  settingFields,
  shortValueText,
  switchSetting,
  valueText,
} from './settings-parts.tsx'

type Row = RemoteSetting

const COLUMNS: readonly Column<Row>[] = [
  { label: protectedTexts.key, show: ({ key }) => <code>{key}</code>, text: ({ key }) => key },
  {
    label: common.status,
    show: (row) => <SwitchState record={row} />,
    text: switchText,
  },
  {
    label: protectedTexts.value,
    show: (row) => <code>{shortValueText(row)}</code>,
    text: ({ type, value }) => valueText(type, value),
  },
  {
    label: protectedTexts.type,
    show: ({ type }) => protectedTexts[type],
    text: ({ type }) => protectedTexts[type],
  },
  {
    label: protectedTexts.version,
    isRightAligned: true,
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

export const Page = () => (
  <ProtectedList<Row>
    area={AREA}
    path="/remote-settings"
    title={protectedTexts.settings}
    lead={protectedTexts.settingsLead}
    empty={protectedTexts.settingsEmpty}
    code="await management.remoteSettings.create({ key: 'theme', type: 'string', value: 'dark' })"
    columns={COLUMNS}
    filters={[
      {
        name: 'reveal',
        label: protectedTexts.showValues,
        options: [{ value: 'true', label: common.yes }],
      },
    ]}
    nameOf={({ key }) => key}
    read={async ({ security }, query) => {
      const page = await security.remoteSettings.list(query as unknown as RemoteSettingsListQuery)
      return { rows: page.remote_settings, ...page.pagination }
    }}
    create={{ label: protectedTexts.newSetting, fields: settingFields(), request: createSetting }}
    switchTo={switchSetting}
  />
)
