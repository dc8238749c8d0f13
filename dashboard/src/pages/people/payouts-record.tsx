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
import { partnerNameOf } from './affiliates-conversions.tsx'
import { WhileProgramIsOn } from './affiliates-frame.tsx'
import { PayoutActions } from './payouts-parts.tsx'

export const Page = () => (
  <WhileProgramIsOn>
    <Payout />
  </WhileProgramIsOn>
)

function Payout() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const payoutId = Number(id)
  const read = useRead(
    ['affiliates', 'payouts', payoutId],
    async ({ api }) => (await api.affiliates.getPayout(payoutId)).payout,
  )
  return (
    <Loaded read={read}>
      {(payout) => (
        <Frame
          title={fill(affiliates.payoutTitle, { id: payout.id })}
          parent={{ to: '/affiliates/payouts', label: affiliates.payouts }}
          lead={partnerNameOf(payout.partner)}
          actions={<PayoutActions payout={payout} />}
        >
          <Section title={common.details} actions={<Stamp state={payout.status} />}>
            <p className="figure">{formatMoney(payout.amount_cents, payout.currency)}</p>
            <Facts
              rows={[
                [
                  affiliates.partner,
                  <Link key="partner" to={`/affiliates/partners/${payout.partner.id}`}>
                    {payout.partner.email}
                  </Link>,
                ],
                [affiliates.method, payout.method && humanize(payout.method)],
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
