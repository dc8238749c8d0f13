import { useId } from 'react'
import { securityRequest } from '../../api/action.ts'
import type { RemoteSetting, RemoteSettingVersion } from '../../api/security.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { type Column, Table, useSearch } from '../../kit/list.tsx'
import { Section, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { diffLines } from './line-diff.ts'
import { SwitchState } from './protected-parts.tsx'
import { AREA, textOf } from './settings-parts.tsx'

const VERSIONS_MAX = 100

/** The newest versions of a setting, newest first. */
export const useVersions = (id: number) =>
  useRead([AREA, String(id), 'versions'], ({ security }) =>
    security.remoteSettings.listVersions(id, { limit: VERSIONS_MAX }),
  )

const valueText = ({ type, value }: RemoteSettingVersion): string => {
  const text = textOf(type, value).replace(/\s+/g, ' ')
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

export function Versions({ of, isAllowed }: { of: RemoteSetting; isAllowed: boolean }) {
  const read = useVersions(of.id)
  return (
    <Loaded read={read} rows={3}>
      {({ versions }) => (
        <>
          {versions.length > 1 && <Comparison versions={versions} />}
          <Section title={protectedTexts.versions}>
            <Table
              label={protectedTexts.versions}
              rows={versions}
              keyOf={({ version }) => version}
              columns={columnsOf(of)}
              {...(isAllowed && {
                rowActions: (version: RemoteSettingVersion) =>
                  version.version !== of.version && <RollBack of={of} to={version} />,
              })}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

const columnsOf = (of: RemoteSetting): readonly Column<RemoteSettingVersion>[] => [
  {
    label: protectedTexts.version,
    show: ({ version }) =>
      version === of.version ? `${version} (${protectedTexts.current})` : version,
  },
  { label: protectedTexts.value, show: (version) => <code>{valueText(version)}</code> },
  {
    label: common.status,
    show: (version) => <SwitchState of={{ ...version, id: of.id, app_id: of.app_id }} />,
  },
  { label: protectedTexts.savedAt, show: ({ created_at }) => <Time at={created_at} /> },
  {
    label: protectedTexts.apiKey,
    show: ({ actor_key_id: id }) =>
      id === null ? protectedTexts.byTeam : fill(protectedTexts.byKey, { id }),
  },
]

function RollBack({ of, to }: { of: RemoteSetting; to: RemoteSettingVersion }) {
  const n = to.version
  return (
    <Action
      label={fill(protectedTexts.rollBackTo, { n })}
      lead={<p>{fill(protectedTexts.rollBackLead, { n, next: of.version + 1 })}</p>}
      submit={fill(protectedTexts.rollBackTo, { n })}
      request={() => securityRequest(AREA, 'rollBack', of.id, { version: n })}
    />
  )
}

/** Compares two versions; by default the current one with the one before. Both are in the address. */
function Comparison({ versions }: { versions: readonly RemoteSettingVersion[] }) {
  const [search, setSearch] = useSearch()
  const newest = versions[0]?.version ?? 1
  const numberOf = (text: string | undefined, other: number) => {
    const asked = Number(text)
    return versions.some(({ version }) => version === asked) ? asked : other
  }
  const from = numberOf(search.from, versions[1]?.version ?? newest)
  const to = numberOf(search.to, newest)
  const choose = (next: { from?: string; to?: string }) =>
    setSearch({ ...search, from: String(from), to: String(to), ...next })
  return (
    <Section title={fill(protectedTexts.difference, { from, to })}>
      <div className="filters">
        <Choice
          label={protectedTexts.compareFrom}
          value={from}
          versions={versions}
          onChange={(text) => choose({ from: text })}
        />
        <Choice
          label={protectedTexts.compareTo}
          value={to}
          versions={versions}
          onChange={(text) => choose({ to: text })}
        />
      </div>
      <Difference
        from={contentOf(versions.find(({ version }) => version === from))}
        to={contentOf(versions.find(({ version }) => version === to))}
      />
    </Section>
  )
}

interface ChoiceProps {
  label: string
  value: number
  versions: readonly RemoteSettingVersion[]
  onChange: (text: string) => void
}

function Choice({ label, value, versions, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {versions.map(({ version }) => (
          <option key={version} value={version}>
            {version}
          </option>
        ))}
      </select>
    </div>
  )
}

/** The content of a version, without its time and author. */
function contentOf(version: RemoteSettingVersion | undefined): string {
  if (!version) return ''
  const { object: _, version: __, created_at: ___, actor_key_id: ____, ...content } = version
  return JSON.stringify(content, null, 2)
}

const SIGNS = { removed: '−', added: '+', same: ' ' } as const

/** Lines that differ have a sign and a hidden word in front of them, so that colour is not needed. */
function Difference({ from, to }: { from: string; to: string }) {
  if (from === to) return <p className="quiet">{protectedTexts.noDifference}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reachable by keyboard.
    <div className="diff" tabIndex={0}>
      {diffLines(from, to).map(({ key, kind, text }) => (
        <div key={key} className={kind}>
          <span aria-hidden="true">{SIGNS[kind]}</span>
          {kind !== 'same' && <span className="unseen">{protectedTexts[kind]}: </span>}
          <code>{text}</code>
        </div>
      ))}
    </div>
  )
}
