import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { userRequest } from '../../api/action.ts'
import { call } from '../../api/call.ts'
import type { DashboardAnswer, DashboardSession } from '../../api/dashboard.ts'
import { useRead, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Section, State, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../kit/text-limits.ts'
import { account } from '../../text/account.ts'
import { Identity } from './account-identity.tsx'
import { Passkeys } from './account-passkeys.tsx'
import { browserName } from './browser-name.ts'
import { QrCode } from './qr-code.tsx'

export function Page() {
  const { me } = useStore()
  const refresh = useRefreshMe()
  return (
    <Frame title={account.title} lead={`${me.user.name} · ${me.user.email}`}>
      <Identity refresh={refresh} />
      <div className="split">
        <Password />
        <AuthenticatorApp />
      </div>
      <Passkeys />
      <Sessions />
    </Frame>
  )
}

/** Reads the signed-in user again. */
function useRefreshMe() {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: ['me'] })
}

function Password() {
  const { has_password } = useStore().me.user
  const refresh = useRefreshMe()
  return (
    <Section title={account.password}>
      <p>{has_password ? account.hasPassword : account.noPassword}</p>
      <Action
        label={account.setPassword}
        lead={<p>{account.passwordLead}</p>}
        fields={[
          ...(has_password
            ? [
                {
                  name: 'current_password',
                  label: account.current,
                  type: 'password' as const,
                  required: true,
                  maxLength: PASSWORD_MAX,
                  autoComplete: 'current-password',
                },
              ]
            : []),
          {
            name: 'password',
            label: account.newPassword,
            type: 'password',
            required: true,
            minLength: PASSWORD_MIN,
            maxLength: PASSWORD_MAX,
            autoComplete: 'new-password',
          },
        ]}
        submit={account.setPassword}
        done={account.passwordSet}
        onDone={refresh}
        request={({ password, current_password }) =>
          userRequest('POST', '/password', { password, current_password })
        }
      />
    </Section>
  )
}

function AuthenticatorApp() {
  const { has_totp } = useStore().me.user
  const refresh = useRefreshMe()
  const [startedTotp, setStartedTotp] = useState<DashboardAnswer<'users.begin_totp'>>()
  return (
    <Section title={account.codes}>
      <p>{has_totp ? account.codesOn : account.codesOff}</p>
      {startedTotp && (
        <>
          <p>{account.secretLead}</p>
          <QrCode text={startedTotp.otpauth_url} label={account.qrCode} />
          <Copy block text={startedTotp.secret} label={account.codes} />
        </>
      )}
      <div className="actions">
        {!has_totp && (
          <Action
            label={account.setUpApp}
            lead={<p>{account.setUpAppLead}</p>}
            submit={account.setUpApp}
            onDone={(answer) => setStartedTotp(answer as DashboardAnswer<'users.begin_totp'>)}
            request={() => userRequest('POST', '/totp')}
          />
        )}
        {/* The dialog stays mounted after codes are on, because it shows the recovery codes. */}
        <Action
          label={account.confirm}
          isDisabled={startedTotp === undefined}
          fields={[
            {
              name: 'code',
              label: account.code,
              required: true,
              autoComplete: 'one-time-code',
            },
          ]}
          submit={account.confirm}
          secretOf={(answer) =>
            (answer as DashboardAnswer<'users.confirm_totp'>).recovery_codes.join('\n')
          }
          onDone={() => {
            setStartedTotp(undefined)
            refresh()
          }}
          request={({ code }) => userRequest('POST', '/totp/confirm', { code })}
        />
        {has_totp && (
          <Action
            label={account.disable}
            isDanger
            lead={<p>{account.disableLead}</p>}
            submit={account.disable}
            onDone={refresh}
            request={() => userRequest('DELETE', '/totp')}
          />
        )}
      </div>
    </Section>
  )
}

function Sessions() {
  const read = useRead(['account', 'sessions'], async () => {
    const { sessions } = await call<DashboardAnswer<'users.list_sessions'>>('GET', '/sessions')
    return sessions
  })
  return (
    <Section title={account.sessions}>
      <Loaded read={read}>
        {(sessions) => (
          <Table
            label={account.sessions}
            rows={sessions}
            keyOf={({ id }) => id}
            columns={[
              {
                label: account.browser,
                show: ({ user_agent }) => <span title={user_agent}>{browserName(user_agent)}</span>,
              },
              { label: account.address, show: ({ address }) => address },
              { label: account.since, show: ({ created_at }) => <Time at={created_at} /> },
              { label: account.seen, show: ({ seen_at }) => <Time at={seen_at} ago="machine" /> },
            ]}
            rowActions={(session) => <EndSession session={session} />}
          />
        )}
      </Loaded>
    </Section>
  )
}

const EndSession = ({ session: { id, current } }: { session: DashboardSession }) =>
  current ? (
    <State state="active">{account.thisOne}</State>
  ) : (
    <Action
      label={account.end}
      isDanger
      lead={<p>{account.endLead}</p>}
      submit={account.end}
      request={() => userRequest('DELETE', `/sessions/${id}`)}
    />
  )
