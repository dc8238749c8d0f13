import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { dashboardRequest } from '../../api/action.ts'
import type {
  ApiCallInFull,
  DashboardAnswer,
  LoggedBody,
  ReplayedCall,
} from '../../api/dashboard.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatBytes, formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, ErrorCode, Facts, Section, Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { yesNo } from '../../kit/values.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { requestLog } from '../../text/request-log.ts'
import { CallState } from './request-log.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const read = useRead(['request_log', 'call', id], async ({ readDashboard }) => {
    const { call } = await readDashboard<'request_log.get'>(`/request-log/${id}`)
    return call
  })
  return <Loaded read={read}>{(call) => <CallPage key={call.request_id} call={call} />}</Loaded>
}

function CallPage({ call }: { call: ApiCallInFull }) {
  const [replay, setReplay] = useState<ReplayedCall>()
  return (
    <Frame
      title={call.operation ?? `${call.method} ${call.path}`}
      parent={{ to: '/request-log', label: requestLog.title }}
      lead={<Copy text={call.request_id} />}
      actions={<Replay call={call} onDone={setReplay} />}
    >
      <div className="split">
        <div>
          {replay && (
            <Section title={requestLog.replayed} actions={<CallState status={replay.status} />}>
              <p>
                <Copy text={replay.request_id} />{' '}
                {fill(requestLog.ms, { n: formatNumber(replay.duration_ms) })}
              </p>
              <LoggedBodyText body={replay.response_body} label={requestLog.replayed} />
            </Section>
          )}
          <Section title={requestLog.request}>
            <p>
              <code>{`${call.method} ${call.path}`}</code>
            </p>
            <LoggedBodyText body={call.request_body} label={requestLog.request} />
          </Section>
          <Section title={requestLog.answer} actions={<CallState status={call.status} />}>
            <LoggedBodyText body={call.response_body} label={requestLog.answer} />
          </Section>
          <p className="secondary-text">{requestLog.masked}</p>
        </div>
        <CallFacts call={call} />
      </div>
    </Frame>
  )
}

function Replay({ call, onDone }: { call: ApiCallInFull; onDone(replay: ReplayedCall): void }) {
  const isAllowed = useMayWrite('account')
  if (!call.replayable) {
    return (
      <span className="secondary-text">
        {fill(requestLog.notRepeatable, { why: call.why_not ?? '' })}
      </span>
    )
  }
  if (!isAllowed) return <NotAllowed area="account" />
  return (
    <Action
      label={requestLog.replay}
      lead={<p>{fill(requestLog.replayLead, { call: `${call.method} ${call.path}` })}</p>}
      submit={requestLog.replay}
      onDone={(answer) => onDone((answer as DashboardAnswer<'request_log.replay'>).replay)}
      request={() =>
        dashboardRequest('request_log', 'POST', `/request-log/${call.request_id}/replay`)
      }
    />
  )
}

function LoggedBodyText({ body, label }: { body: LoggedBody; label: string }) {
  if (!body.kept) return <p>{fill(requestLog.notStored, { size: formatBytes(body.bytes) })}</p>
  if (body.content === null) return <p className="secondary-text">{requestLog.noBody}</p>
  return <Copy block text={JSON.stringify(body.content, null, 2)} label={label} />
}

const CallFacts = ({ call }: { call: ApiCallInFull }) => (
  <Section title={common.details}>
    <Facts
      rows={[
        [
          requestLog.refusal,
          call.error_code === null ? undefined : <ErrorCode key="code" code={call.error_code} />,
        ],
        [
          requestLog.key,
          <Link key="key" to={`/api-keys/${call.api_key.id}`}>
            {`${call.api_key.name} …${call.api_key.last4}`}
          </Link>,
        ],
        [requestLog.duration, fill(requestLog.ms, { n: formatNumber(call.duration_ms) })],
        [requestLog.when, <Time key="when" at={call.created_at} />],
        [requestLog.address, call.address],
        [requestLog.program, call.user_agent],
        [requestLog.idempotency, yesNo(call.idempotency_key !== null)],
      ]}
    />
  </Section>
)
