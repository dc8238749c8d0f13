import { storeRequest } from '../../api/action.ts'
import type { AffiliatePayout } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatMoney, humanize } from '../../kit/format.ts'
import type { Column } from '../../kit/list.tsx'
import { Money, State, Time } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { textOrNull } from '../../kit/values.ts'
import { affiliates } from '../../text/affiliates.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { partnerNameOf } from './affiliates-conversions.tsx'

export const PAYOUT_COLUMNS: readonly Column<AffiliatePayout>[] = [
  {
    label: affiliates.requestedAt,
    show: ({ requested_at }) => <Time at={requested_at} />,
    text: ({ requested_at }) => requested_at,
  },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => humanize(status),
  },
  {
    label: affiliates.method,
    show: ({ method }) => method && humanize(method),
    text: ({ method }) => method && humanize(method),
  },
  {
    label: common.amount,
    isRightAligned: true,
    show: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
    money: ({ amount_cents, currency }) => [amount_cents, currency],
  },
]

/** Records a requested payout as sent, or rejects it. */
export function PayoutActions({ payout }: { payout: AffiliatePayout }) {
  const isAllowed = useMayWrite('affiliates')
  const { id, status, amount_cents, currency } = payout
  if (status !== 'requested') return null
  if (!isAllowed) return <NotAllowed area="affiliates" />
  const partner = partnerNameOf(payout.partner)
  const amount = formatMoney(amount_cents, currency)
  return (
    <>
      <Action
        label={affiliates.markSent}
        isPrimary
        lead={<p>{fill(affiliates.markSentLead, { amount, partner })}</p>}
        fields={[
          { name: 'reference', label: affiliates.reference, help: affiliates.referenceHelp },
        ]}
        submit={fill(affiliates.markAmount, { amount })}
        request={({ reference }) =>
          storeRequest('affiliates', 'sendPayout', id, { reference: textOrNull(reference) })
        }
      />
      <Action
        label={affiliates.rejectPayout}
        isDanger
        lead={<p>{fill(affiliates.rejectPayoutLead, { amount, partner })}</p>}
        fields={[{ name: 'note', label: common.reason }]}
        submit={affiliates.rejectPayout}
        request={({ note }) =>
          storeRequest('affiliates', 'rejectPayout', id, { note: textOrNull(note) })
        }
      />
    </>
  )
}
