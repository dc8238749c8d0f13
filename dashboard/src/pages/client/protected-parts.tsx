import type { Request } from '../../api/action.ts'
import type { Query } from '../../api/call.ts'
import { type StoreContext, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { Field } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { Copy, Section, Stamp, State } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { protectedTexts } from '../../text/protected.ts'

/** The fields that strings, files and settings have in common. */
export interface Protected {
  id: number
  app_id: number
  status: 'active' | 'inactive'
  access: 'licensed' | 'session' | 'public'
  min_level: number
}

/** The text that the private API sends in place of a value (decision 174). */
export const MASKED_VALUE = '••••'

/** Reads an answer with its values, which is audited. */
export const readRevealed = async <Answer,>(
  store: StoreContext,
  path: string,
  query: Query = {},
): Promise<Answer> => {
  const revealQuery = { ...query, reveal: true }
  const answer: unknown = await store.readDashboard(`/security/v1${path}`, revealQuery)
  return answer as Answer
}

interface ValueProps {
  isShown: boolean
  setShown: (isShown: boolean) => void
  /** The key of the record, such as `['remoteSettings', '5']`. */
  queryKey: readonly string[]
  /** Reads the value as text. */
  reveal: (store: StoreContext) => Promise<string>
}

/** A value that is shown when a user who may write asks for it. */
export function ProtectedValue({ isShown, setShown, queryKey, reveal }: ValueProps) {
  const isAllowed = useMayWrite('client_security')
  const read = useRead([...queryKey, 'value'], reveal, { enabled: isShown })
  return (
    <Section
      title={protectedTexts.value}
      actions={
        isAllowed && (
          <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? protectedTexts.hideValue : protectedTexts.showValue}
          </button>
        )
      }
    >
      {isShown ? (
        <Loaded read={read} rows={1}>
          {(text) => <Copy block text={text} label={protectedTexts.value} />}
        </Loaded>
      ) : (
        <pre>{MASKED_VALUE}</pre>
      )}
    </Section>
  )
}

export const accessFields = (record?: Protected): readonly Field[] => [
  {
    name: 'access',
    label: protectedTexts.access,
    type: 'select',
    required: true,
    value: record?.access ?? 'licensed',
    options: (['licensed', 'session', 'public'] as const).map((value) => ({
      value,
      label: protectedTexts[value],
    })),
  },
  {
    name: 'min_level',
    label: protectedTexts.level,
    type: 'number',
    value: record?.min_level ?? 0,
    when: ({ access }) => access === 'licensed',
  },
]

/** The level to send. Only licensed access has one. */
export const levelOf = (access: unknown, min_level: unknown): number =>
  access === 'licensed' ? ((min_level as number | undefined) ?? 0) : 0

export function accessText({ access, min_level }: Protected): string {
  if (access !== 'licensed') return protectedTexts[access]
  if (min_level === 0) return protectedTexts.anyLicense
  return fill(protectedTexts.licensedFrom, { level: min_level })
}

type Switched = Pick<Protected, 'status'>

export const switchText = ({ status }: Switched) =>
  status === 'active' ? protectedTexts.on : protectedTexts.off
const switchState = ({ status }: Switched) => (status === 'active' ? 'on' : 'closed')

export const SwitchState = ({ record }: { record: Switched }) => (
  <State state={switchState(record)}>{switchText(record)}</State>
)
export const SwitchStamp = ({ record }: { record: Protected }) => (
  <Stamp state={switchState(record)}>{switchText(record)}</Stamp>
)

interface SwitchProps {
  record: Protected
  name: string
  request: (status: Protected['status']) => Request
}

/** Turns a record on or off. Programs see the change at their next request. */
export function SwitchAction({ record, name, request }: SwitchProps) {
  const isOn = record.status === 'active'
  const label = isOn ? protectedTexts.switchOff : protectedTexts.switchOn
  return (
    <Action
      label={label}
      title={`${label}: ${name}`}
      lead={
        <p>{fill(isOn ? protectedTexts.switchOffLead : protectedTexts.switchOnLead, { name })}</p>
      }
      submit={label}
      request={() => request(isOn ? 'inactive' : 'active')}
    />
  )
}
