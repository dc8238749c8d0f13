import type { ReactNode } from 'react'
import type { SystemPart } from '../../api/dashboard.ts'
import { useRead } from '../../api/store.ts'
import { formatBytes } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { type Column, Table } from '../../kit/list.tsx'
import { Facts, Section, State, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { system } from '../../text/system.ts'
import {
  partCures,
  partNames,
  partProblems,
  partsInOrder,
  partsOff,
} from '../../text/system-parts.ts'

/** Reads the versions and parts of the installation. Only owners may read them. */
const useSystem = () =>
  useRead(['system', 'parts'], async ({ readDashboard }) => {
    const answer = await readDashboard<'system.get'>('/system')
    return answer.system
  })

const TONES_AND_TEXTS = {
  ok: ['ok', system.inOrder],
  warning: ['waiting', system.warning],
  failed: ['failed', system.fails],
  off: ['closed', system.off],
  running: ['waiting', system.running],
} as const

/** A line of the table: a part of the installation, or the rules of the data. */
export interface PartRow {
  name: SystemPart['name'] | 'data'
  state: SystemPart['state'] | 'running'
  finding: ReactNode
  cure: ReactNode
  checked_at: string | null
}

const COLUMNS: readonly Column<PartRow>[] = [
  { label: system.part, show: ({ name }) => partNames[name] },
  {
    label: system.state,
    show: ({ state }) => {
      const [tone, text] = TONES_AND_TEXTS[state]
      return <State state={tone}>{text}</State>
    },
  },
  { label: system.found, show: ({ finding }) => finding },
  { label: system.cure, show: ({ cure }) => cure ?? '–' },
  {
    label: system.checked,
    show: ({ checked_at }) => (checked_at === null ? '–' : <Time at={checked_at} ago="machine" />),
  },
]

/** Each part of the installation with its newest check and its cure, and the rules of the data as the last line. */
export const SystemParts = ({ dataRow }: { dataRow: PartRow }) => (
  <Section title={system.parts}>
    <Loaded read={useSystem()} rows={10}>
      {({ parts }) => {
        const rows = [...parts.map(rowOf), dataRow]
        return (
          <>
            <p role="status">{summaryOf(rows)}</p>
            <Table label={system.parts} rows={rows} keyOf={({ name }) => name} columns={COLUMNS} />
          </>
        )
      }}
    </Loaded>
  </Section>
)

function summaryOf(rows: readonly PartRow[]): string {
  const countOf = (...states: PartRow['state'][]) =>
    rows.filter(({ state }) => states.includes(state)).length
  const faulty = countOf('failed', 'warning')
  const off = countOf('off')
  const sentences = [
    faulty === 0 ? system.allWell : fill(system.needAttention, { n: faulty }),
    ...(off === 0 ? [] : [fill(system.notSetUp, { n: off })]),
  ]
  return sentences.join(' ')
}

const rowOf = (part: SystemPart): PartRow => ({
  name: part.name,
  state: part.state,
  finding: <Finding part={part} />,
  cure: cureOf(part),
  checked_at: part.checked_at,
})

function Finding({ part: { name, state, problem, values, target, error } }: { part: SystemPart }) {
  const text = problem === null ? textOf(name, state) : partProblems[problem]
  const figures = { ...values, free: formatBytes(values.free_bytes ?? 0) }
  return (
    <>
      {fill(text, figures)}
      {(error ?? target) !== null && <div className="secondary-text">{error ?? target}</div>}
    </>
  )
}

const textOf = (name: SystemPart['name'], state: SystemPart['state']): string =>
  state === 'off' && name in partsOff ? partsOff[name as keyof typeof partsOff] : partsInOrder[name]

function cureOf({ name, state, problem }: SystemPart): ReactNode {
  if (state === 'ok') return null
  if (name === 'receivers') return <Link to="/webhooks">{partCures.receivers}</Link>
  if (problem === 'certificate_ends' || problem === 'certificate_ended')
    return partCures.certificateEnds
  return partCures[name]
}

/** The versions of the program, of Node.js and of the database. */
export function Versions() {
  return (
    <Section title={system.versions}>
      <Loaded read={useSystem()} rows={3}>
        {({ version, node, postgres, is_embedded, schema_version }) => (
          <Facts
            rows={[
              ['Tradepost', version],
              ['Node.js', node],
              ['PostgreSQL', `${postgres} (${is_embedded ? system.embedded : system.server})`],
              [system.schema, <code key="schema">{schema_version}</code>],
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

/** The state of the mail server, on the page of mail. */
export function MailServer() {
  return (
    <Section title={partNames.mail}>
      <Loaded read={useSystem()} rows={1}>
        {({ parts }) => (
          <Table
            label={partNames.mail}
            rows={parts.filter(({ name }) => name === 'mail').map(rowOf)}
            keyOf={({ name }) => name}
            columns={COLUMNS.slice(1)}
          />
        )}
      </Loaded>
    </Section>
  )
}
