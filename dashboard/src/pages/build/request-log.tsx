import { BASE } from '../../api/call.ts'
import { type AccountListCallsQuery, type ApiCall, useRead, useStore } from '../../api/store.ts'
import { formatNumber } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { requestLog } from '../../text/request-log.ts'

function toneOf(status: number) {
  if (status >= 500) return 'failed'
  return status >= 400 ? 'waiting' : 'paid'
}

export const CallState = ({ status }: { status: number }) => (
  <State state={String(status)} tone={toneOf(status)}>
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
    label: requestLog.refusal,
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
    isRightAligned: true,
    show: ({ duration_ms }) => fill(requestLog.ms, { n: formatNumber(duration_ms) }),
    text: ({ duration_ms }) => duration_ms,
  },
  {
    label: requestLog.when,
    isRightAligned: true,
    show: ({ created_at }) => <Time at={created_at} ago="machine" />,
    text: ({ created_at }) => created_at,
  },
]

const curlLine = (storeId: string): string =>
  `curl ${location.origin}${BASE}/v1/products -H "x-api-key: $TRADEPOST_API_KEY" -H "x-store-hash: ${storeId}"`

export function Page() {
  const { id: storeId } = useStore()
  const keys = useRead(
    ['api_keys', 'of the log'],
    async ({ readDashboard }) => (await readDashboard<'api_keys.list'>('/api-keys')).api_keys,
    { isOptional: true },
  )
  const options = (keys.data ?? []).map(({ id, name, last4 }) => ({
    value: String(id),
    label: `${name} …${last4}`,
  }))
  return (
    <Frame title={requestLog.title}>
      <List
        queryKey={['request_log']}
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
          { name: 'api_key_id', label: requestLog.key, options },
          { name: 'request_id', label: requestLog.requestId },
        ]}
        empty={requestLog.empty}
        firstStep={{
          link: { to: '/api-keys', label: requestLog.toKeys },
          code: curlLine(storeId),
        }}
        read={async ({ api }, query) => {
          const page = await api.account.listCalls(query as AccountListCallsQuery)
          return { rows: page.calls, next_cursor: page.next_cursor }
        }}
      />
    </Frame>
  )
}
