import { useParams } from '@tanstack/react-router'
import { securityRequest } from '../../api/action.ts'
import type { ClientApp } from '../../api/security.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Table } from '../../kit/list.tsx'
import { useOpenAfter } from '../../kit/open-after.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Raw, Section, Stamp, Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { yesNo } from '../../kit/values.ts'
import { fill } from '../../text/catalogue.ts'
import { apps } from '../../text/client-apps.ts'
import { common } from '../../text/common.ts'
import {
  appPatchOf,
  deviceFields,
  LIMITS,
  limitFields,
  matchText,
  ruleFields,
  sessionFields,
  versionFields,
} from './app-fields.ts'
import { SigningKeys } from './app-signing-keys.tsx'
import { secondsText } from './seconds-text.ts'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const isAllowed = useMayWrite('client_security')
  const read = useRead(['apps', Number(id)], async ({ security }) => {
    const { app } = await security.apps.get(Number(id))
    return app
  })
  return (
    <Loaded read={read}>
      {(app) => (
        <Frame
          title={app.name}
          parent={{ to: '/apps', label: apps.title }}
          lead={
            <>
              <Stamp state={app.status} />
              {app.is_default && <p>{apps.isDefault}</p>}
            </>
          }
          actions={isAllowed ? <Actions app={app} /> : <NotAllowed area="client_security" />}
        >
          <div className="split">
            <div>
              <SigningKeys app={app} isAllowed={isAllowed} />
              <Rules app={app} isAllowed={isAllowed} />
              <Raw record={app} />
            </div>
            <div>
              <Versions app={app} isAllowed={isAllowed} />
              <Sessions app={app} isAllowed={isAllowed} />
              <Devices app={app} isAllowed={isAllowed} />
              <Limits app={app} isAllowed={isAllowed} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

interface PartProps {
  app: ClientApp
  isAllowed: boolean
}

interface EditProps extends PartProps {
  title: string
  fields: (app: ClientApp) => readonly Field[]
  /** The object that holds the changed fields, if they are nested. */
  inside?: 'device_policy' | 'rate_limits'
}

function Edit({ app, isAllowed, title, fields, inside }: EditProps) {
  if (!isAllowed) return null
  const patchOf = (changed: FormValues) => {
    const patch = appPatchOf(changed)
    return inside ? { [inside]: patch } : patch
  }
  return (
    <EditAction
      label={common.edit}
      title={title}
      record={app}
      read={async ({ security }) => (await security.apps.get(app.id)).app}
      fields={fields}
      request={(changed) => securityRequest('apps', 'update', app.id, patchOf(changed))}
    />
  )
}

const Versions = (props: PartProps) => {
  const { app } = props
  return (
    <Section
      title={apps.versions}
      actions={<Edit {...props} title={apps.versions} fields={versionFields} />}
    >
      <Facts
        rows={[
          [apps.latestVersion, app.latest_version],
          [apps.minVersion, app.min_version ?? apps.any],
          [apps.downloadUrl, app.download_url],
          [
            apps.checksums,
            app.allowed_checksums.length === 0
              ? apps.any
              : formatNumber(app.allowed_checksums.length),
          ],
          [common.created, <Time key="created" at={app.created_at} />],
          [common.updated, <Time key="updated" at={app.updated_at} />],
        ]}
      />
    </Section>
  )
}

const Sessions = (props: PartProps) => {
  const { app } = props
  return (
    <Section
      title={apps.sessions}
      actions={<Edit {...props} title={apps.sessions} fields={sessionFields} />}
    >
      <Facts
        rows={[
          [apps.sessionTtl, secondsText(app.session_ttl_seconds)],
          [apps.heartbeat, secondsText(app.heartbeat_seconds)],
          [apps.grace, secondsText(app.grace_seconds)],
          [apps.publicSession, yesNo(app.allow_public_session)],
        ]}
      />
    </Section>
  )
}

const Devices = (props: PartProps) => {
  const { required, match, key_required } = props.app.device_policy
  return (
    <Section
      title={apps.devices}
      actions={
        <Edit {...props} title={apps.devices} fields={deviceFields} inside="device_policy" />
      }
    >
      <Facts
        rows={[
          [apps.deviceRequired, yesNo(required)],
          [apps.deviceMatch, matchText(match)],
          [apps.deviceKey, yesNo(key_required)],
        ]}
      />
    </Section>
  )
}

const Limits = (props: PartProps) => (
  <Section
    title={apps.limits}
    actions={<Edit {...props} title={apps.limits} fields={limitFields} inside="rate_limits" />}
  >
    <Facts
      rows={LIMITS.map(([name, label]) => {
        const limit = props.app.rate_limits[name]
        return [label, limit === null ? apps.noLimit : formatNumber(limit)] as const
      })}
    />
  </Section>
)

const Rules = (props: PartProps) => {
  const rules = Object.entries(props.app.report_rules)
  return (
    <Section
      title={apps.reportRules}
      actions={<Edit {...props} title={apps.reportRules} fields={ruleFields} />}
    >
      <p className="secondary-text">{apps.reportRulesLead}</p>
      {rules.length === 0 ? (
        <p className="secondary-text">{apps.noRules}</p>
      ) : (
        <Table
          label={apps.reportRules}
          rows={rules}
          keyOf={([kind]) => kind}
          columns={[
            { label: apps.kind, show: ([kind]) => <code>{kind}</code> },
            { label: apps.action, show: ([, action]) => <code>{action}</code> },
          ]}
        />
      )}
    </Section>
  )
}

const STATUS_CHANGES = [
  ['active', apps.activate, apps.activateLead],
  ['paused', apps.pause, apps.pauseLead],
  ['disabled', apps.disable, apps.disableLead],
] as const

function Actions({ app: { id, name, status, public_id, is_default } }: { app: ClientApp }) {
  const openAfter = useOpenAfter()
  return (
    <>
      <Copy text={public_id} label={apps.publicId} />
      {STATUS_CHANGES.filter(([next]) => next !== status).map(([next, label, lead]) => (
        <Action
          key={next}
          label={label}
          isDanger={next === 'disabled'}
          lead={<p>{fill(lead, { name })}</p>}
          submit={label}
          request={() => securityRequest('apps', 'update', id, { status: next })}
        />
      ))}
      {!is_default && (
        <Action
          label={common.delete}
          title={apps.remove}
          isDanger
          confirmName={name}
          lead={<RemoveLead app={{ id, name }} />}
          submit={apps.remove}
          request={() => openAfter(securityRequest('apps', 'delete', id), '/apps')}
        />
      )}
    </>
  )
}

/** The records that are deleted with an app, counted when its dialog opens. */
function RemoveLead({ app: { id, name } }: { app: Pick<ClientApp, 'id' | 'name'> }) {
  const read = useRead(['apps', id, 'contents'], async ({ security }) => {
    const [strings, settings] = await Promise.all([
      security.serversideStrings.list({ app_id: id, limit: 1 }),
      security.remoteSettings.list({ app_id: id, limit: 1 }),
    ])
    return { strings: strings.pagination.total, settings: settings.pagination.total }
  })
  return (
    <Loaded read={read} rows={1}>
      {({ strings, settings }) => (
        <p>
          {fill(apps.removeLead, {
            name,
            strings: formatNumber(strings),
            settings: formatNumber(settings),
          })}
        </p>
      )}
    </Loaded>
  )
}
