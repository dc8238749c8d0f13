import type { Request } from '../../api/action.ts'
import { Action } from '../../kit/action.tsx'
import type { Field } from '../../kit/fields.tsx'
import { Stamp, State } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { protectedTexts } from '../../text/protected.ts'

/** Strings, files and settings have these fields in common. */
export interface Protected {
  id: number
  app_id: number
  status: 'active' | 'inactive'
  access: 'licensed' | 'session' | 'public'
  min_level: number
}

export const accessFields = (of?: Protected): readonly Field[] => [
  {
    name: 'access',
    label: protectedTexts.access,
    type: 'select',
    required: true,
    value: of?.access ?? 'licensed',
    options: (['licensed', 'session', 'public'] as const).map((value) => ({
      value,
      label: protectedTexts[value],
    })),
  },
  {
    name: 'min_level',
    label: protectedTexts.level,
    type: 'number',
    value: of?.min_level ?? 0,
    when: ({ access }) => access === 'licensed',
  },
]

/** A level belongs to licensed access only. */
export const levelOf = (access: unknown, min_level: unknown): number =>
  access === 'licensed' ? ((min_level as number | undefined) ?? 0) : 0

export function accessText({ access, min_level }: Protected): string {
  if (access !== 'licensed') return protectedTexts[access]
  if (min_level === 0) return protectedTexts.anyLicense
  return fill(protectedTexts.licensedFrom, { level: min_level })
}

const switchText = ({ status }: Protected) =>
  status === 'active' ? protectedTexts.on : protectedTexts.off
const switchState = ({ status }: Protected) => (status === 'active' ? 'on' : 'closed')

export const SwitchState = ({ of }: { of: Protected }) => (
  <State state={switchState(of)}>{switchText(of)}</State>
)
export const SwitchStamp = ({ of }: { of: Protected }) => (
  <Stamp state={switchState(of)}>{switchText(of)}</Stamp>
)

interface SwitchProps {
  of: Protected
  name: string
  request: (status: Protected['status']) => Request
}

/** Switches a record on or off. Programs see it at their next request. */
export function SwitchAction({ of, name, request }: SwitchProps) {
  const isOn = of.status === 'active'
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
