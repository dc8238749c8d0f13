import { storeRequest } from '../../api/action.ts'
import type { AffiliatePayout, AffiliatesListPayoutsQuery } from '../../api/store.ts'
import { firstStep } from '../../kit/first-step.ts'
import { type Column, List } from '../../kit/list.tsx'
import { affiliates } from '../../text/affiliates.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { PARTNER_COLUMN } from './affiliates-conversions.tsx'
import { AffiliatesFrame, WhileProgramIsOn } from './affiliates-frame.tsx'
import { PAYOUT_COLUMNS } from './payouts-parts.tsx'

const STATUSES = ['requested', 'sent', 'rejected', 'cancelled'] as const

const COLUMNS: readonly Column<AffiliatePayout>[] = [
  {
    label: affiliates.payouts,
    show: ({ id }) => fill(affiliates.payoutTitle, { id }),
    text: ({ id }) => id,
  },
  PARTNER_COLUMN,
  ...PAYOUT_COLUMNS,
]

export const Page = () => (
  <AffiliatesFrame title={affiliates.payouts}>
    <WhileProgramIsOn>
      <List
        queryKey={['affiliates', 'payouts']}
        label={affiliates.payouts}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/affiliates/payouts/${id}`}
        views={STATUSES.map((status) => ({ label: affiliates[status], query: { status } }))}
        filters={[
          {
            name: 'status',
            label: common.status,
            options: STATUSES.map((value) => ({ value, label: affiliates[value] })),
          },
        ]}
        empty={affiliates.noPayouts}
        firstStep={firstStep(
          storeRequest('affiliates', 'requestPayout', {
            partner_id: 'PARTNER',
            method: 'bank_transfer',
          }),
          { to: '/affiliates/partners', label: affiliates.partners },
        )}
        read={async ({ api }, query) => {
          const page = await api.affiliates.listPayouts(query as AffiliatesListPayoutsQuery)
          return { rows: page.payouts, ...page.pagination }
        }}
      />
    </WhileProgramIsOn>
  </AffiliatesFrame>
)
