import { useParams } from '@tanstack/react-router'
import { securityRequest } from '../../api/action.ts'
import type { ClientApp } from '../../api/security.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/conflict.tsx'
import type { Field, Typed } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { useLeaving } from '../../kit/leave.ts'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Raw, Section, Stamp, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
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
          lead={app.is_default ? apps.isDefault : undefined}
          actions={
            isAllowed ? <Actions of={app} /> : <span className="quiet">{common.notAllowed}</span>
          }
        >
          <div className="split">
            <div>
              <SigningKeys of={app} isAllowed={isAllowed} />
              <Rules of={app} isAllowed={isAllowed} />
              <Raw record={app} />
            </div>
            <div>
              <Versions of={app} isAllowed={isAllowed} />
              <Sessions of={app} isAllowed={isAllowed} />
              <Devices of={app} isAllowed={isAllowed} />
              <Limits of={app} isAllowed={isAllowed} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

interface PartProps {
  of: ClientApp
  isAllowed: boolean
}

interface EditProps extends PartProps {
  title: string
  fields: (app: ClientApp) => readonly Field[]
  /** The field that holds the changed ones, if they are nested in it. */
  inside?: 'device_policy' | 'rate_limits'
}

function Edit({ of, isAllowed, title, fields, inside }: EditProps) {
  if (!isAllowed) return null
  const patchOf = (changed: Typed) => {
    const patch = appPatchOf(changed)
    return inside ? { [inside]: patch } : patch
  }
  return (
    <EditAction
      label={common.edit}
      title={title}
      of={of}
      read={async ({ security }) => (await security.apps.get(of.id)).app}
      fields={fields}
      request={(changed) => securityRequest('apps', 'update', of.id, patchOf(changed))}
    />
  )
}

const Versions = (props: PartProps) => {
  const { of } = props
  return (
    <Section
      title={apps.versions}
      actions={
        <>
          <Stamp state={of.status} />
          <Edit {...props} title={apps.versions} fields={versionFields} />
        </>
      }
    >
      <Facts
        of={[
          [apps.latestVersion, of.latest_version],
          [apps.minVersion, of.min_version ?? apps.any],
          [apps.downloadUrl, of.download_url],
          [
            apps.checksums,
            of.allowed_checksums.length === 0
              ? apps.any
              : formatNumber(of.allowed_checksums.length),
          ],
          [common.created, <Time key="created" at={of.created_at} />],
          [common.updated, <Time key="updated" at={of.updated_at} />],
        ]}
      />
    </Section>
  )
}

const Sessions = (props: PartProps) => {
  const { of } = props
  return (
    <Section
      title={apps.sessions}
      actions={<Edit {...props} title={apps.sessions} fields={sessionFields} />}
    >
      <Facts
        of={[
          [apps.sessionTtl, formatNumber(of.session_ttl_seconds)],
          [apps.heartbeat, formatNumber(of.heartbeat_seconds)],
          [apps.grace, formatNumber(of.grace_seconds)],
          [apps.publicSession, of.allow_public_session ? common.yes : common.no],
        ]}
      />
    </Section>
  )
}

const Devices = (props: PartProps) => {
  const { required, match, key_required } = props.of.device_policy
  return (
    <Section
      title={apps.devices}
      actions={
        <Edit {...props} title={apps.devices} fields={deviceFields} inside="device_policy" />
      }
    >
      <Facts
        of={[
          [apps.deviceRequired, required ? common.yes : common.no],
          [apps.deviceMatch, matchText(match)],
          [apps.deviceKey, key_required ? common.yes : common.no],
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
      of={LIMITS.map(([name, label]) => {
        const limit = props.of.rate_limits[name]
        return [label, limit === null ? apps.noLimit : formatNumber(limit)] as const
      })}
    />
  </Section>
)

const Rules = (props: PartProps) => {
  const rules = Object.entries(props.of.report_rules)
  return (
    <Section
      title={apps.reportRules}
      actions={<Edit {...props} title={apps.reportRules} fields={ruleFields} />}
    >
      <p className="quiet">{apps.reportRulesLead}</p>
      {rules.length === 0 ? (
        <p className="quiet">{apps.noRules}</p>
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

const SWITCHES = [
  ['active', apps.activate, apps.activateLead],
  ['paused', apps.pause, apps.pauseLead],
  ['disabled', apps.disable, apps.disableLead],
] as const

function Actions({ of: { id, name, status, public_id, is_default } }: { of: ClientApp }) {
  const leaving = useLeaving()
  return (
    <>
      <Copy text={public_id} label={apps.publicId} />
      {SWITCHES.filter(([next]) => next !== status).map(([next, label, lead]) => (
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
          lead={<p>{fill(apps.removeLead, { name })}</p>}
          submit={apps.remove}
          request={() => leaving(securityRequest('apps', 'delete', id), '/apps')}
        />
      )}
    </>
  )
}
