import { storeRequest } from '../../api/action.ts'
import type { Customer } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { Facts, Section, State, Time } from '../../kit/show.tsx'
import { yesNo } from '../../kit/values.ts'
import { fill } from '../../text/catalogue.ts'
import { customers } from '../../text/customers.ts'
import { DownloadData } from './customer-data.tsx'
import { CustomerTab } from './customer-frame.tsx'

export const Page = () => <CustomerTab>{(customer) => <Consent customer={customer} />}</CustomerTab>

/** The customer's consent to marketing, and the erasure of personal data. */
function Consent({ customer }: { customer: Customer }) {
  const { marketing_opt_in, erased_at, created_at } = customer
  const isAllowed = useMayWrite('customers')
  return (
    <Section
      title={customers.consent}
      actions={
        isAllowed &&
        erased_at === null && (
          <>
            <ChangeConsent customer={customer} />
            <DownloadData customer={customer} />
          </>
        )
      }
    >
      <Facts
        rows={[
          [
            customers.marketing,
            <State key="marketing" state={marketing_opt_in ? 'accepted' : 'none'}>
              {yesNo(marketing_opt_in)}
            </State>,
          ],
          [customers.since, <Time key="since" at={created_at} />],
          [
            customers.erasedAt,
            erased_at === null ? undefined : <Time key="erased" at={erased_at} />,
          ],
        ]}
      />
      <p className="secondary-text">{customers.consentHelp}</p>
    </Section>
  )
}

function ChangeConsent({ customer: { id, email, marketing_opt_in } }: { customer: Customer }) {
  const label = marketing_opt_in ? customers.withdraw : customers.agree
  return (
    <Action
      label={label}
      lead={
        <p>{fill(marketing_opt_in ? customers.withdrawLead : customers.agreeLead, { email })}</p>
      }
      submit={label}
      request={() =>
        storeRequest('customers', 'update', id, { marketing_opt_in: !marketing_opt_in })
      }
    />
  )
}
