import { storeRequest } from '../../api/action.ts'
import type { Wallet, Withdrawal } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatMoney } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Money, Receipt, Section, State, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { records } from '../../text/records.ts'

const COLUMNS: readonly Column<Withdrawal>[] = [
  { label: records.method, show: ({ method }) => method, text: ({ method }) => method },
  { label: records.account, show: ({ address }) => address },
  {
    label: common.status,
    show: ({ status, failure_reason }) => (
      <>
        <State state={status} /> {failure_reason}
      </>
    ),
    text: ({ status }) => status,
  },
  { label: records.reference, show: ({ reference }) => reference ?? '–' },
  { label: common.created, show: ({ created_at }) => <Time at={created_at} /> },
  {
    label: common.amount,
    isNumber: true,
    show: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
    text: ({ amount_cents, currency }) => formatMoney(amount_cents, currency),
  },
  {
    label: records.net,
    isNumber: true,
    show: ({ net_cents, currency }) => <Money cents={net_cents} currency={currency} />,
  },
]

export function Page() {
  const isAllowed = useMayWrite('account')
  const read = useRead(
    ['account', 'wallet'],
    async ({ api }) => (await api.account.getWallet()).wallet,
  )
  return (
    <Frame
      title={records.wallet}
      actions={
        isAllowed ? (
          read.data && <Request wallet={read.data} />
        ) : (
          <span className="quiet">{common.notAllowed}</span>
        )
      }
    >
      <Loaded read={read}>{(wallet) => <Sums wallet={wallet} />}</Loaded>
      <Section title={records.withdrawals}>
        <List
          name={['account', 'withdrawals']}
          label={records.withdrawals}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty={records.withdrawalsEmpty}
          read={async ({ api }, query) => {
            const page = await api.account.listWithdrawals(query)
            return { rows: page.withdrawals, ...page.pagination }
          }}
          {...(isAllowed && { rowActions: (row: Withdrawal) => <RowActions of={row} /> })}
        />
      </Section>
    </Frame>
  )
}

function Sums({ wallet }: { wallet: Wallet }) {
  const line = (name: string, cents: number, isSum = false) => ({
    key: name,
    name,
    amount: formatMoney(cents, wallet.currency),
    isSum,
  })
  return (
    <Section title={records.available}>
      <Receipt
        lines={[
          line(records.paid, wallet.paid_cents),
          line(records.refunded, -wallet.refunded_cents),
          line(records.pending, -wallet.pending_cents),
          line(records.withdrawn, -wallet.withdrawn_cents),
          line(records.available, wallet.available_cents, true),
        ]}
      />
    </Section>
  )
}

const Request = ({ wallet: { currency, available_cents } }: { wallet: Wallet }) => (
  <Action
    label={records.request}
    isPrimary
    isDisabled={available_cents <= 0}
    lead={<p>{fill(records.requestLead, { left: formatMoney(available_cents, currency) })}</p>}
    fields={[
      { name: 'amount_cents', label: common.amount, type: 'money', currency, required: true },
      { name: 'fee_cents', label: records.fee, type: 'money', currency },
      { name: 'method', label: records.method, required: true, value: 'bank_transfer' },
      { name: 'address', label: records.account, required: true },
    ]}
    submit={({ amount_cents }) =>
      typeof amount_cents === 'number' && Number.isFinite(amount_cents)
        ? fill(records.requestAmount, { amount: formatMoney(amount_cents, currency) })
        : records.request
    }
    request={({ amount_cents, fee_cents, method, address }) =>
      storeRequest('account', 'createWithdrawal', {
        amount_cents: Number(amount_cents),
        ...(fee_cents !== undefined && { fee_cents: Number(fee_cents) }),
        method: String(method ?? ''),
        address: String(address ?? ''),
      })
    }
  />
)

function RowActions({ of: { id, status, amount_cents, currency } }: { of: Withdrawal }) {
  if (status !== 'pending' && status !== 'processing') return null
  const back = <p>{fill(records.back, { amount: formatMoney(amount_cents, currency) })}</p>
  return (
    <>
      <Action
        label={records.complete}
        fields={[{ name: 'reference', label: records.reference, required: true }]}
        submit={records.complete}
        request={({ reference }) =>
          storeRequest('account', 'completeWithdrawal', id, { reference: String(reference ?? '') })
        }
      />
      <Action
        label={records.fail}
        isDanger
        lead={back}
        fields={[{ name: 'reason', label: common.reason, required: true }]}
        submit={records.fail}
        request={({ reason }) =>
          storeRequest('account', 'failWithdrawal', id, { reason: String(reason ?? '') })
        }
      />
      <Action
        label={common.cancel}
        title={records.cancel}
        isDanger
        lead={back}
        submit={records.cancel}
        request={() => storeRequest('account', 'cancelWithdrawal', id)}
      />
    </>
  )
}
