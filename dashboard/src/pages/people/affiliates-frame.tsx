import { type ReactNode, useContext } from 'react'
import { storeRequest } from '../../api/action.ts'
import { type AffiliateProgram, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatPercent } from '../../kit/format.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { BelowHeading, Empty, Loaded, NotAllowed } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { affiliates } from '../../text/affiliates.ts'
import { fill } from '../../text/catalogue.ts'

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

/** A list of the programme, below the tabs of the programme. */
export const AffiliatesFrame = ({ title, actions, children }: FrameProps) => (
  <Frame title={title} {...(actions && { actions })}>
    <Tabs label={affiliates.title} tabs={TABS} />
    {children}
  </Frame>
)

/**
 * Shows the records of the programme. While the programme is off, the API refuses them, so the page
 * shows how to turn it on. The page of a record then lacks its own heading, which contains the name of the record.
 */
export function WhileProgramIsOn({ children }: { children: ReactNode }) {
  const read = useProgram()
  const isBelowHeading = useContext(BelowHeading)
  return (
    <Loaded read={read}>
      {(program) => {
        if (program.enabled) return children
        const notice = <ProgramIsOff program={program} />
        return isBelowHeading ? (
          notice
        ) : (
          <AffiliatesFrame title={affiliates.title}>{notice}</AffiliatesFrame>
        )
      }}
    </Loaded>
  )
}

function ProgramIsOff({ program }: { program: AffiliateProgram }) {
  const isAllowed = useMayWrite('affiliates')
  return (
    <Empty
      action={isAllowed ? <TurnOnProgram program={program} /> : <NotAllowed area="affiliates" />}
    >
      {affiliates.offNotice}
    </Empty>
  )
}

export const percentText = (percent: number): string => formatPercent(percent / 100)

export const TurnOnProgram = ({
  program: { commission_percent },
}: {
  program: AffiliateProgram
}) => (
  <Action
    label={affiliates.turnOn}
    isPrimary
    lead={<p>{fill(affiliates.turnOnLead, { percent: percentText(commission_percent) })}</p>}
    submit={affiliates.turnOn}
    request={() => storeRequest('affiliates', 'updateProgram', { enabled: true })}
  />
)
