import { securityRequest } from '../../api/action.ts'
import { BASE } from '../../api/call.ts'
import type { ClientApp, SigningKey } from '../../api/security.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { type Column, Table } from '../../kit/list.tsx'
import { Copy, Section, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { apps } from '../../text/client-apps.ts'

const DAY_S = 86_400
const OVERLAP_DAYS = 90

/**
 * The values that are built into a program: the public id, the public keys, and a sample that uses
 * them.
 */
export function SigningKeys({ app, isAllowed }: { app: ClientApp; isAllowed: boolean }) {
  const read = useRead(['apps', app.id, 'signing_keys'], async ({ security }) => {
    const { signing_keys } = await security.apps.listSigningKeys(app.id)
    return signing_keys
  })
  return (
    <Loaded read={read} rows={2}>
      {(keys) => (
        <>
          <Section title={apps.build} actions={isAllowed && <Rotate app={app} />}>
            <p className="secondary-text">{apps.buildLead}</p>
            <Table label={apps.signingKeys} rows={keys} keyOf={({ id }) => id} columns={COLUMNS} />
          </Section>
          <Section title={apps.sample}>
            <Copy block text={sampleOf(app, keys)} label={apps.sample} />
          </Section>
        </>
      )}
    </Loaded>
  )
}

const COLUMNS: readonly Column<SigningKey>[] = [
  { label: apps.keyId, show: ({ kid }) => <code>{kid}</code> },
  { label: apps.signsFrom, show: ({ not_before }) => <Time at={not_before} /> },
  {
    label: apps.trustedUntil,
    show: ({ not_after }) => (not_after === null ? apps.noEnd : <Time at={not_after} />),
  },
  {
    label: apps.publicKey,
    show: ({ public_key }) => <Copy text={public_key} label={apps.publicKey} />,
  },
]

const sampleOf = ({ public_id }: ClientApp, keys: readonly SigningKey[]) => `\
import { ClientSecurity } from '@tradepost/client/client-security'

const program = new ClientSecurity({
  url: '${location.origin}${BASE}/security/v1',
  appId: '${public_id}',
  keys: ${JSON.stringify(keys, ['kid', 'public_key', 'not_after'], 2).replaceAll('\n', '\n  ')},
  fingerprint: machineId,
})

const { code } = await program.start(licenseKey, { app_version: '1.0' })
`

const Rotate = ({ app: { id } }: { app: ClientApp }) => (
  <Action
    label={apps.rotate}
    lead={<p>{apps.rotateLead}</p>}
    fields={[
      { name: 'starts_in_seconds', label: apps.startsIn, type: 'number', value: 0 },
      {
        name: 'overlap_days',
        label: apps.overlap,
        type: 'number',
        help: apps.overlapHelp,
        value: OVERLAP_DAYS,
      },
    ]}
    submit={apps.rotate}
    request={({ starts_in_seconds = 0, overlap_days = OVERLAP_DAYS }) =>
      securityRequest('apps', 'rotateSigningKey', id, {
        starts_in_seconds: starts_in_seconds as number,
        overlap_seconds: Number(overlap_days) * DAY_S,
      })
    }
  />
)
