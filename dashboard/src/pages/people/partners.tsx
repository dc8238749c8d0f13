import { storeRequest } from '../../api/action.ts'
import type { AffiliatePartner, AffiliatesListPartnersQuery } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { WithCurrency } from '../../kit/currency.tsx'
import { firstStep } from '../../kit/first-step.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { NEW_HASH } from '../../kit/open-by-address.tsx'
import { Money, State, Time } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { NAME_MAX } from '../../kit/text-limits.ts'
import { numberOrNull, textOrNull } from '../../kit/values.ts'
import { affiliates } from '../../text/affiliates.ts'
import { common } from '../../text/common.ts'
import { AffiliatesFrame, WhileProgramIsOn } from './affiliates-frame.tsx'

const STATUSES = ['applied', 'approved', 'rejected', 'suspended'] as const

const columnsOf = (currency: string): readonly Column<AffiliatePartner>[] => [
  { label: common.email, show: ({ email }) => email, text: ({ email }) => email },
  { label: common.name, show: ({ name }) => name ?? '–', text: ({ name }) => name },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => humanize(status),
  },
  ...(['clicks', 'conversions'] as const).map((field) => ({
    label: affiliates[field],
    isRightAligned: true,
    show: (partner: AffiliatePartner) => formatNumber(partner[field]),
    text: (partner: AffiliatePartner) => partner[field],
  })),
  ...(
    [
      ['earned_cents', affiliates.earned],
      ['available_cents', affiliates.available],
    ] as const
  ).map(([field, label]) => ({
    label,
    isRightAligned: true,
    show: (partner: AffiliatePartner) => <Money cents={partner[field]} currency={currency} />,
    money: (partner: AffiliatePartner) => [partner[field], currency] as const,
  })),
  {
    label: affiliates.since,
    isRightAligned: true,
    show: ({ created_at }) => <Time at={created_at} ago />,
    text: ({ created_at }) => created_at,
  },
]

export function Page() {
  const isAllowed = useMayWrite('affiliates')
  return (
    <AffiliatesFrame
      title={affiliates.partners}
      actions={isAllowed ? <Invite /> : <NotAllowed area="affiliates" />}
    >
      <WhileProgramIsOn>
        <WithCurrency rows={6}>{(currency) => <Partners currency={currency} />}</WithCurrency>
      </WhileProgramIsOn>
    </AffiliatesFrame>
  )
}

function Partners({ currency }: { currency: string }) {
  return (
    <List
      queryKey={['affiliates', 'partners']}
      label={affiliates.partners}
      columns={columnsOf(currency)}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/affiliates/partners/${id}`}
      views={STATUSES.map((status) => ({ label: affiliates[status], query: { status } }))}
      filters={[
        { name: 'search', label: affiliates.search },
        {
          name: 'status',
          label: common.status,
          options: STATUSES.map((value) => ({ value, label: affiliates[value] })),
        },
      ]}
      empty={affiliates.noPartners}
      firstStep={firstStep(
        storeRequest('affiliates', 'invitePartner', { email: 'partner@example.com' }),
        { to: `/affiliates/partners#${NEW_HASH}`, label: affiliates.invite, area: 'affiliates' },
      )}
      read={async ({ api }, query) => {
        const page = await api.affiliates.listPartners(query as AffiliatesListPartnersQuery)
        return { rows: page.partners, ...page.pagination }
      }}
    />
  )
}

function Invite() {
  return (
    <Action
      label={affiliates.invite}
      isPrimary
      lead={<p>{affiliates.inviteLead}</p>}
      fields={[
        { name: 'email', label: common.email, type: 'email', required: true },
        { name: 'name', label: common.name, maxLength: NAME_MAX },
        {
          name: 'commission_percent',
          label: affiliates.ownPercent,
          help: affiliates.ownPercentHelp,
          type: 'number',
          isDecimal: true,
          min: 0,
          max: 100,
        },
        { name: 'note', label: common.note, type: 'textarea' },
      ]}
      submit={affiliates.invite}
      request={({ email, name, commission_percent, note }) =>
        storeRequest('affiliates', 'invitePartner', {
          email: String(email ?? ''),
          name: textOrNull(name),
          commission_percent: numberOrNull(commission_percent),
          note: textOrNull(note),
        })
      }
      pageOf={(answer) =>
        `/affiliates/partners/${(answer as { partner: AffiliatePartner }).partner.id}`
      }
    />
  )
}
