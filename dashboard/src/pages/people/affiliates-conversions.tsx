import { storeRequest } from '../../api/action.ts'
import type { AffiliateConversion } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { formatMoney, humanize } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import type { Column } from '../../kit/list.tsx'
import { Money, State, Time } from '../../kit/show.tsx'
import { affiliates } from '../../text/affiliates.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'

const flagsOf = ({ flags }: AffiliateConversion): string =>
  flags.map((flag) => affiliates[flag]).join('; ')

/** The name of a partner, or the email address if there is no name. */
export const partnerNameOf = ({ name, email }: { name: string | null; email: string }): string =>
  name ?? email

export const PARTNER_COLUMN: Column<{ partner: AffiliateConversion['partner'] }> = {
  label: affiliates.partner,
  show: ({ partner }) => (
    <Link to={`/affiliates/partners/${partner.id}`}>{partnerNameOf(partner)}</Link>
  ),
  text: ({ partner }) => partner.email,
}

export const CONVERSION_COLUMNS: readonly Column<AffiliateConversion>[] = [
  {
    label: affiliates.paidAt,
    show: ({ paid_at }) => <Time at={paid_at} ago />,
    text: ({ paid_at }) => paid_at,
  },
  {
    label: common.status,
    show: (conversion) => (
      <>
        <State state={conversion.status} />{' '}
        {conversion.flags.length > 0 && (
          <span className="secondary-text">{flagsOf(conversion)}</span>
        )}
      </>
    ),
    text: ({ status }) => humanize(status),
  },
  {
    label: affiliates.source,
    show: ({ source, link_code }) => (
      <>
        {humanize(source)} {link_code && <code className="unbroken">{link_code}</code>}
      </>
    ),
    text: ({ source, link_code }) => [humanize(source), link_code].filter(Boolean).join(' '),
  },
  {
    label: affiliates.orderTotal,
    isRightAligned: true,
    show: ({ order_total, order_currency }) => (
      <Money cents={order_total} currency={order_currency} />
    ),
    money: ({ order_total, order_currency }) => [order_total, order_currency],
  },
  {
    label: affiliates.commission,
    isRightAligned: true,
    show: ({ commission, commission_currency }) => (
      <Money cents={commission} currency={commission_currency} />
    ),
    money: ({ commission, commission_currency }) => [commission, commission_currency],
  },
  {
    label: affiliates.commissionState,
    show: ({ commission_state }) => <State state={commission_state} />,
    text: ({ commission_state }) => humanize(commission_state),
  },
]

/**
 * Accepts or rejects a conversion. A conversion whose commission is in a payout cannot be reviewed.
 */
export function ReviewActions({ conversion }: { conversion: AffiliateConversion }) {
  const { invoice_id, status, commission_state, commission, commission_currency } = conversion
  const partner = partnerNameOf(conversion.partner)
  if (commission_state === 'requested' || commission_state === 'paid') return null
  return (
    <>
      {status !== 'valid' && (
        <Action
          label={affiliates.accept}
          lead={<p>{fill(affiliates.acceptLead, { partner })}</p>}
          fields={[{ name: 'note', label: common.note }]}
          submit={affiliates.accept}
          request={({ note }) => reviewRequest(invoice_id, 'valid', note)}
        />
      )}
      {status !== 'rejected' && (
        <Action
          label={affiliates.reject}
          isDanger
          lead={
            <p>
              {fill(affiliates.rejectLead, {
                partner,
                amount: formatMoney(commission, commission_currency),
              })}
            </p>
          }
          fields={[{ name: 'note', label: common.reason }]}
          submit={affiliates.reject}
          request={({ note }) => reviewRequest(invoice_id, 'rejected', note)}
        />
      )}
    </>
  )
}

const reviewRequest = (id: string, status: 'valid' | 'rejected', note: unknown) =>
  storeRequest('affiliates', 'reviewConversion', id, {
    status,
    ...(note !== undefined && { note: String(note) }),
  })
