import type { DoctorFinding } from '../../api/dashboard.ts'
import { useRead, useStore } from '../../api/store.ts'
import { type Column, Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, State, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { countText } from '../../kit/words.ts'
import { records } from '../../text/records.ts'
import { Backups } from './backups.tsx'
import { Connections, Versions } from './connections.tsx'

/** The polling interval while the checks run. */
const POLL_INTERVAL_MS = 2_000

export function Page() {
  const { role } = useStore()
  const read = useRead(['system'], ({ readDashboard }) => readDashboard<'doctor.get'>('/doctor'), {
    refetchInterval: ({ state }) => (state.data?.running ? POLL_INTERVAL_MS : false),
  })
  return (
    <Frame title={records.system} lead={records.systemLead}>
      <Loaded read={read}>
        {({ running, checked_at, findings }) => (
          <>
            <p role="status">{summaryOf(findings)}</p>
            <p className="secondary-text">
              {checked_at !== null && (
                <>
                  {records.checkedAt}: <Time at={checked_at} />{' '}
                </>
              )}
              {running && records.running}
            </p>
            <Findings
              label={records.system}
              findings={findings.filter((finding) => !isPassed(finding))}
            />
            <PassedChecks findings={findings.filter(isPassed)} />
          </>
        )}
      </Loaded>
      {/* Other users already see the refusal of the checks above. */}
      {role === 'owner' && (
        <>
          <Connections />
          <Backups />
          <Versions />
        </>
      )}
    </Frame>
  )
}

const isPassed = ({ ok, finished }: DoctorFinding): boolean => ok && finished

function summaryOf(findings: readonly DoctorFinding[]): string {
  if (findings.length === 0) return records.noChecks
  const faults = findings.filter(({ ok }) => !ok).length
  return faults === 0 ? records.noFaults : countText(faults, records.faultsOne, records.faults)
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
