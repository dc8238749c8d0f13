import { userRequest } from '../../api/action.ts'
import { call } from '../../api/call.ts'
import type { DashboardAnswer, Passkey } from '../../api/dashboard.ts'
import { addPasskey, hasPasskeys } from '../../api/passkeys.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import { type Column, Table } from '../../kit/list.tsx'
import { Section, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { yesNo } from '../../kit/values.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { passkeys } from '../../text/passkeys.ts'

const COLUMNS: readonly Column<Passkey>[] = [
  { label: common.name, show: ({ name }) => name },
  {
    label: passkeys.backedUp,
    show: ({ backed_up }) => yesNo(backed_up),
  },
  { label: common.created, show: ({ created_at }) => <Time at={created_at} /> },
  {
    label: passkeys.lastUsed,
    show: ({ last_used_at }) =>
      last_used_at === null ? common.never : <Time at={last_used_at} ago="machine" />,
  },
]

const readPasskeys = async () =>
  (await call<DashboardAnswer<'passkeys.list'>>('GET', '/passkeys')).passkeys

export function Passkeys() {
  const read = useRead(['account', 'passkeys'], readPasskeys)
  return (
    <Section title={passkeys.title} actions={hasPasskeys() && <Add />}>
      <p>{passkeys.lead}</p>
      {!hasPasskeys() && <p className="secondary-text">{passkeys.notHere}</p>}
      <Loaded read={read} rows={1}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="secondary-text">{passkeys.none}</p>
          ) : (
            <Table
              label={passkeys.title}
              rows={rows}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              rowActions={(passkey) => <PasskeyActions passkey={passkey} />}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

const Add = () => (
  <Action
    label={passkeys.add}
    lead={<p>{passkeys.addLead}</p>}
    fields={[{ name: 'name', label: common.name, required: true, help: passkeys.nameHelp }]}
    submit={passkeys.add}
    request={({ name }) => addPasskey(String(name ?? ''))}
  />
)

const PasskeyActions = ({ passkey }: { passkey: Passkey }) => (
  <>
    <EditAction
      label={passkeys.rename}
      record={passkey}
      read={async () => (await readPasskeys()).find(({ id }) => id === passkey.id) ?? passkey}
      fields={({ name }) => [{ name: 'name', label: common.name, required: true, value: name }]}
      submit={passkeys.rename}
      request={(changed) => userRequest('PATCH', `/passkeys/${passkey.id}`, changed)}
    />
    <Action
      label={common.delete}
      title={passkeys.remove}
      isDanger
      confirmName={passkey.name}
      lead={<p>{fill(passkeys.removeLead, { name: passkey.name })}</p>}
      submit={passkeys.remove}
      request={() => userRequest('DELETE', `/passkeys/${passkey.id}`)}
    />
  </>
)
