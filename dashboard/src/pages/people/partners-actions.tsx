import { storeRequest } from '../../api/action.ts'
import type { AffiliateLink, AffiliatePartner } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { clearedAsNull, EditAction } from '../../kit/edit-action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { Table } from '../../kit/list.tsx'
import { Copy, Section, Time } from '../../kit/show.tsx'
import { Empty, NotAllowed } from '../../kit/states.tsx'
import { LINK_CODE_MAX, NAME_MAX, NOTE_MAX } from '../../kit/text-limits.ts'
import { textOrNull } from '../../kit/values.ts'
import { affiliates } from '../../text/affiliates.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { partnerNameOf } from './affiliates-conversions.tsx'

interface PartnerProps {
  partner: AffiliatePartner
  currency: string
}

export function PartnerActions({ partner, currency }: PartnerProps) {
  const isAllowed = useMayWrite('affiliates')
  if (!isAllowed) return <NotAllowed area="affiliates" />
  const isApproved = partner.status === 'approved'
  return (
    <>
      {isApproved || <Approve partner={partner} />}
      {isApproved && partner.available_cents > 0 && (
        <RequestPayout partner={partner} currency={currency} />
      )}
      <Edit partner={partner} />
      <Refusals partner={partner} currency={currency} />
    </>
  )
}

const Approve = ({ partner }: Pick<PartnerProps, 'partner'>) => (
  <Action
    label={affiliates.approve}
    isPrimary
    lead={<p>{fill(affiliates.approveLead, { partner: partnerNameOf(partner) })}</p>}
    submit={affiliates.approve}
    request={() => storeRequest('affiliates', 'approvePartner', partner.id)}
  />
)

/** An application is rejected, and an approved partner suspended. */
function Refusals({ partner, currency }: PartnerProps) {
  const { id, status, available_cents } = partner
  const name = partnerNameOf(partner)
  return (
    <>
      {status === 'applied' && (
        <Action
          label={affiliates.reject}
          isDanger
          lead={
            <p>
              {fill(affiliates.rejectPartnerLead, {
                partner: name,
                conversions: formatNumber(partner.conversions),
                amount: formatMoney(available_cents + partner.pending_cents, currency),
              })}
            </p>
          }
          submit={affiliates.reject}
          request={() => storeRequest('affiliates', 'rejectPartner', id)}
        />
      )}
      {status === 'approved' && (
        <Action
          label={affiliates.suspend}
          isDanger
          lead={
            <p>
              {fill(affiliates.suspendLead, {
                partner: name,
                links: formatNumber(partner.links.length),
                amount: formatMoney(available_cents, currency),
              })}
            </p>
          }
          submit={affiliates.suspend}
          request={() => storeRequest('affiliates', 'suspendPartner', id)}
        />
      )}
    </>
  )
}

const Edit = ({ partner }: { partner: AffiliatePartner }) => (
  <EditAction
    label={common.edit}
    record={partner}
    read={async ({ api }) => (await api.affiliates.getPartner(partner.id)).partner}
    fields={({ name, commission_percent, note }) => [
      { name: 'name', label: common.name, maxLength: NAME_MAX, value: name },
      {
        name: 'commission_percent',
        label: affiliates.ownPercent,
        help: affiliates.ownPercentHelp,
        type: 'number',
        isDecimal: true,
        min: 0,
        max: 100,
        value: commission_percent,
      },
      { name: 'note', label: common.note, type: 'textarea', maxLength: NOTE_MAX, value: note },
    ]}
    request={(changed) =>
      storeRequest('affiliates', 'updatePartner', partner.id, clearedAsNull(changed))
    }
  />
)

function RequestPayout({ partner, currency }: PartnerProps) {
  const amount = formatMoney(partner.available_cents, currency)
  return (
    <Action
      label={affiliates.requestPayout}
      lead={<p>{fill(affiliates.requestLead, { amount })}</p>}
      fields={[
        {
          name: 'method',
          label: affiliates.method,
          help: affiliates.methodHelp,
          required: true,
          value: 'bank_transfer',
        },
        { name: 'destination', label: affiliates.destination },
      ]}
      submit={fill(affiliates.requestAmount, { amount })}
      request={({ method, destination }) =>
        storeRequest('affiliates', 'requestPayout', {
          partner_id: partner.id,
          method: String(method ?? ''),
          destination: textOrNull(destination),
        })
      }
    />
  )
}

export function Links({ partner }: { partner: AffiliatePartner }) {
  const isAllowed = useMayWrite('affiliates')
  return (
    <Section title={affiliates.links} actions={isAllowed && <NewLink id={partner.id} />}>
      {partner.links.length === 0 ? (
        <Empty>{affiliates.noLinks}</Empty>
      ) : (
        <Table<AffiliateLink>
          label={affiliates.links}
          rows={partner.links}
          keyOf={({ code }) => code}
          columns={[
            { label: affiliates.code, show: ({ code }) => <code>{code}</code> },
            { label: affiliates.address, show: ({ url }) => <Copy text={url} /> },
            {
              label: affiliates.clicks,
              isRightAligned: true,
              show: ({ clicks }) => formatNumber(clicks),
            },
            { label: common.created, show: ({ created_at }) => <Time at={created_at} /> },
          ]}
          {...(isAllowed && { rowActions: (link) => <DeleteLink link={link} /> })}
        />
      )}
    </Section>
  )
}

const NewLink = ({ id }: { id: string }) => (
  <Action
    label={affiliates.newLink}
    fields={[
      { name: 'code', label: affiliates.code, help: affiliates.codeHelp, maxLength: LINK_CODE_MAX },
    ]}
    submit={affiliates.newLink}
    request={({ code }) =>
      storeRequest('affiliates', 'createLink', id, {
        ...(code !== undefined && { code: String(code) }),
      })
    }
  />
)

const DeleteLink = ({ link: { code, clicks } }: { link: AffiliateLink }) => (
  <Action
    label={affiliates.deleteLink}
    isDanger
    lead={<p>{fill(affiliates.deleteLinkLead, { code, n: formatNumber(clicks) })}</p>}
    submit={affiliates.deleteLink}
    request={() => storeRequest('affiliates', 'deleteLink', code)}
  />
)
