import { dashboardRequest, shellWord } from '../../api/action.ts'
import type { DashboardAnswer, TeamInvitation, TeamMember } from '../../api/dashboard.ts'
import { type StoreContext, useRead, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import type { Field } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { humanize } from '../../kit/format.ts'
import { Table } from '../../kit/list.tsx'
import { LoadedTable } from '../../kit/loaded-table.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Section, Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { team } from '../../text/team.ts'

/** The field for a role. Only an owner can add, change or remove owners. */
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
    <Frame title={team.title} actions={isAllowed ? <Invite /> : <NotAllowed area="account" />}>
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
      secretOf={(answer) => (answer as DashboardAnswer<'invitations.create'>).url ?? undefined}
      // The command adds the user at once, and prints a link that signs in.
      request={({ email, role: chosen }) => ({
        ...dashboardRequest('team', 'POST', '/invitations', { email, role: chosen }),
        command: `users create --email ${shellWord(String(email ?? 'EMAIL'))} --role ${chosen}`,
      })}
    />
  )
}

const readTeam = async ({ readDashboard }: StoreContext) =>
  (await readDashboard<'team.list'>('/team')).team

function Members({ isAllowed }: { isAllowed: boolean }) {
  const { me, role } = useStore()
  const read = useRead(['team'], readTeam)
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
      <EditAction
        label={team.changeRole}
        title={`${team.changeRole}: ${member.name}`}
        record={member}
        read={async (store) => (await readTeam(store)).find(({ id }) => id === member.id) ?? member}
        fields={(current) => [{ ...role, value: current.role }]}
        submit={team.changeRole}
        request={(changed) => dashboardRequest('team', 'PATCH', `/team/${member.id}`, changed)}
      />
      <Action
        label={team.remove}
        isDanger
        lead={<p>{fill(team.removeLead, { name: member.name })}</p>}
        submit={team.remove}
        request={() => dashboardRequest('team', 'DELETE', `/team/${member.id}`)}
      />
    </>
  )
}

function Invitations({ isAllowed }: { isAllowed: boolean }) {
  const read = useRead(['team', 'invitations'], async ({ readDashboard }) => {
    const { invitations } = await readDashboard<'invitations.list'>('/invitations')
    return invitations
  })
  return (
    <Section title={team.invitations}>
      <LoadedTable
        read={read}
        skeletonRows={2}
        empty={team.noInvitations}
        label={team.invitations}
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
    </Section>
  )
}

const Withdraw = ({ invitation: { id, email } }: { invitation: TeamInvitation }) => (
  <Action
    label={team.withdraw}
    isDanger
    lead={<p>{fill(team.withdrawLead, { email })}</p>}
    submit={team.withdraw}
    request={() => dashboardRequest('team', 'DELETE', `/invitations/${id}`)}
  />
)
