import { useParams } from '@tanstack/react-router'
import { securityRequest } from '../../api/action.ts'
import type { RemoteSetting } from '../../api/security.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/conflict.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { useGo } from '../../kit/link.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Section, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { appNameOf, useApps } from './app-options.ts'
import { accessText, SwitchAction, SwitchStamp } from './protected-parts.tsx'
import {
  AREA,
  readSetting,
  settingFields,
  switchSetting,
  textOf,
  updateSetting,
} from './settings-parts.tsx'
import { useVersions, Versions } from './settings-versions.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('client_security')
  const read = useRead([AREA, id], (store) => readSetting(store, Number(id)))
  return (
    <Loaded read={read}>
      {(setting) => (
        <Frame
          title={setting.key}
          parent={{ to: '/remote-settings', label: protectedTexts.settings }}
          lead={<SwitchStamp of={setting} />}
          actions={
            isAllowed ? (
              <Actions of={setting} />
            ) : (
              <span className="quiet">{common.notAllowed}</span>
            )
          }
        >
          <div className="split">
            <Section title={protectedTexts.value}>
              <Copy block text={textOf(setting.type, setting.value)} label={protectedTexts.value} />
            </Section>
            <Details of={setting} />
          </div>
          <Versions of={setting} isAllowed={isAllowed} />
        </Frame>
      )}
    </Loaded>
  )
}

function Details({ of }: { of: RemoteSetting }) {
  const apps = useApps()
  const { default_value: fallback, constraints } = of
  return (
    <Section title={common.details}>
      <Facts
        of={[
          [protectedTexts.type, protectedTexts[of.type]],
          [protectedTexts.version, of.version],
          [
            protectedTexts.fallback,
            fallback === null ? undefined : <code key="fallback">{textOf(of.type, fallback)}</code>,
          ],
          [
            protectedTexts.constraints,
            Object.keys(constraints).length === 0 ? undefined : (
              <code key="constraints">{JSON.stringify(constraints)}</code>
            ),
          ],
          [protectedTexts.access, accessText(of)],
          [protectedTexts.app, appNameOf(apps, of.app_id)],
          [protectedTexts.note, of.description ?? undefined],
          [common.created, <Time key="created" at={of.created_at} />],
          [common.updated, <Time key="updated" at={of.updated_at} />],
        ]}
      />
    </Section>
  )
}

function Actions({ of }: { of: RemoteSetting }) {
  return (
    <>
      <SwitchAction of={of} name={of.key} request={(status) => switchSetting(of.id, status)} />
      <EditAction
        label={common.edit}
        title={protectedTexts.editSetting}
        of={of}
        read={(store) => readSetting(store, of.id)}
        fields={settingFields}
        request={(changed) => updateSetting(of, changed)}
      />
      <Remove of={of} />
    </>
  )
}

function Remove({ of }: { of: RemoteSetting }) {
  const go = useGo()
  const { data } = useVersions(of.id)
  const n = data ? formatNumber(data.pagination.total) : '…'
  const request = securityRequest(AREA, 'delete', of.id)
  return (
    <Action
      label={common.delete}
      title={protectedTexts.deleteSetting}
      isDanger
      confirmName={of.key}
      lead={<p>{fill(protectedTexts.deleteSettingLead, { n })}</p>}
      submit={protectedTexts.deleteSetting}
      request={() => ({
        ...request,
        // Leaving the page first keeps it from requesting a deleted record.
        send: async (store) => {
          const answer = await request.send(store)
          go('/remote-settings')
          return answer
        },
      })}
    />
  )
}
