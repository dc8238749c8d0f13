import type { DashboardAnswer, DoctorFinding } from '../../api/dashboard.ts'
import { useRead } from '../../api/store.ts'
import { type Column, Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, State } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { countText } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { records } from '../../text/records.ts'
import { system } from '../../text/system.ts'
import { partNames } from '../../text/system-parts.ts'
import { Backups } from './backups.tsx'
import { type PartRow, SystemParts, Versions } from './system-parts.tsx'

/** The polling interval while the checks run. */
const POLL_INTERVAL_MS = 2_000

export function Page() {
  const read = useRead(['system'], ({ readDashboard }) => readDashboard<'doctor.get'>('/doctor'), {
    refetchInterval: ({ state }) => (state.data?.running ? POLL_INTERVAL_MS : false),
  })
  return (
    <Frame title={records.system} lead={records.systemLead}>
      <Loaded read={read}>
        {(checkup) => (
          <>
            <SystemParts dataRow={dataRowOf(checkup)} />
            <Findings
              label={partNames.data}
              findings={checkup.findings.filter((finding) => !isPassed(finding))}
            />
            <PassedChecks findings={checkup.findings.filter(isPassed)} />
            <Backups />
            <Versions />
          </>
        )}
      </Loaded>
    </Frame>
  )
}

const isPassed = ({ ok, finished }: DoctorFinding): boolean => ok && finished

/** The rules of the data as a line among the parts. Its faults stand in a table of their own. */
function dataRowOf({ checked_at, findings }: DashboardAnswer<'doctor.get'>): PartRow {
  const broken = findings.filter(({ ok }) => !ok).length
  const row = { name: 'data', cure: null, checked_at } as const
  if (checked_at === null) return { ...row, state: 'running', finding: records.running }
  if (broken === 0)
    return { ...row, state: 'ok', finding: fill(system.rulesHold, { n: findings.length }) }
  const finding = fill(system.rulesBroken, { n: broken, all: findings.length })
  return { ...row, state: 'failed', finding }
}

/** The checks that passed, as a count that opens a list. */
const PassedChecks = ({ findings }: { findings: readonly DoctorFinding[] }) =>
  findings.length > 0 && (
    <details>
      <summary>{countText(findings.length, records.passedOne, records.passedMany)}</summary>
      <Findings label={records.passed} findings={findings} />
    </details>
  )

const CHECK_COLUMN: Column<DoctorFinding> = {
  label: records.check,
  show: ({ check }) => <code>{check}</code>,
}
const FOUND_COLUMN: Column<DoctorFinding> = {
  label: records.found,
  show: (finding) => <Finding finding={finding} />,
}
const CURE_COLUMN: Column<DoctorFinding> = {
  label: records.cure,
  show: ({ cure }) => (cure === null ? '–' : <Copy text={cure} label={records.cure} />),
}

const Findings = ({ label, findings }: { label: string; findings: readonly DoctorFinding[] }) =>
  findings.length > 0 && (
    <Table
      label={label}
      rows={findings}
      keyOf={({ check, detail }) => `${check} ${detail}`}
      columns={
        findings.some(({ cure }) => cure !== null)
          ? [CHECK_COLUMN, FOUND_COLUMN, CURE_COLUMN]
          : [CHECK_COLUMN, FOUND_COLUMN]
      }
    />
  )

function Finding({ finding: { ok, finished, detail } }: { finding: DoctorFinding }) {
  if (!ok) {
    return (
      <>
        <State state="failed">{records.fault}</State> {detail}
      </>
    )
  }
  return (
    <>
      <State state={finished ? 'ok' : 'waiting'}>
        {finished ? records.passed : records.unfinished}
      </State>{' '}
      {detail}
    </>
  )
}
