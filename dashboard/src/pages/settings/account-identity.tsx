import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { refreshAfter, userRequest } from '../../api/action.ts'
import { call } from '../../api/call.ts'
import type { DashboardAnswer } from '../../api/dashboard.ts'
import { useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import { Link, useHref } from '../../kit/link.tsx'
import { useSearch } from '../../kit/list.tsx'
import { Copy, Facts, Section } from '../../kit/show.tsx'
import { account } from '../../text/account.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'

/** The parameter of the link that confirms a new email address. */
const TOKEN = 'email_token'

interface IdentityProps {
  /** Reads the signed-in user again. */
  refresh: () => void
}

/** The name and the email address of the signed-in user, and how to change them. */
export function Identity({ refresh }: IdentityProps) {
  const { user } = useStore().me
  return (
    <>
      <Section title={account.identity}>
        <Facts
          rows={[
            [common.name, user.name],
            [common.email, user.email],
          ]}
        />
        <ChangeEmail>
          <EditAction
            label={account.changeName}
            lead={<p>{account.changeNameLead}</p>}
            record={user}
            read={async () => (await call<DashboardAnswer<'users.me'>>('GET', '/me')).user}
            fields={({ name }) => [
              { name: 'name', label: common.name, required: true, value: name },
            ]}
            request={(changed) => refreshAfter(userRequest('PATCH', '/me', changed), refresh)}
          />
        </ChangeEmail>
      </Section>
      <ConfirmEmail refresh={refresh} />
    </>
  )
}

/** Asks for a link to the new address, next to other actions. Without a mail server the link is shown. */
function ChangeEmail({ children }: { children: ReactNode }) {
  const [emailChange, setEmailChange] = useState<DashboardAnswer<'users.request_email'>>()
  return (
    <>
      <div className="actions">
        {children}
        <Action
          label={account.changeEmail}
          lead={<p>{account.changeEmailLead}</p>}
          fields={[
            {
              name: 'email',
              label: account.newEmail,
              type: 'email',
              required: true,
              autoComplete: 'email',
            },
          ]}
          submit={account.changeEmail}
          request={({ email }) => userRequest('POST', '/email-changes', { email })}
          onDone={(answer) => setEmailChange(answer as DashboardAnswer<'users.request_email'>)}
        />
      </div>
      <div role="status">
        {emailChange && (
          <p>
            {fill(emailChange.url === null ? account.linkMailed : account.linkShown, {
              email: emailChange.email,
            })}
          </p>
        )}
      </div>
      {emailChange?.url && (
        <>
          <Copy block text={emailChange.url} label={account.changeEmail} />
          <p>
            <Link to={`/settings/account${new URL(emailChange.url).search}`}>
              {account.openLink}
            </Link>
          </p>
        </>
      )}
    </>
  )
}

/** Confirms a new address on the page that the link opens. */
function ConfirmEmail({ refresh }: IdentityProps) {
  const [{ [TOKEN]: token }] = useSearch()
  const { history } = useRouter()
  const hrefOf = useHref()
  if (token === undefined) return null
  return (
    <Section title={account.confirmEmail}>
      <p>{account.confirmEmailLead}</p>
      <div className="actions">
        <Action
          label={account.confirmEmail}
          isPrimary
          lead={<p>{account.confirmEmailConsequence}</p>}
          submit={account.confirmEmail}
          done={account.emailChanged}
          request={() => userRequest('POST', '/email-changes/confirm', { token })}
          onDone={() => {
            history.replace(hrefOf('/settings/account'))
            refresh()
          }}
        />
      </div>
    </Section>
  )
}
