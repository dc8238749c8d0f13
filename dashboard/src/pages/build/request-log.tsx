import type { ApiCall, OwnAnswer } from '../../api/own.ts'
import { formatNumber } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { requestLog } from '../../text/request-log.ts'

export const CallState = ({ status }: { status: number }) => (
  <State state={String(status)} tone={status < 400 ? 'paid' : status < 500 ? 'waiting' : 'failed'}>
    {status}
  </State>
)

const COLUMNS: readonly Column<ApiCall>[] = [
  {
    label: requestLog.call,
    show: ({ method, path }) => <code>{`${method} ${path}`}</code>,
    text: ({ method, path }) => `${method} ${path}`,
  },
  {
    label: common.status,
    show: ({ status }) => <CallState status={status} />,
    text: ({ status }) => status,
  },
  {
    label: requestLog.code,
    show: ({ error_code }) => (error_code === null ? '–' : <code>{error_code}</code>),
    text: ({ error_code }) => error_code,
  },
  {
    label: requestLog.key,
    show: ({ api_key }) => `${api_key.name} …${api_key.last4}`,
    text: ({ api_key }) => `${api_key.name} …${api_key.last4}`,
  },
  {
    label: requestLog.duration,
    isNumber: true,
    show: ({ duration_ms }) => fill(requestLog.ms, { n: formatNumber(duration_ms) }),
    text: ({ duration_ms }) => duration_ms,
  },
  {
    label: requestLog.when,
    isNumber: true,
    show: ({ created_at }) => <Time at={created_at} ago="machine" />,
    text: ({ created_at }) => created_at,
  },
]

export const Page = () => (
  <Frame title={requestLog.title}>
    <List
      name={['request_log']}
      label={requestLog.title}
      columns={COLUMNS}
      keyOf={({ request_id }) => request_id}
      hrefOf={({ request_id }) => `/request-log/${request_id}`}
      views={[
        { label: requestLog.ok, query: { status: '2xx' } },
        { label: requestLog.refused, query: { status: '4xx' } },
        { label: requestLog.failed, query: { status: '5xx' } },
      ]}
      filters={[
        { name: 'status', label: common.status },
        { name: 'operation', label: requestLog.operation },
        { name: 'api_key_id', label: requestLog.keyId },
        { name: 'request_id', label: requestLog.requestId },
      ]}
      empty={requestLog.empty}
      read={async ({ own }, query) => {
        const page = await own<OwnAnswer<'request_log.list'>>('GET', '/request-log', { query })
        return { rows: page.calls, next_cursor: page.next_cursor }
      }}
    />
  </Frame>
)
