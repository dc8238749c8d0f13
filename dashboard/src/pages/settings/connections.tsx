import type { SystemConnection } from '../../api/dashboard.ts'
import { useRead } from '../../api/store.ts'
import { type Column, Table } from '../../kit/list.tsx'
import { Facts, Section, State, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { system } from '../../text/system.ts'

/** Reads the versions and connections of the installation. Only owners may read them. */
const useSystem = () =>
  useRead(['system', 'connections'], async ({ readDashboard }) => {
    const answer = await readDashboard<'system.get'>('/system')
    return answer.system
  })

const TONES_AND_TEXTS = {
  ok: ['ok', system.answers],
  failed: ['failed', system.fails],
  off: ['closed', system.off],
} as const

const ConnectionState = ({ connection: { state, error } }: { connection: SystemConnection }) => {
  const [tone, text] = TONES_AND_TEXTS[state]
  return (
    <>
      <State state={tone}>{text}</State> {error}
    </>
  )
}

const NAME_COLUMN: Column<SystemConnection> = {
  label: system.connection,
  show: ({ name }) => system[name],
}
const STATE_COLUMNS: readonly Column<SystemConnection>[] = [
  { label: system.state, show: (connection) => <ConnectionState connection={connection} /> },
  { label: system.target, show: ({ target }) => (target === null ? '–' : <code>{target}</code>) },
  { label: system.checked, show: ({ checked_at }) => <Time at={checked_at} ago="machine" /> },
]

/** The state of each connection of the installation, with its newest check. */
export function Connections() {
  return (
    <Section title={system.connections}>
      <Loaded read={useSystem()} rows={3}>
        {({ connections }) => (
          <Table
            label={system.connections}
            rows={connections}
            keyOf={({ name }) => name}
            columns={[NAME_COLUMN, ...STATE_COLUMNS]}
          />
        )}
      </Loaded>
    </Section>
  )
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
    <Section title={system.mail}>
      <Loaded read={useSystem()} rows={1}>
        {({ connections }) => (
          <Table
            label={system.mail}
            rows={connections.filter(({ name }) => name === 'mail')}
            keyOf={({ name }) => name}
            columns={STATE_COLUMNS}
          />
        )}
      </Loaded>
    </Section>
  )
}
