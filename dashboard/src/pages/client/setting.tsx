import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { securityRequest } from '../../api/action.ts'
import type { RemoteSetting } from '../../api/security.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { useOpenAfter } from '../../kit/open-after.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Section, Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { appNameOf, useApps } from './app-options.ts'
import { accessText, ProtectedValue, SwitchAction, SwitchStamp } from './protected-parts.tsx'
import { Readers } from './readers.tsx'
import {
  AREA,
  readSetting,
  revealSetting,
  settingFields,
  switchSetting,
  updateSetting,
  valueText,
} from './settings-parts.tsx'
import { useVersions, Versions } from './settings-versions.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('client_security')
  const [isShown, setShown] = useState(false)
  const read = useRead([AREA, id], (store) => readSetting(store, Number(id)))
  return (
    <Loaded read={read}>
      {(setting) => (
        <Frame
          title={setting.key}
          parent={{ to: '/remote-settings', label: protectedTexts.settings }}
          lead={<SwitchStamp record={setting} />}
          actions={
            isAllowed ? <Actions setting={setting} /> : <NotAllowed area="client_security" />
          }
        >
          <div className="split">
            <ProtectedValue
              {...{ isShown, setShown }}
              queryKey={[AREA, id]}
              reveal={async (store) => {
                const { type, value } = await revealSetting(store, setting.id)
                return valueText(type, value)
              }}
            />
            <Details setting={setting} />
          </div>
          <Versions setting={setting} isAllowed={isAllowed} isShown={isShown} />
          <Readers kind="settings" recordId={setting.app_id} />
        </Frame>
      )}
    </Loaded>
  )
}

function Details({ setting }: { setting: RemoteSetting }) {
  const apps = useApps()
  const { default_value: fallback, constraints } = setting
  return (
    <Section title={common.details}>
      <Facts
        rows={[
          [protectedTexts.type, protectedTexts[setting.type]],
          [protectedTexts.version, setting.version],
          [
            protectedTexts.fallback,
            fallback === null ? undefined : (
              <code key="fallback">{valueText(setting.type, fallback)}</code>
            ),
          ],
          [
            protectedTexts.constraints,
            Object.keys(constraints).length === 0 ? undefined : (
              <code key="constraints">{JSON.stringify(constraints)}</code>
            ),
          ],
          [protectedTexts.access, accessText(setting)],
          [protectedTexts.app, appNameOf(apps, setting.app_id)],
          [protectedTexts.note, setting.description ?? undefined],
          [common.created, <Time key="created" at={setting.created_at} />],
          [common.updated, <Time key="updated" at={setting.updated_at} />],
        ]}
      />
    </Section>
  )
}

function Actions({ setting }: { setting: RemoteSetting }) {
  return (
    <>
      <SwitchAction
        record={setting}
        name={setting.key}
        request={(status) => switchSetting(setting.id, status)}
      />
      <EditAction
        label={common.edit}
        title={protectedTexts.editSetting}
        record={setting}
        readOpened={(store) => revealSetting(store, setting.id)}
        read={(store) => revealSetting(store, setting.id)}
        fields={settingFields}
        request={(changed, opened) => updateSetting(opened, changed)}
      />
      <Remove setting={setting} />
    </>
  )
}

function Remove({ setting }: { setting: RemoteSetting }) {
  const openAfter = useOpenAfter()
  const { data } = useVersions(setting.id, false)
  const n = data ? formatNumber(data.pagination.total) : '…'
  return (
    <Action
      label={common.delete}
      title={protectedTexts.deleteSetting}
      isDanger
      confirmName={setting.key}
      lead={<p>{fill(protectedTexts.deleteSettingLead, { n })}</p>}
      submit={protectedTexts.deleteSetting}
      request={() => openAfter(securityRequest(AREA, 'delete', setting.id), '/remote-settings')}
    />
  )
}
