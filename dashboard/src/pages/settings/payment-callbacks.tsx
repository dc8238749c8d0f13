import { type Request, storeRequest } from '../../api/action.ts'
import type { PaymentCallback } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { Link } from '../../kit/link.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Section, State, Time } from '../../kit/show.tsx'
import type { View } from '../../kit/views.tsx'
import { common } from '../../text/common.ts'
import { payments } from '../../text/payments.ts'
import { messageText, providerName } from './payment-parts.ts'

type Status = PaymentCallback['status']

const STATUS_TEXTS: Record<Status, string> = {
  received: payments.waiting,
  applied: payments.applied,
  ignored: payments.ignored,
  failed: payments.failed,
}
const TONES = { received: 'waiting', applied: 'paid', ignored: 'closed', failed: 'failed' } as const

const VIEWS: readonly View[] = (Object.keys(STATUS_TEXTS) as Status[]).map((status) => ({
  label: STATUS_TEXTS[status],
  query: { status },
}))

const COLUMNS: readonly Column<PaymentCallback>[] = [
  {
    label: payments.received,
    show: ({ received_at }) => <Time at={received_at} />,
    text: ({ received_at }) => received_at,
  },
  {
    label: payments.provider,
    show: ({ provider }) => providerName(provider),
    text: ({ provider }) => providerName(provider),
  },
  {
    label: payments.message,
    show: ({ type }) => (
      <>
        {messageText(type)} <code className="beside">{type}</code>
      </>
    ),
    text: ({ type }) => messageText(type),
  },
  {
    label: common.status,
    show: ({ status, error }) => (
      <>
        <CallbackState status={status} /> {error}
      </>
    ),
    text: ({ status }) => STATUS_TEXTS[status],
  },
  {
    label: payments.order,
    show: ({ order_id }) =>
      order_id === null ? '–' : <Link to={`/orders/${order_id}`}>{payments.openOrder}</Link>,
    text: ({ order_id }) => order_id,
  },
]

/** The callbacks of all providers, the newest first. */
export const PaymentCallbacks = ({ isAllowed }: { isAllowed: boolean }) => (
  <Section title={payments.callbacks}>
    <p className="secondary-text">{payments.callbacksLead}</p>
    <List
      queryKey={['account', 'payment callbacks']}
      label={payments.callbacks}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      views={VIEWS}
      empty={payments.callbacksEmpty}
      read={async ({ api }, query) => {
        const page = await api.account.listPaymentCallbacks(query)
        return { rows: page.payment_callbacks, next_cursor: page.next_cursor }
      }}
      {...(isAllowed && {
        rowActions: ({ id }: PaymentCallback) => (
          <ApplyAgain request={() => storeRequest('account', 'applyPaymentCallback', id)} />
        ),
      })}
    />
  </Section>
)

export const CallbackState = ({ status }: { status: Status }) => (
  <State state={status} tone={TONES[status]}>
    {STATUS_TEXTS[status]}
  </State>
)

export const ApplyAgain = ({ request }: { request: () => Request }) => (
  <Action
    label={payments.applyAgain}
    lead={<p>{payments.applyAgainLead}</p>}
    submit={payments.applyAgain}
    request={request}
  />
)
