import { storeRequest } from '../../api/action.ts'
import type { Wallet, Withdrawal } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatMoney, humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Money, Receipt, Section, State, Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { ledger } from '../../text/ledger.ts'
import { records } from '../../text/records.ts'

const COLUMNS: readonly Column<Withdrawal>[] = [
  { label: records.method, show: ({ method }) => method, text: ({ method }) => method },
  { label: records.account, show: ({ address }) => address, text: ({ address }) => address },
  {
    label: common.status,
    show: ({ status, failure_reason }) => (
      <>
        <State state={status} /> {failure_reason}
      </>
    ),
    text: ({ status }) => humanize(status),
  },
  {
    label: records.reference,
    show: ({ reference }) => reference ?? '–',
    text: ({ reference }) => reference,
  },
  {
    label: common.created,
    show: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
  {
    label: common.amount,
    isRightAligned: true,
    show: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
    money: ({ amount_cents, currency }) => [amount_cents, currency],
  },
  {
    label: records.net,
    isRightAligned: true,
    show: ({ net_cents, currency }) => <Money cents={net_cents} currency={currency} />,
    money: ({ net_cents, currency }) => [net_cents, currency],
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
          read.data && <RequestWithdrawal wallet={read.data} />
        ) : (
          <NotAllowed area="account" />
        )
      }
    >
      <WalletTabs />
      <Loaded read={read}>{(wallet) => <WalletReceipt wallet={wallet} />}</Loaded>
      <Section title={records.withdrawals}>
        <List
          queryKey={['account', 'withdrawals']}
          label={records.withdrawals}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty={records.withdrawalsEmpty}
          firstStep={{
            code: "await tradepost.account.createWithdrawal({ amount_cents: 5000, method: 'bank_transfer', address: 'DE89 3704 0044 0532 0130 00' })",
          }}
          read={async ({ api }, query) => {
            const page = await api.account.listWithdrawals(query)
            return { rows: page.withdrawals, ...page.pagination }
          }}
          {...(isAllowed && {
            rowActions: (row: Withdrawal) => <WithdrawalActions withdrawal={row} />,
          })}
        />
      </Section>
    </Frame>
  )
}

/** The wallet with its withdrawals, and the ledger. Each list has its own pagination, and therefore its own address. */
export const WalletTabs = () => (
  <Tabs
    label={records.wallet}
    tabs={[
      { to: '/settings/wallet', label: records.withdrawals },
      { to: '/settings/wallet/ledger', label: ledger.title },
    ]}
  />
)

function WalletReceipt({ wallet }: { wallet: Wallet }) {
  const line = (name: string, cents: number) => ({
    key: name,
    name,
    amount: formatMoney(cents, wallet.currency),
  })
  return (
    <Section title={records.available}>
      <Receipt
        lines={[
          line(records.paid, wallet.paid_cents),
          line(records.refunded, -wallet.refunded_cents),
          line(records.pending, -wallet.pending_cents),
          line(records.withdrawn, -wallet.withdrawn_cents),
          { ...line(records.available, wallet.available_cents), isSum: true },
        ]}
      />
    </Section>
  )
}

const RequestWithdrawal = ({ wallet: { currency, available_cents } }: { wallet: Wallet }) => (
  <Action
    label={records.request}
    isPrimary
    isDisabled={available_cents <= 0}
    lead={<p>{fill(records.requestLead, { left: formatMoney(available_cents, currency) })}</p>}
    fields={[
      {
        name: 'amount_cents',
        label: common.amount,
        type: 'money',
        currency,
        required: true,
        min: 1,
      },
      { name: 'fee_cents', label: records.fee, type: 'money', currency, min: 0 },
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

function WithdrawalActions({ withdrawal }: { withdrawal: Withdrawal }) {
  const { id, status, reference, amount_cents, currency } = withdrawal
  if (status !== 'pending' && status !== 'processing') return null
  const availableLead = (
    <p>{fill(records.availableAgain, { amount: formatMoney(amount_cents, currency) })}</p>
  )
  return (
    <>
      {status === 'pending' && (
        <Action
          label={records.process}
          lead={<p>{records.processLead}</p>}
          fields={[{ name: 'reference', label: records.reference }]}
          submit={records.process}
          request={({ reference }) =>
            storeRequest('account', 'processWithdrawal', id, {
              ...(reference !== undefined && { reference: String(reference) }),
            })
          }
        />
      )}
      <Action
        label={records.complete}
        fields={[
          {
            name: 'reference',
            label: records.reference,
            required: true,
            ...(reference && { value: reference }),
          },
        ]}
        submit={records.complete}
        request={({ reference }) =>
          storeRequest('account', 'completeWithdrawal', id, { reference: String(reference ?? '') })
        }
      />
      <Action
        label={records.fail}
        isDanger
        lead={availableLead}
        fields={[{ name: 'reason', label: common.reason, required: true }]}
        submit={records.fail}
        request={({ reason }) =>
          storeRequest('account', 'failWithdrawal', id, { reason: String(reason ?? '') })
        }
      />
      {status === 'pending' && (
        <Action
          label={common.cancel}
          title={records.cancel}
          isDanger
          lead={availableLead}
          submit={records.cancel}
          request={() => storeRequest('account', 'cancelWithdrawal', id)}
        />
      )}
    </>
  )
}
