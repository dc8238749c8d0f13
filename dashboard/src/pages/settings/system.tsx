import type { DoctorFinding, OwnAnswer } from '../../api/own.ts'
import { useRead } from '../../api/store.ts'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { records } from '../../text/records.ts'

/** How often the page asks while the checks run. */
const RUNNING_MS = 2_000

export function Page() {
  const read = useRead(['system'], ({ own }) => own<OwnAnswer<'doctor.get'>>('GET', '/doctor'), {
    refetchInterval: ({ state }) => (state.data?.running ? RUNNING_MS : false),
  })
  return (
    <Frame title={records.system} lead={records.systemLead}>
      <Loaded read={read}>
        {({ running, checked_at, findings }) => (
          <>
            <p className="quiet">
              {records.checkedAt}: <Time at={checked_at} /> {running && records.running}
            </p>
            {findings.length === 0 ? <Empty>{records.noChecks}</Empty> : <Findings of={findings} />}
          </>
        )}
      </Loaded>
    </Frame>
  )
}

const Findings = ({ of }: { of: readonly DoctorFinding[] }) => (
  <Table
    label={records.system}
    rows={of}
    keyOf={({ check, detail }) => `${check} ${detail}`}
    columns={[
      { label: records.check, show: ({ check }) => check },
      { label: records.found, show: (finding) => <Finding of={finding} /> },
      { label: records.cure, show: ({ cure }) => cure ?? '–' },
    ]}
  />
)

function Finding({ of: { ok, finished, detail } }: { of: DoctorFinding }) {
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
        {finished ? records.sound : records.unfinished}
      </State>{' '}
      {detail}
    </>
  )
}
