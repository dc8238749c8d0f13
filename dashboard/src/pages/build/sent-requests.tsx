import { useId, useState } from 'react'
import { shellWord } from '../../api/action.ts'
import type { AttemptRequest, DashboardAnswer } from '../../api/dashboard.ts'
import { useRead } from '../../api/store.ts'
import { Table } from '../../kit/list.tsx'
import { Copy, Section } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { sentRequests as text } from '../../text/sent-requests.ts'

type DeliveryRequests = DashboardAnswer<'webhooks.delivery_requests'>

/** The headers that curl sets. A copied content-length would break a changed body. */
const HEADERS_SET_BY_CURL = ['host', 'connection', 'content-length', 'accept-encoding']

/** Returns the curl command that repeats the request of an attempt, with its signature. */
const curlOf = ({ url, body }: DeliveryRequests, { headers }: AttemptRequest): string =>
  [
    `curl -X POST ${shellWord(url)}`,
    ...headers
      .filter(({ name }) => !HEADERS_SET_BY_CURL.includes(name.toLowerCase()))
      .map(({ name, value }) => `-H ${shellWord(`${name}: ${value}`)}`),
    `--data-binary ${shellWord(body)}`,
  ].join(' \\\n  ')

/** The requests of the attempts of a delivery: their headers, and a curl command that repeats each. */
export function SentRequests({ id }: { id: number }) {
  const read = useRead(['events', 'requests', id], ({ readDashboard }) =>
    readDashboard<'webhooks.delivery_requests'>(`/events/deliveries/${id}/requests`),
  )
  return (
    <Section title={text.request}>
      <Loaded read={read} rows={4}>
        {(delivery) =>
          delivery.requests.length === 0 ? (
            <Empty>{text.none}</Empty>
          ) : (
            <SelectedRequest delivery={delivery} />
          )
        }
      </Loaded>
    </Section>
  )
}

function SelectedRequest({ delivery }: { delivery: DeliveryRequests }) {
  const id = useId()
  const [selectedAttempt, setSelectedAttempt] = useState<number>()
  const newest = delivery.requests.at(-1)
  const request = delivery.requests.find(({ attempt }) => attempt === selectedAttempt) ?? newest
  if (!request) return null
  return (
    <>
      {delivery.requests.length > 1 && (
        <div className="field">
          <label htmlFor={id}>{text.attempt}</label>
          <select
            id={id}
            value={request.attempt}
            onChange={({ target }) => setSelectedAttempt(Number(target.value))}
          >
            {delivery.requests.map(({ attempt }) => (
              <option key={attempt}>{attempt}</option>
            ))}
          </select>
        </div>
      )}
      {request.missing === null ? (
        <>
          <Table
            label={text.headers}
            rows={request.headers}
            keyOf={({ name }) => name}
            columns={[
              { label: text.header, show: ({ name }) => <code>{name}</code> },
              { label: text.value, show: ({ value }) => <code className="wrap">{value}</code> },
            ]}
          />
          <h3 className="step">{text.asCurl}</h3>
          <p className="secondary-text">{text.asCurlLead}</p>
          <Copy block text={curlOf(delivery, request)} label={text.asCurl} />
        </>
      ) : (
        <p className="secondary-text">
          {fill(text[request.missing], { reason: request.reason ?? '' })}
        </p>
      )}
    </>
  )
}
