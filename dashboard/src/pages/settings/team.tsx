import { ownRequest } from '../../api/action.ts'
import type { OwnAnswer, TeamInvitation, TeamMember } from '../../api/own.ts'
import { useRead, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { Field } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { humanize } from '../../kit/format.ts'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Section, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { team } from '../../text/team.ts'

/** Only an owner makes, changes or removes owners. */
function useRoleField(value: string): Field {
  const { role } = useStore()
  const roles = ['owner', 'admin', 'staff', 'viewer'] as const
  return {
    name: 'role',
    label: team.role,
    type: 'select',
    required: true,
    value,
    options: roles
      .filter((item) => item !== 'owner' || role === 'owner')
      .map((item) => ({ value: item, label: team[item] })),
  }
}

export function Page() {
  const isAllowed = useMayWrite('account')
  return (
    <Frame
      title={team.title}
      actions={isAllowed ? <Invite /> : <span className="quiet">{common.notAllowed}</span>}
    >
      <Members isAllowed={isAllowed} />
      <Invitations isAllowed={isAllowed} />
    </Frame>
  )
}

function Invite() {
  const role = useRoleField('staff')
  return (
    <Action
      label={team.invite}
      isPrimary
      lead={<p>{team.inviteLead}</p>}
      fields={[{ name: 'email', label: common.email, type: 'email', required: true }, role]}
      submit={team.invite}
      done={team.invited}
      secretOf={(answer) => (answer as OwnAnswer<'invitations.create'>).url ?? undefined}
      request={({ email, role: chosen }) =>
        ownRequest('team', 'POST', '/invitations', { email, role: chosen })
      }
    />
  )
}

function Members({ isAllowed }: { isAllowed: boolean }) {
  const { me, role } = useStore()
  const read = useRead(
    ['team'],
    async ({ own }) => (await own<OwnAnswer<'team.list'>>('GET', '/team')).team,
  )
  return (
    <Loaded read={read}>
      {(members) => (
        <Table
          label={team.title}
          rows={members}
          keyOf={({ id }) => id}
          columns={[
            {
              label: common.name,
              show: ({ id, name }) => (id === me.user.id ? `${name} (${team.you})` : name),
            },
            { label: common.email, show: ({ email }) => email },
            { label: team.role, show: (member) => humanize(member.role) },
            { label: team.since, show: ({ created_at }) => <Time at={created_at} /> },
            {
              label: team.lastSeen,
              show: ({ last_seen_at }) => <Time at={last_seen_at} ago="machine" />,
            },
          ]}
          {...(isAllowed && {
            rowActions: (member: TeamMember) =>
              (member.role !== 'owner' || role === 'owner') && <MemberActions member={member} />,
          })}
        />
      )}
    </Loaded>
  )
}

function MemberActions({ member }: { member: TeamMember }) {
  const role = useRoleField(member.role)
  return (
    <>
      <Action
        label={team.changeRole}
        title={`${team.changeRole}: ${member.name}`}
        fields={[role]}
        submit={team.changeRole}
        request={({ role: chosen }) =>
          ownRequest('team', 'PATCH', `/team/${member.id}`, { role: chosen })
        }
      />
      <Action
        label={team.remove}
        isDanger
        lead={<p>{fill(team.removeLead, { name: member.name })}</p>}
        submit={team.remove}
        request={() => ownRequest('team', 'DELETE', `/team/${member.id}`)}
      />
    </>
  )
}

function Invitations({ isAllowed }: { isAllowed: boolean }) {
  const read = useRead(['team', 'invitations'], async ({ own }) => {
    const { invitations } = await own<OwnAnswer<'invitations.list'>>('GET', '/invitations')
    return invitations
  })
  return (
    <Section title={team.invitations}>
      <Loaded read={read} rows={2}>
        {(invitations) =>
          invitations.length === 0 ? (
            <Empty>{team.noInvitations}</Empty>
          ) : (
            <Table
              label={team.invitations}
              rows={invitations}
              keyOf={({ id }) => id}
              columns={[
                { label: common.email, show: ({ email }) => email },
                { label: team.role, show: ({ role }) => humanize(role) },
                { label: common.created, show: ({ created_at }) => <Time at={created_at} /> },
                { label: team.ends, show: ({ expires_at }) => <Time at={expires_at} /> },
              ]}
              {...(isAllowed && {
                rowActions: (invitation: TeamInvitation) => <Withdraw invitation={invitation} />,
              })}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

const Withdraw = ({ invitation: { id, email } }: { invitation: TeamInvitation }) => (
  <Action
    label={team.withdraw}
    isDanger
    lead={<p>{fill(team.withdrawLead, { email })}</p>}
    submit={team.withdraw}
    request={() => ownRequest('team', 'DELETE', `/invitations/${id}`)}
  />
)
