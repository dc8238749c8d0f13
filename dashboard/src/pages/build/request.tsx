import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ownRequest } from '../../api/action.ts'
import type { ApiCallInFull, LoggedBody, OwnAnswer, ReplayedCall } from '../../api/own.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatBytes, formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Section, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { requestLog } from '../../text/request-log.ts'
import { CallState } from './request-log.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const read = useRead(['request_log', 'call', id], async ({ own }) => {
    const { call } = await own<OwnAnswer<'request_log.get'>>('GET', `/request-log/${id}`)
    return call
  })
  return <Loaded read={read}>{(call) => <Record key={call.request_id} call={call} />}</Loaded>
}

function Record({ call }: { call: ApiCallInFull }) {
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
              <Body of={replay.response_body} label={requestLog.replayed} />
            </Section>
          )}
          <Section title={requestLog.asked}>
            <p>
              <code>{`${call.method} ${call.path}`}</code>
            </p>
            <Body of={call.request_body} label={requestLog.asked} />
          </Section>
          <Section title={requestLog.answered} actions={<CallState status={call.status} />}>
            <Body of={call.response_body} label={requestLog.answered} />
          </Section>
          <p className="quiet">{requestLog.masked}</p>
        </div>
        <CallFacts call={call} />
      </div>
    </Frame>
  )
}

function Replay({ call, onDone }: { call: ApiCallInFull; onDone(replay: ReplayedCall): void }) {
  const isAllowed = useMayWrite('account')
  if (!call.replayable) {
    return <span className="quiet">{fill(requestLog.whyNot, { why: call.why_not ?? '' })}</span>
  }
  if (!isAllowed) return <span className="quiet">{common.notAllowed}</span>
  return (
    <Action
      label={requestLog.replay}
      lead={<p>{fill(requestLog.replayLead, { call: `${call.method} ${call.path}` })}</p>}
      submit={requestLog.replay}
      onDone={(answer) => onDone((answer as OwnAnswer<'request_log.replay'>).replay)}
      request={() => ownRequest('request_log', 'POST', `/request-log/${call.request_id}/replay`)}
    />
  )
}

function Body({ of, label }: { of: LoggedBody; label: string }) {
  if (!of.kept) return <p>{fill(requestLog.notKept, { size: formatBytes(of.bytes) })}</p>
  if (of.content === null) return <p className="quiet">{requestLog.noBody}</p>
  return <Copy block text={JSON.stringify(of.content, null, 2)} label={label} />
}

const CallFacts = ({ call }: { call: ApiCallInFull }) => (
  <Section title={common.details}>
    <Facts
      of={[
        [requestLog.code, call.error_code ?? undefined],
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
        [requestLog.idempotency, call.idempotency_key ? common.yes : common.no],
      ]}
    />
  </Section>
)
