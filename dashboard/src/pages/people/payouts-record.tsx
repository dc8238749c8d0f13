import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/store.ts'
import { formatMoney, humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Raw, Section, Stamp, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { affiliates } from '../../text/affiliates.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { nameOf } from './affiliates-conversions.tsx'
import { PayoutActions } from './payouts-parts.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const number = Number(id)
  const read = useRead(
    ['affiliates', 'payouts', number],
    async ({ api }) => (await api.affiliates.getPayout(number)).payout,
  )
  return (
    <Loaded read={read}>
      {(payout) => (
        <Frame
          title={fill(affiliates.payoutTitle, { id: payout.id })}
          parent={{ to: '/affiliates/payouts', label: affiliates.payouts }}
          lead={nameOf(payout.partner)}
          actions={<PayoutActions payout={payout} />}
        >
          <Section title={common.details} actions={<Stamp state={payout.status} />}>
            <p className="figure">{formatMoney(payout.amount_cents, payout.currency)}</p>
            <Facts
              of={[
                [
                  affiliates.partner,
                  <Link key="partner" to={`/affiliates/partners/${payout.partner.id}`}>
                    {payout.partner.email}
                  </Link>,
                ],
                [affiliates.method, humanize(payout.method)],
                [
                  affiliates.destination,
                  payout.destination && <Copy key="destination" text={payout.destination} />,
                ],
                [affiliates.requestedAt, <Time key="requested" at={payout.requested_at} />],
                [affiliates.sentAt, <Time key="sent" at={payout.sent_at} />],
                [affiliates.reference, payout.reference],
                [common.note, payout.note],
              ]}
            />
          </Section>
          <Raw record={payout} />
        </Frame>
      )}
    </Loaded>
  )
}
