import { useParams } from '@tanstack/react-router'
import { type AffiliateConversion, type AffiliatePartner, useRead } from '../../api/store.ts'
import { useCurrency, WithCurrency } from '../../kit/currency.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { LoadedTable } from '../../kit/loaded-table.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Money, Raw, Receipt, Section, Stamp, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { affiliates } from '../../text/affiliates.ts'
import { common } from '../../text/common.ts'
import { CONVERSION_COLUMNS, partnerNameOf, ReviewActions } from './affiliates-conversions.tsx'
import { percentText, WhileProgramIsOn } from './affiliates-frame.tsx'
import { Links, PartnerActions } from './partners-actions.tsx'
import { PAYOUT_COLUMNS } from './payouts-parts.tsx'

interface PartnerProps {
  partner: AffiliatePartner
  currency: string
}

export const Page = () => (
  <WhileProgramIsOn>
    <Partner />
  </WhileProgramIsOn>
)

function Partner() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const currency = useCurrency()
  const read = useRead(
    ['affiliates', 'partners', id],
    async ({ api }) => (await api.affiliates.getPartner(id)).partner,
  )
  return (
    <Loaded read={read}>
      {(partner) => (
        <Frame
          title={partnerNameOf(partner)}
          parent={{ to: '/affiliates/partners', label: affiliates.partners }}
          lead={partner.name === null ? undefined : partner.email}
          actions={currency && <PartnerActions partner={partner} currency={currency} />}
        >
          <div className="split">
            <div>
              <Links partner={partner} />
              <Conversions partner={partner} />
              <Payouts partner={partner} />
            </div>
            <div>
              <WithCurrency rows={4}>
                {(loaded) => <Account partner={partner} currency={loaded} />}
              </WithCurrency>
              <Details partner={partner} />
              <Raw record={partner} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

/** The commission of a partner: what was earned, less what is held, requested or paid, is available. */
function Account({ partner, currency }: PartnerProps) {
  const { earned_cents, pending_cents, paid_cents, available_cents } = partner
  const requestedCents = earned_cents - pending_cents - paid_cents - available_cents
  const line = (name: string, cents: number, isSum = false) => ({
    key: name,
    name,
    amount: <Money cents={cents} currency={currency} />,
    isSum,
  })
  return (
    <Section title={affiliates.commission}>
      <Receipt
        lines={[
          line(affiliates.earned, earned_cents),
          line(affiliates.pending, -pending_cents),
          line(affiliates.inPayouts, -requestedCents),
          line(affiliates.paidOut, -paid_cents),
          line(affiliates.available, available_cents, true),
        ]}
      />
    </Section>
  )
}

const Details = ({ partner }: { partner: AffiliatePartner }) => (
  <Section title={common.details} actions={<Stamp state={partner.status} />}>
    <Facts
      rows={[
        [
          affiliates.commission,
          partner.commission_percent === null
            ? affiliates.ofProgram
            : percentText(partner.commission_percent),
        ],
        [affiliates.clicks, formatNumber(partner.clicks)],
        [affiliates.conversions, formatNumber(partner.conversions)],
        [affiliates.since, <Time key="since" at={partner.created_at} />],
        [common.updated, <Time key="updated" at={partner.updated_at} />],
        [common.note, partner.note],
      ]}
    />
  </Section>
)

function Conversions({ partner: { id } }: { partner: AffiliatePartner }) {
  const isAllowed = useMayWrite('affiliates')
  const read = useRead(
    ['affiliates', 'conversions', 'of partner', id],
    async ({ api }) => (await api.affiliates.listConversions({ partner_id: id })).conversions,
  )
  return (
    <Section
      title={affiliates.conversions}
      actions={<Link to={`/affiliates?partner_id=${id}`}>{affiliates.allConversions}</Link>}
    >
      <LoadedTable<AffiliateConversion>
        read={read}
        skeletonRows={3}
        empty={affiliates.noConversionsYet}
        label={affiliates.conversions}
        keyOf={({ invoice_id }) => invoice_id}
        hrefOf={({ invoice_id }) => `/orders/${invoice_id}`}
        columns={CONVERSION_COLUMNS}
        {...(isAllowed && {
          rowActions: (row) => <ReviewActions conversion={row} />,
        })}
      />
    </Section>
  )
}

function Payouts({ partner: { id } }: { partner: AffiliatePartner }) {
  const read = useRead(
    ['affiliates', 'payouts', 'of partner', id],
    async ({ api }) => (await api.affiliates.listPayouts({ partner_id: id, limit: 25 })).payouts,
  )
  return (
    <Section title={affiliates.payouts}>
      <LoadedTable
        read={read}
        skeletonRows={2}
        empty={affiliates.noPayoutsYet}
        label={affiliates.payouts}
        keyOf={(payout) => payout.id}
        hrefOf={(payout) => `/affiliates/payouts/${payout.id}`}
        columns={PAYOUT_COLUMNS}
      />
    </Section>
  )
}
