import { dashboardRequest } from '../../api/action.ts'
import type { DashboardAnswer } from '../../api/dashboard.ts'
import { useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { toast } from '../../kit/toast.tsx'
import { fill } from '../../text/catalogue.ts'
import { system } from '../../text/system.ts'

function showResult(answer: unknown) {
  const { mail } = answer as DashboardAnswer<'test_mail.send'>
  toast(
    mail.sent
      ? fill(system.mailSent, { to: mail.to })
      : fill(system.mailFailed, { error: mail.error ?? '' }),
  )
}

/** Sends a mail to the signed-in user, to test the mail server. */
export function TestMail() {
  const { me } = useStore()
  return (
    <Action
      label={system.testMail}
      lead={<p>{fill(system.testMailLead, { email: me.user.email })}</p>}
      submit={system.testMail}
      request={() => dashboardRequest('account', 'POST', '/test-mail')}
      onDone={showResult}
    />
  )
}
