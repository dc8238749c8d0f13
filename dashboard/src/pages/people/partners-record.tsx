import { useParams } from '@tanstack/react-router'
import { type AffiliateConversion, type AffiliatePartner, useRead } from '../../api/store.ts'
import { useCurrency } from '../../kit/currency.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Money, Raw, Receipt, Section, Stamp, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { affiliates } from '../../text/affiliates.ts'
import { common } from '../../text/common.ts'
import { CONVERSION_COLUMNS, nameOf, ReviewActions } from './affiliates-conversions.tsx'
import { percentText } from './affiliates-frame.tsx'
import { Links, PartnerActions } from './partners-actions.tsx'
import { PAYOUT_COLUMNS } from './payouts-parts.tsx'

interface PartnerProps {
  partner: AffiliatePartner
  currency: string
}

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const currency = useCurrency()
  const read = useRead(
    ['affiliates', 'partners', id],
    async ({ api }) => (await api.affiliates.getPartner(id)).partner,
  )
  return (
    <Loaded read={read}>
      {(partner) =>
        currency !== undefined && (
          <Frame
            title={nameOf(partner)}
            parent={{ to: '/affiliates/partners', label: affiliates.partners }}
            lead={partner.name === null ? undefined : partner.email}
            actions={<PartnerActions partner={partner} currency={currency} />}
          >
            <div className="split">
              <div>
                <Links partner={partner} />
                <Conversions partner={partner} />
                <Payouts partner={partner} />
              </div>
              <div>
                <Account partner={partner} currency={currency} />
                <Details partner={partner} />
                <Raw record={partner} />
              </div>
            </div>
          </Frame>
        )
      }
    </Loaded>
  )
}

const Account = ({ partner, currency }: PartnerProps) => (
  <Section title={affiliates.commission}>
    <Receipt
      lines={(
        [
          ['earned_cents', affiliates.earned],
          ['pending_cents', affiliates.pending],
          ['paid_cents', affiliates.paidOut],
          ['available_cents', affiliates.available],
        ] as const
      ).map(([field, name]) => ({
        key: field,
        name,
        amount: <Money cents={partner[field]} currency={currency} />,
        isSum: field === 'available_cents',
      }))}
    />
  </Section>
)

const Details = ({ partner }: { partner: AffiliatePartner }) => (
  <Section title={common.details} actions={<Stamp state={partner.status} />}>
    <Facts
      of={[
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
      <Loaded read={read} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{affiliates.noConversionsYet}</Empty>
          ) : (
            <Table<AffiliateConversion>
              label={affiliates.conversions}
              rows={rows}
              keyOf={({ invoice_id }) => invoice_id}
              hrefOf={({ invoice_id }) => `/orders/${invoice_id}`}
              columns={CONVERSION_COLUMNS}
              {...(isAllowed && {
                rowActions: (row) => <ReviewActions conversion={row} />,
              })}
            />
          )
        }
      </Loaded>
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
      <Loaded read={read} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{affiliates.noPayoutsYet}</Empty>
          ) : (
            <Table
              label={affiliates.payouts}
              rows={rows}
              keyOf={(payout) => payout.id}
              hrefOf={(payout) => `/affiliates/payouts/${payout.id}`}
              columns={PAYOUT_COLUMNS}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
