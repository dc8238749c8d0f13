import { call } from '../../api/call.ts'
import { type OwnAnswer, type Passkey, userRequest } from '../../api/own.ts'
import { addPasskey, hasPasskeys } from '../../api/passkeys.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { type Column, Table } from '../../kit/list.tsx'
import { Section, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { passkeys } from '../../text/passkeys.ts'

const COLUMNS: readonly Column<Passkey>[] = [
  { label: common.name, show: ({ name }) => name },
  {
    label: passkeys.copied,
    show: ({ backed_up }) => (backed_up ? common.yes : common.no),
  },
  { label: common.created, show: ({ created_at }) => <Time at={created_at} /> },
  {
    label: passkeys.lastUsed,
    show: ({ last_used_at }) =>
      last_used_at === null ? common.never : <Time at={last_used_at} ago="machine" />,
  },
]

export function Passkeys() {
  const read = useRead(['account', 'passkeys'], async () => {
    const { passkeys: rows } = await call<OwnAnswer<'passkeys.list'>>('GET', '/passkeys')
    return rows
  })
  return (
    <Section title={passkeys.title} actions={hasPasskeys() && <Add />}>
      <p>{passkeys.lead}</p>
      {!hasPasskeys() && <p className="quiet">{passkeys.notHere}</p>}
      <Loaded read={read} rows={1}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="quiet">{passkeys.none}</p>
          ) : (
            <Table
              label={passkeys.title}
              rows={rows}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              rowActions={(passkey) => <Change of={passkey} />}
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

const Change = ({ of: { id, name } }: { of: Passkey }) => (
  <>
    <Action
      label={passkeys.rename}
      fields={[{ name: 'name', label: common.name, required: true, value: name }]}
      submit={passkeys.rename}
      request={(values) => userRequest('PATCH', `/passkeys/${id}`, { name: values.name })}
    />
    <Action
      label={common.delete}
      title={passkeys.remove}
      isDanger
      lead={<p>{fill(passkeys.removeLead, { name })}</p>}
      submit={passkeys.remove}
      request={() => userRequest('DELETE', `/passkeys/${id}`)}
    />
  </>
)
