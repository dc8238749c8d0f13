import { storeRequest } from '../../api/action.ts'
import type { AffiliateProgram, StoreContext } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { Consequence } from '../../kit/consequence.tsx'
import { WithCurrency } from '../../kit/currency.tsx'
import { clearedAsNull, EditAction } from '../../kit/edit-action.tsx'
import type { Field } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { Facts, Money, Section, State } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { yesNo } from '../../kit/values.ts'
import { affiliates } from '../../text/affiliates.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { AffiliatesFrame, percentText, TurnOnProgram, useProgram } from './affiliates-frame.tsx'

export function Page() {
  const read = useProgram()
  return (
    <AffiliatesFrame title={affiliates.program}>
      <Loaded read={read}>
        {(program) => (
          <WithCurrency rows={6}>
            {(currency) => <Program program={program} currency={currency} />}
          </WithCurrency>
        )}
      </Loaded>
    </AffiliatesFrame>
  )
}

interface ProgramProps {
  program: AffiliateProgram
  currency: string
}

function Program({ program, currency }: ProgramProps) {
  const isAllowed = useMayWrite('affiliates')
  return (
    <Section
      title={affiliates.program}
      actions={
        isAllowed ? (
          <>
            <EditProgram program={program} currency={currency} />
            {program.enabled ? (
              <TurnOffProgram currency={currency} />
            ) : (
              <TurnOnProgram program={program} />
            )}
          </>
        ) : (
          <NotAllowed area="affiliates" />
        )
      }
    >
      <Facts
        rows={[
          [
            common.status,
            <State key="status" state={program.enabled ? 'on' : 'off'}>
              {program.enabled ? affiliates.on : affiliates.off}
            </State>,
          ],
          [affiliates.commissionPercent, percentText(program.commission_percent)],
          [affiliates.holdDays, formatNumber(program.hold_days)],
          [affiliates.cookieDays, formatNumber(program.cookie_days)],
          [
            affiliates.minPayout,
            <Money key="minimum" cents={program.min_payout_cents} currency={currency} />,
          ],
          [affiliates.publicSignup, yesNo(program.public_signup)],
          [affiliates.autoApprove, yesNo(program.auto_approve)],
          [affiliates.customerDiscount, percentText(program.customer_discount_percent)],
          [affiliates.landing, program.landing_url],
        ]}
      />
    </Section>
  )
}

/** Counts the records that cannot be changed after the programme is turned off, and sums their amounts. */
async function readProgramTotals({ api, readDashboard }: StoreContext) {
  const [{ totals }, { counts }, payouts] = await Promise.all([
    readDashboard<'affiliates.get_totals'>('/partner-totals'),
    api.affiliates.listConversions(),
    api.affiliates.listPayouts({ status: ['requested'], limit: 1 }),
  ])
  return { ...totals, flagged: counts.flagged, payouts: payouts.pagination.total }
}

const TurnOffProgram = ({ currency }: { currency: string }) => (
  <Action
    label={affiliates.turnOff}
    isDanger
    lead={
      <>
        <p>{affiliates.turnOffLead}</p>
        <Consequence queryKey={['affiliates', 'turn off']} read={readProgramTotals}>
          {(totals) => (
            <>
              {fill(affiliates.turnOffCounts, {
                partners: formatNumber(totals.partners),
                flagged: formatNumber(totals.flagged),
                payouts: formatNumber(totals.payouts),
              })}{' '}
              {fill(affiliates.turnOffAmounts, {
                links: formatNumber(totals.links),
                pending: formatMoney(totals.pending_cents, currency),
                available: formatMoney(totals.available_cents, currency),
              })}
            </>
          )}
        </Consequence>
      </>
    }
    submit={affiliates.turnOff}
    request={() => storeRequest('affiliates', 'updateProgram', { enabled: false })}
  />
)

const fieldsOf = (program: AffiliateProgram, currency: string): Field[] => [
  ...(
    [
      ['commission_percent', affiliates.commissionPercent, 0, 100],
      ['hold_days', affiliates.holdDays, 0, 90],
      ['cookie_days', affiliates.cookieDays, 1, 365],
    ] as const
  ).map(
    ([name, label, min, max]): Field => ({
      name,
      label,
      type: 'number',
      isDecimal: name === 'commission_percent',
      required: true,
      min,
      max,
      value: program[name],
    }),
  ),
  {
    name: 'min_payout_cents',
    label: affiliates.minPayout,
    type: 'money',
    currency,
    required: true,
    min: 0,
    value: program.min_payout_cents,
  },
  {
    name: 'public_signup',
    label: affiliates.publicSignup,
    type: 'checkbox',
    value: program.public_signup,
  },
  {
    name: 'auto_approve',
    label: affiliates.autoApprove,
    type: 'checkbox',
    value: program.auto_approve,
  },
  {
    name: 'customer_discount_percent',
    label: affiliates.customerDiscount,
    help: affiliates.customerDiscountHelp,
    type: 'number',
    isDecimal: true,
    required: true,
    min: 0,
    max: 100,
    value: program.customer_discount_percent,
  },
  { name: 'landing_url', label: affiliates.landing, type: 'url', value: program.landing_url },
]

const EditProgram = ({ program, currency }: ProgramProps) => (
  <EditAction
    label={affiliates.change}
    lead={<p>{affiliates.changeLead}</p>}
    record={program}
    read={async ({ api }) => (await api.affiliates.getProgram()).program}
    fields={(item) => fieldsOf(item, currency)}
    request={(changed) => storeRequest('affiliates', 'updateProgram', clearedAsNull(changed))}
  />
)
