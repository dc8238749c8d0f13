import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { type DashboardSession, type OwnAnswer, userRequest } from '../../api/own.ts'
import { useRead, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Section, State, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { account } from '../../text/account.ts'
import { Passkeys } from './account-passkeys.tsx'
import { QrCode } from './qr-code.tsx'

export function Page() {
  const { me } = useStore()
  return (
    <Frame title={account.title} lead={`${me.user.name} · ${me.user.email}`}>
      <div className="split">
        <Password />
        <Codes />
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
                  autoComplete: 'current-password',
                },
              ]
            : []),
          {
            name: 'password',
            label: account.fresh,
            type: 'password',
            required: true,
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

function Codes() {
  const { has_totp } = useStore().me.user
  const refresh = useRefreshMe()
  const [begun, setBegun] = useState<OwnAnswer<'users.begin_totp'>>()
  return (
    <Section title={account.codes}>
      <p>{has_totp ? account.codesOn : account.codesOff}</p>
      {begun && (
        <>
          <p>{account.secretLead}</p>
          <QrCode text={begun.otpauth_url} label={account.qrCode} />
          <Copy block text={begun.secret} label={account.codes} />
        </>
      )}
      <div className="actions">
        {!has_totp && (
          <Action
            label={account.begin}
            lead={<p>{account.beginLead}</p>}
            submit={account.begin}
            onDone={(answer) => setBegun(answer as OwnAnswer<'users.begin_totp'>)}
            request={() => userRequest('POST', '/totp')}
          />
        )}
        {/* It stays after codes are on, because it shows the recovery codes. */}
        <Action
          label={account.confirm}
          isDisabled={begun === undefined}
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
            (answer as OwnAnswer<'users.confirm_totp'>).recovery_codes.join('\n')
          }
          onDone={() => {
            setBegun(undefined)
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
    const { sessions } = await call<OwnAnswer<'users.list_sessions'>>('GET', '/sessions')
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
              { label: account.browser, show: ({ user_agent }) => user_agent || '–' },
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
