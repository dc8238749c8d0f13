import type { ReactNode } from 'react'
import { storeRequest } from '../../api/action.ts'
import { type AffiliateProgram, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatPercent } from '../../kit/format.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { affiliates } from '../../text/affiliates.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'

const TABS = [
  { to: '/affiliates', label: affiliates.conversions },
  { to: '/affiliates/partners', label: affiliates.partners },
  { to: '/affiliates/payouts', label: affiliates.payouts },
  { to: '/affiliates/program', label: affiliates.program },
]

export const useProgram = () =>
  useRead(['affiliates', 'program'], async ({ api }) => (await api.affiliates.getProgram()).program)

interface FrameProps {
  title: string
  actions?: ReactNode
  children: ReactNode
}

/** A list of the programme, with the tabs of all. */
export const AffiliatesFrame = ({ title, actions, children }: FrameProps) => (
  <Frame title={title} {...(actions && { actions })}>
    <Tabs label={affiliates.title} tabs={TABS} />
    {children}
  </Frame>
)

/** Shows the records of the programme, or how to turn it on: while it is off, the API refuses them. */
export function WhileOn({ children }: { children: ReactNode }) {
  const read = useProgram()
  const isAllowed = useMayWrite('affiliates')
  return (
    <Loaded read={read}>
      {(program) =>
        program.enabled ? (
          children
        ) : (
          <Empty action={isAllowed ? <TurnOn program={program} /> : <p>{common.notAllowed}</p>}>
            {affiliates.off}
          </Empty>
        )
      }
    </Loaded>
  )
}

const PERCENT = 100
export const percentText = (percent: number): string => formatPercent(percent / PERCENT)

export const TurnOn = ({ program: { commission_percent } }: { program: AffiliateProgram }) => (
  <Action
    label={affiliates.turnOn}
    isPrimary
    lead={<p>{fill(affiliates.turnOnLead, { percent: percentText(commission_percent) })}</p>}
    submit={affiliates.turnOn}
    request={() => storeRequest('affiliates', 'updateProgram', { enabled: true })}
  />
)

/** The text of an optional field, or null to clear it. */
export const textOrNull = (value: unknown): string | null =>
  value === undefined ? null : String(value)

/** The number of an optional field, or null to clear it. */
export const numberOrNull = (value: unknown): number | null =>
  value === undefined ? null : Number(value)
