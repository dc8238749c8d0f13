import { storeRequest } from '../../api/action.ts'
import type { AffiliateProgram } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useCurrency } from '../../kit/currency.ts'
import type { Field } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Facts, Money, Section, State } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { affiliates } from '../../text/affiliates.ts'
import { common } from '../../text/common.ts'
import {
  AffiliatesFrame,
  percentText,
  TurnOn,
  textOrNull,
  useProgram,
} from './affiliates-frame.tsx'

export function Page() {
  const read = useProgram()
  const currency = useCurrency()
  return (
    <AffiliatesFrame title={affiliates.program}>
      <Loaded read={read}>
        {(program) => currency !== undefined && <Program program={program} currency={currency} />}
      </Loaded>
    </AffiliatesFrame>
  )
}

interface ProgramProps {
  program: AffiliateProgram
  currency: string
}

const yesNo = (value: boolean): string => (value ? common.yes : common.no)

function Program({ program, currency }: ProgramProps) {
  const isAllowed = useMayWrite('affiliates')
  return (
    <Section
      title={affiliates.program}
      actions={
        isAllowed ? (
          <>
            <Change program={program} currency={currency} />
            {program.enabled ? <TurnOff /> : <TurnOn program={program} />}
          </>
        ) : (
          <span className="quiet">{common.notAllowed}</span>
        )
      }
    >
      <Facts
        of={[
          [
            common.status,
            <State key="status" state={program.enabled ? 'on' : 'off'}>
              {program.enabled ? affiliates.on : affiliates.isOff}
            </State>,
          ],
          [affiliates.commissionPercent, percentText(program.commission_percent)],
          [affiliates.holdDays, formatNumber(program.hold_days)],
          [affiliates.cookieDays, formatNumber(program.cookie_days)],
          [
            affiliates.minPayout,
            <Money key="least" cents={program.min_payout_cents} currency={currency} />,
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

const TurnOff = () => (
  <Action
    label={affiliates.turnOff}
    isDanger
    lead={<p>{affiliates.turnOffLead}</p>}
    submit={affiliates.turnOff}
    request={() => storeRequest('affiliates', 'updateProgram', { enabled: false })}
  />
)

const fieldsOf = (program: AffiliateProgram, currency: string): Field[] => [
  ...(
    [
      ['commission_percent', affiliates.commissionPercent],
      ['hold_days', affiliates.holdDays],
      ['cookie_days', affiliates.cookieDays],
    ] as const
  ).map(
    ([name, label]): Field => ({
      ...{ name, label, type: 'number', required: true, value: program[name] },
    }),
  ),
  {
    name: 'min_payout_cents',
    label: affiliates.minPayout,
    type: 'money',
    currency,
    required: true,
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
    required: true,
    value: program.customer_discount_percent,
  },
  { name: 'landing_url', label: affiliates.landing, type: 'url', value: program.landing_url },
]

const Change = ({ program, currency }: ProgramProps) => (
  <Action
    label={affiliates.change}
    lead={<p>{affiliates.changeLead}</p>}
    fields={fieldsOf(program, currency)}
    submit={common.save}
    request={(values) =>
      storeRequest('affiliates', 'updateProgram', {
        commission_percent: Number(values.commission_percent),
        hold_days: Number(values.hold_days),
        cookie_days: Number(values.cookie_days),
        min_payout_cents: Number(values.min_payout_cents),
        public_signup: values.public_signup === true,
        auto_approve: values.auto_approve === true,
        customer_discount_percent: Number(values.customer_discount_percent),
        landing_url: textOrNull(values.landing_url),
      })
    }
  />
)
